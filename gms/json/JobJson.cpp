#include "gms/json/JobJson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "gms/spec/JobRules.h"

namespace shift::gms {
namespace {

using nlohmann::json;

constexpr NamedChoice kStates[] = {{"queued", wire::JobState::QUEUED},
                                   {"running", wire::JobState::RUNNING},
                                   {"finished", wire::JobState::FINISHED},
                                   {"failed", wire::JobState::FAILED},
                                   {"expired", wire::JobState::EXPIRED}};
constexpr NamedChoice kClasses[] = {{"ml-training", wire::JobClass::ML_TRAINING},
                                    {"other", wire::JobClass::OTHER}};
constexpr NamedChoice kOrders[] = {{"unknown", wire::ReadOrder::UNKNOWN},
                                   {"listed", wire::ReadOrder::LISTED},
                                   {"seeded", wire::ReadOrder::SEEDED}};
constexpr std::int64_t kMsPerSecond = 1000;

wire::ByteRange rangeFrom(JsonFields& fields) {
  wire::ByteRange range;
  fields.require("offset");
  fields.require("length");
  range.__set_offset(fields.whole("offset").value_or(0));
  range.__set_length(fields.whole("length").value_or(1));
  return range;
}

wire::ManifestFile fileFrom(JsonFields& fields) {
  wire::ManifestFile file;
  fields.require("path");
  fields.require("size");
  file.__set_path(fields.text("path").value_or("?"));
  file.__set_size(fields.whole("size").value_or(0));
  if (const auto version = fields.text("version")) {
    file.__set_version(*version);
  }
  return file;
}

wire::DatasetSpec datasetFrom(const json& object, Faults& faults) {
  JsonFields fields(object, "dataset", faults);
  wire::DatasetSpec dataset;
  dataset.__set_store(fields.text("store").value_or(""));
  dataset.__set_table(fields.text("table").value_or(""));
  dataset.__set_partitions(fields.texts("partitions").value_or(std::vector<std::string>()));
  if (const auto predicate = fields.text("predicate")) {
    dataset.__set_predicate(*predicate);
  }
  dataset.__set_features(fields.texts("features").value_or(std::vector<std::string>()));
  dataset.__set_order(fields.choice("order", kOrders).value_or(wire::ReadOrder::UNKNOWN));
  if (const auto seed = fields.whole("seed")) {
    dataset.__set_seed(*seed);
  }
  const std::int64_t epochs = fields.whole("epochs").value_or(1);
  if (epochs != static_cast<std::int32_t>(epochs)) {
    faults.push_back(fmt::format("dataset.epochs is {}; that is too many", epochs));
  } else {
    dataset.__set_epochs(static_cast<std::int32_t>(epochs));
  }
  dataset.__set_ranges(readEach(fields, "ranges", &rangeFrom));
  dataset.__set_manifest(readEach(fields, "manifest", &fileFrom));
  fields.refuseOthers();
  return dataset;
}

/** Seconds, as people write them, to the wire's milliseconds. */
std::optional<std::int64_t> ttlFrom(JsonFields& fields, Faults& faults) {
  const std::optional<std::int64_t> seconds = fields.whole("ttl_seconds");
  if (seconds && std::abs(*seconds) > INT64_MAX / kMsPerSecond) {
    faults.push_back("ttl_seconds is out of range");
    return std::nullopt;
  }
  return seconds ? std::optional(*seconds * kMsPerSecond) : std::nullopt;
}

json toJson(const wire::DatasetSpec& dataset) {
  json out = {{"store", dataset.store},
              {"table", dataset.table},
              {"partitions", dataset.partitions},
              {"order", nameOf(kOrders, dataset.order)},
              {"epochs", dataset.epochs}};
  if (!dataset.predicate.empty()) {
    out["predicate"] = dataset.predicate;
  }
  if (!dataset.features.empty()) {
    out["features"] = dataset.features;
  }
  if (dataset.__isset.seed) {
    out["seed"] = dataset.seed;
  }
  for (const wire::ByteRange& range : dataset.ranges) {
    out["ranges"].push_back({{"offset", range.offset}, {"length", range.length}});
  }
  for (const wire::ManifestFile& file : dataset.manifest) {
    json entry = {{"path", file.path}, {"size", file.size}};
    if (!file.version.empty()) {
      entry["version"] = file.version;
    }
    out["manifest"].push_back(std::move(entry));
  }
  return out;
}

}  // namespace

std::span<const NamedChoice> jobStates() {
  return kStates;
}

std::span<const NamedChoice> jobClasses() {
  return kClasses;
}

json toJson(const wire::Job& job) {
  json out = {{"id", job.id},
              {"owner", job.owner},
              {"class", nameOf(kClasses, job.jobClass)},
              {"dataset", toJson(job.dataset)},
              {"state", nameOf(kStates, job.state)},
              {"created_ms", job.createdMs},
              {"updated_ms", job.updatedMs},
              {"heartbeat_ms", job.heartbeatMs},
              {"revision", job.revision}};
  if (job.expectedBytesPerSecond > 0) {
    out["expected_bytes_per_second"] = job.expectedBytesPerSecond;
  }
  if (job.__isset.ttlMs) {
    out["ttl_seconds"] = job.ttlMs / kMsPerSecond;
  }
  if (job.startedMs > 0) {
    out["started_ms"] = job.startedMs;
  }
  if (job.endedMs > 0) {
    out["ended_ms"] = job.endedMs;
  }
  if (!job.reason.empty()) {
    out["reason"] = job.reason;
  }
  for (const wire::PartitionProgress& partition : job.progress) {
    out["progress"].push_back({{"directory", partition.directory},
                               {"read_bytes", partition.readBytes},
                               {"finished", partition.finished},
                               {"updated_ms", partition.updatedMs}});
  }
  return out;
}

wire::Job jobFromJson(const json& object, Faults& faults) {
  JsonFields fields(object, "", faults);
  wire::Job job;
  job.__set_id(fields.text("id").value_or(""));
  job.__set_owner(fields.text("owner").value_or(""));
  job.__set_jobClass(fields.choice("class", kClasses).value_or(wire::JobClass::ML_TRAINING));
  job.__set_expectedBytesPerSecond(fields.whole("expected_bytes_per_second").value_or(0));
  if (const auto ttl = ttlFrom(fields, faults)) {
    job.__set_ttlMs(*ttl);
  }
  fields.require("dataset");
  if (const json* dataset = fields.object("dataset")) {
    job.__set_dataset(datasetFrom(*dataset, faults));
  }
  fields.ignore({"state", "reason", "progress", "created_ms", "updated_ms", "started_ms", "ended_ms",
                 "heartbeat_ms", "revision"});
  fields.refuseOthers();
  return job;
}

wire::JobPatch patchFromJson(const json& object, Faults& faults) {
  JsonFields fields(object, "", faults);
  wire::JobPatch patch;
  if (const auto state = fields.choice("state", kStates)) {
    patch.__set_state(*state);
  }
  if (const auto reason = fields.text("reason")) {
    patch.__set_reason(*reason);
  }
  if (const auto rate = fields.whole("expected_bytes_per_second")) {
    patch.__set_expectedBytesPerSecond(*rate);
  }
  if (const auto ttl = ttlFrom(fields, faults)) {
    patch.__set_ttlMs(*ttl);
  }
  if (const auto owner = fields.text("owner")) {
    patch.__set_owner(*owner);
  }
  fields.refuseOthers();
  return patch;
}

Result<wire::Job> readJobSpec(std::string_view text) {
  const Result<json> parsed = parseJson(text);
  if (!parsed) {
    return parsed.error();
  }
  Faults faults;
  wire::Job job = jobFromJson(*parsed, faults);
  if (parsed->is_object() && parsed->contains("dataset")) {
    const Faults senseless = faultsOf(job);
    faults.insert(faults.end(), senseless.begin(), senseless.end());
  }
  if (!faults.empty()) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(faults, "\n"))};
  }
  return job;
}

}  // namespace shift::gms
