#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "bench/gms/GmsRig.h"
#include "bench/report/BenchReport.h"
#include "common/TemporaryDirectory.h"
#include "gms/GmsClient.h"
#include "gms/GmsFollower.h"
#include "gms/GmsService.h"
#include "rpc/ThriftServer.h"
#include "tools/cluster/LocalPostgres.h"

namespace shift::bench {
namespace {

constexpr int kRounds = 5;
constexpr int kSubmissions = 40;  // a round
constexpr int kPolls = 200;       // a round
constexpr int kPartitions = 100;
constexpr int kFollowers = 50;
constexpr std::int32_t kNodeKinds = wire::ChangeKind::JOBS | wire::ChangeKind::PARAMETERS;
/** A question about nothing new may not cost more because there are more jobs; this much is noise. */
constexpr double kFlat = 1.5;

template <typename Work>
double secondsOf(const Clock& clock, Work work) {
  const TimePoint begin = clock.now();
  work();
  return std::chrono::duration<double>(clock.now() - begin).count();
}

/** Durable submissions a second, in turn with what the database can do of one row of the same size. */
void measureSubmissions(GmsRig& rig, const Clock& clock, BenchReport& report) {
  std::vector<double> ours;
  std::vector<double> raw;
  std::string bytes;
  for (const std::string& directory : jobWith("", kPartitions).dataset.partitions) {
    bytes += directory + "\n";
  }
  int next = 0;
  for (int round = 0; round < kRounds; ++round) {
    raw.push_back(kSubmissions / secondsOf(clock, [&] {
                    for (int i = 0; i < kSubmissions; ++i) {
                      rig.commitRaw(bytes);
                    }
                  }));
    ours.push_back(kSubmissions / secondsOf(clock, [&] {
                     for (int i = 0; i < kSubmissions; ++i) {
                       rig.submit(jobWith(fmt::format("submitted-{}", next++), kPartitions));
                     }
                   }));
  }
  report.compare(rig.name() + ": submissions of 100 partitions", "1/s", ours, "commits of one row", raw);
}

wire::ChangesRequest since(GmsRig& rig) {
  wire::ChangesRequest request;
  request.__set_kinds(kNodeKinds);
  for (;;) {
    const Result<wire::Changes> page = rig.stores().changes.changesSince(request);
    if (!page) {
      fmt::print(stderr, "shift-bench-gms: {}\n", page.error().message);
      std::exit(1);
    }
    if (page->cursor.empty()) {
      request.__set_cursor("");
      request.__set_instance(page->instance);
      request.__set_revision(page->revision);
      return request;
    }
    request.__set_cursor(page->cursor);
  }
}

struct PollCost {
  std::vector<double> idle;    // microseconds of a poll when nothing has changed
  std::vector<double> change;  // when one job has
  std::vector<double> raw;     // of the cheapest question to the same database
};

PollCost measurePolls(GmsRig& rig, const Clock& clock) {
  PollCost cost;
  wire::ChangesRequest request = since(rig);
  const auto poll = [&] { static_cast<void>(rig.stores().changes.changesSince(request)); };
  for (int round = 0; round < kRounds; ++round) {
    const auto each = [&](auto work) {
      return 1e6 / kPolls * secondsOf(clock, [&] {
               for (int i = 0; i < kPolls; ++i) {
                 work();
               }
             });
    };
    cost.raw.push_back(each([&] { rig.askRaw(); }));
    cost.idle.push_back(each(poll));
    const wire::ChangesRequest before = request;
    wire::JobPatch patch;
    patch.__set_owner(fmt::format("owner-{}", round));
    static_cast<void>(rig.stores().jobs.changeJob("job-000000", patch, {}));
    cost.change.push_back(each(poll));
    request = since(rig);
  }
  return cost;
}

void measureFollowing(GmsRig& rig, const Clock& clock, BenchReport& report) {
  std::vector<PollCost> costs;
  for (const int jobs : {100, 1000, 10'000, 100'000}) {
    rig.growTo(jobs, 10);
    costs.push_back(measurePolls(rig, clock));
    report.compare(fmt::format("{}: poll without news, {} jobs", rig.name(), jobs), "us", costs.back().idle,
                   "SELECT 1", costs.back().raw);
    report.compare(fmt::format("{}: poll with one change, {} jobs", rig.name(), jobs), "us",
                   costs.back().change, "SELECT 1", costs.back().raw);
  }
  report.compare(rig.name() + ": growth of a poll without news, 1e2 to 1e5 jobs", "x",
                 {median(costs.back().idle) / median(costs.front().idle)}, "growth of SELECT 1",
                 {median(costs.back().raw) / median(costs.front().raw)}, Goal::atMost(kFlat));
  report.measure(rig.name() + ": database, 100000 jobs of 10 partitions", "MB", {rig.databaseMegabytes()});
}

/** The size of the issue: fifty nodes, ten thousand jobs of a hundred partitions, over the network. */
void measureFollowers(GmsRig& rig, const Clock& clock, BenchReport& report) {
  constexpr int kJobs = 10'000;
  rig.growTo(kJobs, kPartitions);
  report.measure(fmt::format("{}: database, 10000 jobs of 100 partitions", rig.name()), "MB",
                 {rig.databaseMegabytes()});
  auto service = std::make_shared<gms::GmsService>(rig.stores());
  const auto server = rpc::ThriftServer::start({"127.0.0.1", 0},
                                               std::make_shared<wire::GlobalMetadataStoreProcessor>(service));
  std::vector<std::unique_ptr<gms::GmsClient>> clients;
  for (int i = 0; i < kFollowers; ++i) {
    clients.push_back(std::make_unique<gms::GmsClient>((*server)->address(), std::chrono::seconds(60)));
  }
  const double before = residentMegabytes();
  CounterRegistry counters;
  gms::GmsFollower follower(
      {.kinds = kNodeKinds, .file = "", .counterPrefix = "bench"}, gms::GmsFollower::asking(*clients[0]),
      [](const auto&, const auto&) {}, clock, counters);
  report.measure(rig.name() + ": first answer to a follower, 1e6 partitions", "s",
                 {secondsOf(clock, [&] { static_cast<void>(follower.tick()); })});
  report.measure(rig.name() + ": memory, of that follower and the GMS", "MB", {residentMegabytes() - before});

  wire::ChangesRequest request = since(rig);
  std::vector<double> idle;
  std::vector<double> seen;
  for (int round = 0; round < kRounds; ++round) {
    const auto all = [&] {
      return secondsOf(clock, [&] {
        for (const auto& client : clients) {
          static_cast<void>(client->changesSince(request));
        }
      });
    };
    all();
    idle.push_back(1e3 * all());
    wire::JobPatch patch;
    patch.__set_owner(fmt::format("seen-{}", round));
    static_cast<void>(rig.stores().jobs.changeJob("job-000001", patch, {}));
    seen.push_back(1e3 * all());
    request = since(rig);
  }
  // Nodes ask twice a second: what one round takes may be at most half of that.
  report.measure(rig.name() + ": 50 followers ask, nothing is new", "ms", idle, Goal::atMost(500));
  report.measure(rig.name() + ": 50 followers hear of a change", "ms", seen, Goal::atMost(500));
}

void runOn(const std::string& name, const std::function<std::string()>& newDatabase, const Clock& clock,
           BenchReport& report) {
  {
    GmsRig rig(name, newDatabase(), clock);
    measureSubmissions(rig, clock, report);
  }
  {
    GmsRig rig(name, newDatabase(), clock);
    measureFollowers(rig, clock, report);
  }
  GmsRig rig(name, newDatabase(), clock);
  measureFollowing(rig, clock, report);
}

}  // namespace
}  // namespace shift::bench

int main(int argc, char** argv) {
  using namespace shift;
  bench::BenchReport report(argc, argv);
  if (argc > 1) {
    fmt::print(stderr, "usage: shift-bench-gms [--json]\n");
    return 2;
  }
  const SystemClock clock;
  const TemporaryDirectory directory("shift-bench-gms");
  std::filesystem::create_directory(directory / "pg");
  std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
  int files = 0;
  bench::runOn(
      "SQLite", [&] { return directory / fmt::format("{}.sqlite", ++files); }, clock, report);
  const auto postgres = tools::LocalPostgres::start({.directory = directory / "pg"}, clock);
  if (!postgres) {
    fmt::print(stderr, "shift-bench-gms: {}\n", postgres.error().message);
    return 1;
  }
  bench::runOn(
      "PostgreSQL", [&] { return (*postgres)->newDatabase().value(); }, clock, report);
}
