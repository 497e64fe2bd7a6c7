#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backing-store/StorePath.h"
#include "client-lib/SnapshotEligibility.h"
#include "common/ByteSize.h"
#include "shift-node/AdminJson.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

struct ExplainOptions {
  std::string path;
  std::string job;
  std::string offset = "0";
};

/** All that is known of one block. */
struct Story {
  wire::BlockPlace place;
  wire::Explanation explanation;
  std::string store;
  NodeTarget owner;
  std::size_t ringSize = 0;
  std::optional<client::EligibilityVerdict> eligibility;  // nothing: there is no GMS to ask
};

client::EligibilityVerdict eligibilityOf(Context& context, const std::string& store,
                                         const std::string& path) {
  gms::Snapshot snapshot;
  for (const wire::EligibilityRule& rule : orFail(context.gms().listRules())) {
    snapshot.rules[rule.id] = std::make_shared<const wire::EligibilityRule>(rule);
  }
  for (const wire::Table& table : orFail(context.gms().listTables())) {
    snapshot.tables[table.name] = std::make_shared<const wire::Table>(table);
  }
  return client::eligibilityOf(snapshot, {})
      .decide({.store = store, .path = path, .tag = "", .jobClass = {}});
}

/** Any node can tell which block it is; only its owner knows what becomes of it. */
Story tell(Context& context, const ExplainOptions& options) {
  const std::uint64_t offset = orFail(parseByteSize(options.offset));
  const std::vector<NodeTarget> nodes = context.nodes();
  Story story;
  std::optional<Error> lastError;
  for (const NodeTarget& node : nodes) {
    node::AdminClient admin = context.admin(node);
    const Result<wire::NodeStatus> status = admin.status();
    if (!status) {
      context.remark(node.id + ": " + status.error().message);
      lastError = status.error();
      continue;
    }
    story.store = status->store;
    story.place = orFail(admin.locate(std::string(store::withoutStore(options.path, story.store)), offset));
    story.owner = node;
    lastError.reset();
    break;
  }
  if (lastError) {
    throw Failure(kFailed, "no node answers");
  }
  const ring::Ring ring = context.ring();
  story.ringSize = ring.members().size();
  const BlockId block{static_cast<std::uint64_t>(story.place.blockIdHigh),
                      static_cast<std::uint64_t>(story.place.blockIdLow)};
  if (const ring::Member* const owner = ring.ownerOf(block);
      owner != nullptr && context.options().nodes.empty()) {
    story.owner = *std::ranges::find(nodes, owner->id, &NodeTarget::id);
  }
  node::AdminClient admin = context.admin(story.owner);
  story.place = orFail(admin.locate(story.place.path, offset));
  story.explanation = orFail(admin.explain(story.place.path, offset, options.job));
  if (context.hasGms()) {
    story.eligibility = eligibilityOf(context, story.store, story.place.path);
  }
  return story;
}

json toJson(const Story& story) {
  json out = node::toJson(story.explanation);
  out.update(node::toJson(story.place));
  out["store"] = story.store;
  out["node"] = story.owner.id;
  if (story.eligibility) {
    out["eligible"] = story.eligibility->eligible;
    out["eligible_reason"] = story.eligibility->reason;
  }
  return out;
}

std::string inWords(const Context& context, const Story& story) {
  const wire::Explanation& explanation = story.explanation;
  const wire::BlockPlace& place = story.place;
  std::string text = fmt::format("{}:{}, version {}, {}\n", story.store, place.path, place.version,
                                 formatByteSize(static_cast<double>(place.fileSize)));
  text += fmt::format("block       {} of the file, from byte {}, {}\n", place.blockIndex, place.blockOffset,
                      formatByteSize(static_cast<double>(place.blockLength)));
  text += fmt::format("lives on    {}{}\n", story.owner.id,
                      story.ringSize > 0 ? fmt::format(" (one of {} on the ring)", story.ringSize) : "");
  text += fmt::format("cached      {} of {}\n", formatByteSize(static_cast<double>(place.cachedBytes)),
                      formatByteSize(static_cast<double>(place.blockLength)));
  if (story.eligibility) {
    text += fmt::format("eligible    {}: {}\n",
                        story.eligibility->eligible ? "yes" : "no, clients read it past the cache",
                        story.eligibility->reason);
  }
  text += fmt::format("decision    {}\n",
                      colored(context.usesColor(), explanation.admit ? Color::kGood : Color::kBad,
                              explanation.admit ? "a miss would be admitted" : "a miss would be refused"));
  return text + "\n" + explanation.words + "\n" + explanation.remedy + "\n";
}

ExitCode runExplain(Context& context, const ExplainOptions& options) {
  const Story story = tell(context, options);
  context.answer(toJson(story), inWords(context, story));
  return kDone;
}

}  // namespace

void addExplain(Arguments& app, Chosen& chosen) {
  Arguments command = app.command(
      "explain",
      "Where a file's block lives, whether it is cached, and why a miss would be admitted or refused");
  const auto options = std::make_shared<ExplainOptions>();
  command.option("path", options->path, "below the store's root").required();
  command.option("--job", options->job, "asked for by this job");
  command.option("--offset", options->offset, "the block at this place of the file, as in 100MiB")
      .withDefault();
  command.footer("Example:\n  shiftctl explain clicks/ds=2026-11-01/part-0 --job resnet-7");
  command.run(chosen, options, runExplain);
}

}  // namespace shift::ctl
