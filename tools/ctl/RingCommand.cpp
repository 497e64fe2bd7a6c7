#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gms/MemberRing.h"
#include "ring/RingChange.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;
using Members = std::vector<wire::RingMember>;

struct RingOptions {
  std::string id;
  std::string address;
  std::string admin;
  double weight = 1;
  bool yes = false;
  bool dryRun = false;
};

ring::Ring ringOf(const Members& members) {
  gms::Snapshot snapshot;
  for (const wire::RingMember& member : members) {
    snapshot.members[member.id] = std::make_shared<const wire::RingMember>(member);
  }
  return gms::memberRingOf(snapshot).ring;
}

json toJson(const ring::RingChange& change) {
  json members = json::array();
  for (const ring::ShareChange& member : change.members) {
    members.push_back(
        {{"id", member.id}, {"before", member.before}, {"after", member.after}, {"gained", member.gained}});
  }
  return {{"moved_share", change.moved}, {"members", members}};
}

std::string inWords(const ring::RingChange& change) {
  tools::Table table({"node", "share now", "share then", "gains", "loses"});
  for (const ring::ShareChange& member : change.members) {
    table.row({member.id, percent(member.before, 1), percent(member.after, 1), percent(member.gained, 1),
               percent(member.before + member.gained - member.after, 1)});
  }
  return table.str() + fmt::format(
                           "{} of all blocks get another owner; their cached copies are not moved but "
                           "fetched anew as they are read.\n",
                           percent(change.moved, 1));
}

/** Shows what a change of the members would move and, if that is wanted, makes it. */
ExitCode makeChange(Context& context, const RingOptions& options, const Members& before, const Members& after,
                    const std::function<void()>& apply) {
  const ring::RingChange change = ring::compare(ringOf(before), ringOf(after));
  if (!context.options().json) {
    context.print(inWords(change));
  }
  const bool isWanted =
      !options.dryRun &&
      (options.yes || context.confirm("Change the ring?", "--yes (or --dry-run to look only)"));
  if (isWanted) {
    apply();
  }
  if (context.options().json) {
    json out = toJson(change);
    out["changed"] = isWanted;
    context.printJson(out);
  } else {
    context.print(isWanted ? "The ring is changed; nodes and clients follow within seconds."
                           : "Nothing was changed.");
  }
  return kDone;
}

wire::RingMember& memberOf(Members& members, const std::string& id) {
  const auto found = std::ranges::find(members, id, &wire::RingMember::id);
  if (found == members.end()) {
    throw Failure(kRefused, fmt::format("the ring has no member \"{}\"; shiftctl ring show lists them", id));
  }
  return *found;
}

ExitCode showRing(Context& context) {
  const ring::Ring ring = context.ring();
  const ring::RingChange shares = ring::compare(ring, ring);
  const std::vector<NodeTarget> nodes = context.nodes();
  json rows = json::array();
  tools::Table table({"node", "address", "admin", "weight", "state", "share"});
  for (const NodeTarget& node : nodes) {
    const auto share = std::ranges::find(shares.members, node.id, &ring::ShareChange::id);
    const double owned = share == shares.members.end() ? 0 : share->after;
    const std::string admin = node.admin ? toString(*node.admin) : "-";
    rows.push_back({{"id", node.id},
                    {"address", node.address},
                    {"admin_address", admin},
                    {"weight", node.weight},
                    {"state", node.state},
                    {"share", owned}});
    table.row({node.id, node.address, admin, fmt::format("{:g}", node.weight),
               node.state.empty() ? "-" : node.state, percent(owned, 1)});
  }
  context.answer(json{{"epoch", ring.epoch()}, {"members", rows}}, table.str());
  return kDone;
}

/** A node that listens everywhere is reached by the name that its admin service was. */
std::string reachable(const std::string& address, const std::string& host) {
  HostPort known = orFail(parseHostPort(address));
  if (known.host == "0.0.0.0" || known.host == "::") {
    known.host = host;
  }
  return toString(known);
}

