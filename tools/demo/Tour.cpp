#include "tools/demo/Tour.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "common/ByteSize.h"
#include "tools/demo/Chart.h"
#include "tools/demo/Space.h"
#include "tools/demo/StopWait.h"
#include "tools/demo/Suggestions.h"
#include "tools/demo/Summary.h"

namespace shift::demo {
namespace {

/** Without a cache, side by side, and each policy alone. */
constexpr std::uint32_t kActs = 2 + kPolicies;

/** In shorter acts nodes have no time to learn what the jobs do: they hear of them every half second. */
constexpr Duration kTellingAct = std::chrono::seconds(15);

std::string size(std::uint64_t bytes) {
  return formatByteSize(static_cast<double>(bytes));
}

/** Whoever listened may have gone; that is noticed by a signal, not here. */
void say(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

/** Plays the acts in turn and collects what they show. */
class Tour {
 public:
  Tour(Stage& stage, const std::atomic<bool>& stop)
      : stage_(stage),
        stop_(stop),
        bytesRead_(bytesRead(stage.jobs(), stage.shape())),
        schedule_(kActs, stage.shape().diskTime(bytesRead_)) {
    findings_.bytesRead = bytesRead_;
  }

  /** True when all were played; false when it was told to stop. */
  Result<bool> play() {
    for (const auto act : {&Tour::withoutCache, &Tour::sideBySide, &Tour::eachAlone}) {
      if (const Status played = (this->*act)(); !played || stop_) {
        return played ? Result<bool>(false) : Result<bool>(played.error());
      }
    }
    return true;
  }

  const Findings& findings() const { return findings_; }

 private:
  Status withoutCache() {
    say(fmt::format("\nAct 1: {} jobs read {} without a cache\n", stage_.jobs().size(), size(bytesRead_)));
    return run("none", "no cache", {}, findings_.noCache);
  }

  Status sideBySide() {
    const std::vector<Policy> nodes(policies().begin(), policies().end());
    say(fmt::format("\nAct 2: {} nodes, a policy each, side by side\n", nodes.size()));
    if (Status seated = stage_.seat(nodes); !seated) {
      return seated;
    }
    const Result<ActOutcome> outcome = stage_.play("mixed", schedule_);
    if (!outcome) {
      return outcome.error();
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      findings_.sideBySide.push_back({nodes[i].label, outcome->nodes[i]});
    }
    say("\n" + sideBySideTable(findings_.sideBySide));
    return {};
  }

  Status eachAlone() {
    for (std::size_t i = 0; i < policies().size() && !stop_; ++i) {
      const Policy& policy = policies()[i];
      say(fmt::format("\nAct {}: {} nodes, all with {}\n", 3 + i, stage_.shape().nodes, policy.label));
      RunFinding& finding = findings_.runs.emplace_back();
      if (Status ran = run(policy.key, policy.label, std::vector(stage_.shape().nodes, policy), finding);
          !ran) {
        return ran;
      }
    }
    return {};
  }

  Status run(const std::string& name, const std::string& label, const std::vector<Policy>& nodes,
             RunFinding& finding) {
    if (Status seated = stage_.seat(nodes); !seated) {
      return seated;
    }
    const Result<ActOutcome> outcome = stage_.play(name, schedule_);
    if (!outcome) {
      return outcome.error();
    }
    finding.policy = label;
    finding.jobTimes = outcome->jobTimes;
    for (const NodeWork& work : outcome->nodes) {
      finding.work += work;
    }
    finding.diskBytes = outcome->clientDiskBytes + finding.work.fetchedBytes;
    return {};
  }

  Stage& stage_;
  const std::atomic<bool>& stop_;
  const std::uint64_t bytesRead_;
  Schedule schedule_;
  Findings findings_;
};

void tell(const Findings& findings) {
  say(fmt::format("\nAll acts\n\n{}\n{}\n{}\n", runsTable(findings.noCache, findings.runs), ranking(findings),
                  conclusion(findings)));
}

/** Leaves everything as it is until it is told to stop. */
void keepOpen(const TourConfig& config, const Stage& stage, const Clock& clock,
              const std::atomic<bool>& stop) {
  const TourJob& job = stage.jobs().front();
  const Playground playground{.binaries = config.stage.binaries,
                              .gmsAddress = toString(stage.gmsAddress()),
                              .job = jobId(policies().back().key, job),
                              .file = filesInOrder(job, stage.dataset()).back()};
  say(fmt::format("\nThe nodes with {} stay up. Dashboard: {}\nTo try in another terminal:\n\n",
                  policies().back().label, stage.dashboard()));
  for (const Suggestion& suggestion : suggestionsFor(playground)) {
    say(fmt::format("  {}\n      {}\n", suggestion.command, suggestion.shows));
  }
  say("\nCtrl-C stops everything and removes its files\n");
  waitUnlessStopped(TimePoint::max(), clock, SystemWaiter(), stop);
}

/** The acts, and what is to be told of them. */
Status playAndTell(const TourConfig& config, Stage& stage, const Clock& clock,
                   const std::atomic<bool>& stop) {
  say(fmt::format("{} nodes will have {} of flash each, {:.1f} % of it together\nDashboard: {}\n",
                  stage.shape().nodes, size(stage.shape().flashPerNode()),
                  100.0 * static_cast<double>(stage.shape().flashBytes()) /
                      static_cast<double>(stage.shape().datasetBytes()),
                  stage.dashboard()));
  if (stage.shape().diskTime(bytesRead(stage.jobs(), stage.shape())) < kTellingAct) {
    say("At this scale the acts are too short to tell the policies apart: what follows shows that it works, "
        "no more\n");
  }
  Tour tour(stage, stop);
  const Result<bool> played = tour.play();
  if (!played) {
    return played.error();
  }
  if (!*played) {
    say("\nInterrupted\n");
    return {};
  }
  tell(tour.findings());
  if (Status drawn = writeChart(config.plot, tour.findings()); !drawn) {
    return drawn;
  }
  say(fmt::format("Chart: {}\n", std::filesystem::absolute(config.plot).string()));
  if (config.keep) {
    keepOpen(config, stage, clock, stop);
  }
  return {};
}

}  // namespace

Status runTour(const TourConfig& config, const Clock& clock, const std::atomic<bool>& stop) {
  const Shape& shape = config.stage.shape;
  const std::string& directory = config.stage.directory;
  for (const Status& check : {checkChartFile(config.plot), checkSpace(directory, shape)}) {
    if (!check) {
      return check;
    }
  }
  say(fmt::format("Making a dataset of {} in {} partitions, on {} modelled hard disks\n",
                  size(shape.datasetBytes()), shape.partitions, shape.disks.disks));
  if (Status written = writeDataset(datasetOf(shape), directory + "/store", stop); !written || stop) {
    return written;
  }
  const Result<std::unique_ptr<Stage>> stage = Stage::set(config.stage, clock, stop);
  if (!stage) {
    return stage.error();
  }
  const Status played = playAndTell(config, **stage, clock, stop);
  const Status stopped = (*stage)->clear();
  say(fmt::format("\nStopped {}\n", stopped ? "all processes cleanly" : stopped.error().message));
  return played ? stopped : played;
}

}  // namespace shift::demo
