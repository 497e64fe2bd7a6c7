#include "tools/ctl/Context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "common/Duration.h"
#include "gms/MemberRing.h"
#include "ring/RingFile.h"

namespace shift::ctl {
namespace {

std::string stateName(std::int32_t state) {
  switch (state) {
    case wire::MemberState::ACTIVE:
      return "active";
    case wire::MemberState::DOWN:
      return "down";
    case wire::MemberState::DRAINING:
      return "draining";
    default:
      return "unknown";
  }
}

Duration timeoutIn(const std::string& text) {
  const Duration timeout = orFail(parseDuration(text));
  if (timeout <= Duration(0)) {
    throw Failure(kRefused, "--timeout: must be longer than nothing");
  }
  return timeout;
}

bool wantsColor(const Options& options) {
  return !options.noColor && !options.json && std::getenv("NO_COLOR") == nullptr &&
         isatty(STDOUT_FILENO) == 1;
}

std::string userName() {
  const char* const user = std::getenv("USER");
  return user == nullptr ? "shiftctl" : user;
}

}  // namespace

Context::Context(const Options& options)
    : options_(options), timeout_(timeoutIn(options.timeout)), color_(wantsColor(options)) {}

Context::~Context() = default;

gms::GmsClient& Context::gms() {
  if (gms_ == nullptr) {
    if (options_.gms.empty()) {
      throw Failure(kRefused, "this needs the GMS: say where it is with --gms HOST:PORT or $SHIFT_GMS");
    }
    const HostPort address = orFail(parseHostPort(options_.gms));
    gms_ = std::make_unique<gms::GmsClient>(address, timeout_,
                                            options_.actor.empty() ? userName() : options_.actor);
  }
  return *gms_;
}

ring::Ring Context::ring() {
  if (!options_.ringFile.empty()) {
    return orFail(ring::readRingFile(options_.ringFile));
  }
  if (!hasGms()) {
    return {};
  }
  gms::Snapshot snapshot;
  for (const wire::RingMember& member : orFail(gms().listMembers())) {
    snapshot.members[member.id] = std::make_shared<const wire::RingMember>(member);
    snapshot.ringEpoch = std::max(snapshot.ringEpoch, member.epoch);
  }
  return gms::memberRingOf(snapshot).ring;
}

std::vector<NodeTarget> Context::knownNodes() {
  std::vector<NodeTarget> known;
  if (!options_.ringFile.empty()) {
    const ring::Ring listed = ring();
    for (const ring::Member& member : listed.members()) {
      known.push_back({member.id, member.admin, toString(member.address), member.weight, ""});
    }
  } else if (hasGms()) {
    for (const wire::RingMember& member : orFail(gms().listMembers())) {
      const Result<HostPort> admin = parseHostPort(member.adminAddress);
      known.push_back({member.id, admin ? std::optional(*admin) : std::nullopt, member.address, member.weight,
                       stateName(member.state)});
    }
  }
  return known;
}

std::vector<NodeTarget> Context::nodes() {
  if (options_.nodes.empty()) {
    std::vector<NodeTarget> all = knownNodes();
    if (all.empty() && options_.ringFile.empty() && !hasGms()) {
      throw Failure(kRefused,
                    "no node is known: give --gms HOST:PORT, --ring FILE or --node HOST:PORT (or $SHIFT_GMS, "
                    "$SHIFT_RING)");
    }
    if (all.empty()) {
      throw Failure(kFailed, "the ring has no member yet; shiftctl ring add takes one in");
    }
    return all;
  }
  std::vector<NodeTarget> chosen;
  std::optional<std::vector<NodeTarget>> known;
  for (const std::string& name : options_.nodes) {
    if (const Result<HostPort> address = parseHostPort(name)) {
      chosen.push_back({name, *address, "", 1, ""});
      continue;
    }
    if (!known) {
      known = knownNodes();
    }
    const auto found = std::ranges::find(*known, name, &NodeTarget::id);
    if (found == known->end()) {
      throw Failure(kRefused, fmt::format("there is no node \"{}\"; shiftctl nodes lists them", name));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

std::string Context::unknownAddress(const NodeTarget& node) {
  return fmt::format(
      "nobody said where the admin service of node \"{}\" is; tell it with shiftctl ring add --admin, or "
      "give "
      "--node HOST:PORT",
      node.id);
}

node::AdminClient Context::admin(const NodeTarget& node) const {
  if (!node.admin) {
    throw Failure(kFailed, unknownAddress(node));
  }
  return node::AdminClient(*node.admin, timeout_);
}

void Context::print(const std::string& text) const {
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
}

void Context::printJson(const nlohmann::json& value) const {
  fmt::print("{}\n", value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void Context::answer(const nlohmann::json& value, const std::string& words) const {
  if (options_.json) {
    printJson(value);
  } else {
    print(words);
  }
}

void Context::remark(const std::string& text) const {
  fmt::print(stderr, "shiftctl: {}\n", text);
}

bool Context::confirm(const std::string& question, const std::string& flag) const {
  if (isatty(STDIN_FILENO) != 1) {
    throw Failure(kRefused, fmt::format("nothing was done: say {} to do it without being asked", flag));
  }
  fmt::print(stderr, "{} [y/N] ", question);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

}  // namespace shift::ctl