ExitCode addMember(Context& context, RingOptions options) {
  if (options.id.empty() || options.address.empty()) {
    if (options.admin.empty()) {
      throw Failure(kRefused, "give the node's id and address, or --admin HOST:PORT to ask it for both");
    }
    const HostPort admin = orFail(parseHostPort(options.admin));
    const wire::NodeStatus status = orFail(context.admin({options.admin, admin, "", 1, ""}).status());
    options.id = options.id.empty() ? status.id : options.id;
    options.address = reachable(status.address, admin.host);
  }
  const Members before = orFail(context.gms().listMembers());
  Members after = before;
  std::erase_if(after, [&](const wire::RingMember& member) { return member.id == options.id; });
  wire::RingMember& added = after.emplace_back();
  added.__set_id(options.id);
  added.__set_address(options.address);
  added.__set_weight(options.weight);
  if (!options.admin.empty()) {
    added.__set_adminAddress(options.admin);
  }
  return makeChange(context, options, before, after, [&] { orFail(context.gms().putMember(added)); });
}

ExitCode removeMember(Context& context, const RingOptions& options) {
  const Members before = orFail(context.gms().listMembers());
  Members after = before;
  (void)memberOf(after, options.id);
  std::erase_if(after, [&](const wire::RingMember& member) { return member.id == options.id; });
  return makeChange(context, options, before, after, [&] { orFail(context.gms().deleteMember(options.id)); });
}

ExitCode editMember(Context& context, const RingOptions& options,
                    const std::function<void(wire::RingMember&)>& edit) {
  const Members before = orFail(context.gms().listMembers());
  Members after = before;
  wire::RingMember& member = memberOf(after, options.id);
  edit(member);
  return makeChange(context, options, before, after, [&] { orFail(context.gms().putMember(member)); });
}

}  // namespace

void addRing(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("ring", "The ring: who owns which share, and changes to that");
  command.footer(
      "What a change would move is shown before it is made.\n"
      "Examples:\n"
      "  shiftctl ring show\n"
      "  shiftctl ring add --admin 10.0.0.7:7401      # asks the node for its id and address\n"
      "  shiftctl ring drain flash-03 --dry-run\n"
      "  shiftctl ring weight flash-03 0.5 --yes");
  command.command("show", "Members, weights, states and shares").run(chosen, showRing);

  const auto options = std::make_shared<RingOptions>();
  const auto changes = [&](const char* name, const char* help, const auto& describe,
                           std::function<ExitCode(Context&, const RingOptions&)> run) {
    Arguments sub = command.command(name, help);
    describe(sub);
    sub.flag("--yes", options->yes, "do not ask");
    sub.flag("--dry-run", options->dryRun, "only show what would move");
    sub.run(chosen, options, std::move(run));
  };
  const auto withId = [options](Arguments& sub) {
    sub.option("id", options->id, "the member's id").required();
  };
  changes(
      "add", "Take a node in, or give a member another address or weight",
      [options](Arguments& sub) {
        sub.option("id", options->id, "its id, as in its configuration");
        sub.option("address", options->address, "HOST:PORT of its read protocol, as clients reach it");
        sub.option("--admin", options->admin, "HOST:PORT of its admin service");
        sub.option("--weight", options->weight, "share relative to the others").withDefault();
      },
      addMember);
  changes("remove", "Take a node out", withId, removeMember);
  const auto state = [&](const char* name, const char* help, wire::MemberState::type to) {
    changes(name, help, withId, [to](Context& context, const RingOptions& given) {
      return editMember(context, given, [to](wire::RingMember& member) { member.__set_state(to); });
    });
  };
  state("drain", "Leave a node its data to answer with, but give its share to others",
        wire::MemberState::DRAINING);
  state("down", "A short outage: the node keeps its share, but is not asked", wire::MemberState::DOWN);
  state("activate", "Back to normal after drain or down", wire::MemberState::ACTIVE);
  changes(
      "weight", "Change a node's share",
      [options, withId](Arguments& sub) {
        withId(sub);
        sub.option("weight", options->weight, "share relative to the others").required().atLeast(0);
      },
      [](Context& context, const RingOptions& given) {
        return editMember(context, given,
                          [&](wire::RingMember& member) { member.__set_weight(given.weight); });
      });
}

}  // namespace shift::ctl
