#include "shift-node/control/JobSpecs.h"

#include <gtest/gtest.h>

namespace shift::node {
namespace {

wire::Job job(const std::string& id, std::int32_t state = wire::JobState::QUEUED) {
  wire::Job job;
  job.__set_id(id);
  job.__set_state(state);
  job.dataset.__set_store("w");
  job.dataset.__set_partitions({"t/ds=2", "t/ds=1"});
  job.dataset.__set_order(wire::ReadOrder::LISTED);
  return job;
}

TEST(JobSpecs, TellsAJobInTheControlPlanesWords) {
  const control::JobSpec spec = toSpec(job("a", wire::JobState::RUNNING));
  EXPECT_EQ(spec.job, "a");
  EXPECT_EQ(spec.partitions, (std::vector<std::string>{"w:t/ds=2", "w:t/ds=1"}));
  EXPECT_EQ(spec.order, control::ReadOrder::kListed);
  EXPECT_EQ(spec.state, control::JobState::kRunning);
}

TEST(JobSpecs, ASeededOrderCarriesItsSeed) {
  wire::Job seeded = job("a");
  seeded.dataset.__set_order(wire::ReadOrder::SEEDED);
  seeded.dataset.__set_seed(-1);
  EXPECT_EQ(toSpec(seeded).order, control::ReadOrder::kSeeded);
  EXPECT_EQ(toSpec(seeded).seed, ~std::uint64_t{0});
}

TEST(JobSpecs, ANumberItDoesNotKnowIsNoOrderAndAnEndedJob) {
  wire::Job strange = job("a", 99);
  strange.dataset.__set_order(99);
  EXPECT_EQ(toSpec(strange).order, control::ReadOrder::kUnknown);
  EXPECT_EQ(toSpec(strange).state, control::JobState::kFinished);
}

TEST(JobSpecs, AManifestThatNamesVersionsTakesThePlaceOfAListing) {
  const auto file = [](const std::string& path, std::int64_t size, const std::string& version) {
    wire::ManifestFile made;
    made.__set_path(path);
    made.__set_size(size);
    made.__set_version(version);
    return made;
  };
  wire::Job exact = job("a");
  exact.dataset.__set_manifest({file("t/ds=1/b", 20, "v2"), file("t/ds=1/a", 10, "v1"),
                                file("t/ds=10/c", 1, "v"), file("t/ds=2/d", 1, "v"),
                                file("t/ds=2/e", 1, "")});
  gms::Snapshot snapshot;
  snapshot.jobs["a"] = std::make_shared<const wire::Job>(exact);
  const auto files = filesByManifest(snapshot, "w:t/ds=1");
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 2u);
  EXPECT_EQ((*files)[0].path, "t/ds=1/a");
  EXPECT_EQ((*files)[1].version, "v2");
  EXPECT_EQ((*files)[1].size, 20u);
  EXPECT_FALSE(filesByManifest(snapshot, "w:t/ds=2")) << "one version is missing";
  EXPECT_FALSE(filesByManifest(snapshot, "w:t/ds=3"));
  EXPECT_FALSE(filesByManifest(snapshot, "other:t/ds=1"));
}

TEST(JobSpecs, TellsDeparturesAndWhatReadersHaveFinished) {
  gms::Snapshot snapshot;
  snapshot.jobs["b"] = std::make_shared<const wire::Job>(job("b"));
  gms::SnapshotUpdate update;
  update.endedJobs = {"a"};
  update.jobs = {snapshot.jobs["b"]};
  wire::FinishedPartition finished;
  finished.__set_job("b");
  finished.__set_directory("t/ds=2");
  wire::FinishedPartition late = finished;
  late.__set_job("gone");
  update.finished = {finished, late};
  const SpecNews news = toNews(snapshot, update);
  ASSERT_EQ(news.specs.size(), 2u);
  EXPECT_EQ(news.specs[0].job, "a");
  EXPECT_EQ(news.specs[0].state, control::JobState::kFinished);
  EXPECT_EQ(news.specs[1].job, "b");
  ASSERT_EQ(news.finished.size(), 1u);
  EXPECT_EQ(news.finished[0].bucket, "w:t/ds=2");
}

}  // namespace
}  // namespace shift::node
