#include "shift-node/control/GmsLink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/AdmitAll.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/** A node's link to a GMS that the test plays. */
class GmsLinkTest : public testing::Test {
 protected:
  GmsLinkTest() { restart(); }

  void restart() {
    link_.reset();
    link_ = std::make_unique<GmsLink>(
        GmsLink::Config{.node = "n1", .snapshotFile = directory_ / "gms.snapshot", .followsRing = true},
        GmsLink::Calls{.changesSince = [this](const wire::ChangesRequest&) { return answer(); },
                       .report = [this](const wire::Report& report) { return take(report); }},
        tally_, clock_, counters_);
  }

  Result<wire::Changes> answer() {
    return down_ ? Result<wire::Changes>(Error{ErrorCode::kUnavailable, "down"}) : state_;
  }

  Result<wire::ReportOutcome> take(const wire::Report& report) {
    if (down_) {
      return Error{ErrorCode::kUnavailable, "down"};
    }
    reports_.push_back(report);
    return wire::ReportOutcome();
  }

  void read(const std::string& job, const std::string& path, std::uint64_t length) {
    control::ReadRequest request;
    request.store = "w";
    request.path = path;
    request.job = job;
    request.length = length;
    tally_.record(request, clock_.now());
  }

  void holds(const std::string& id) {
    state_.__set_instance("i");
    state_.__set_revision(++revision_);
    state_.__set_reset(true);
    wire::Job job;
    job.__set_id(id);
    job.dataset.__set_store("w");
    state_.__set_jobs({job});
  }

  static wire::Parameter parameter(const std::string& node, const std::string& name,
                                   const std::string& value) {
    wire::Parameter parameter;
    parameter.__set_node(node);
    parameter.__set_name(name);
    parameter.__set_value(value);
    return parameter;
  }

  static wire::RingMember member(const std::string& id) {
    wire::RingMember member;
    member.__set_id(id);
    member.__set_address("127.0.0.1:7400");
    return member;
  }

  std::int64_t counter(const std::string& name) { return counters_.counter(name, "").value(); }

  test::TemporaryDirectory directory_;
  ManualClock clock_;
  CounterRegistry counters_;
  test::AdmitAll policy_;
  ReadTally tally_{policy_};
  bool down_ = false;
  std::int64_t revision_ = 0;
  wire::Changes state_;
  std::vector<wire::Report> reports_;
  std::unique_ptr<GmsLink> link_;
};

TEST_F(GmsLinkTest, GoesOnAfterARestartWithWhatItKnewWhileTheGmsIsDown) {
  holds("a");
  EXPECT_EQ(link_->follow().specs.size(), 1u);
  down_ = true;
  EXPECT_THAT(link_->follow().specs, IsEmpty());
  EXPECT_EQ(counter("node_gms_connected"), 0);
  restart();
  const SpecNews known = link_->follow();
  ASSERT_EQ(known.specs.size(), 1u);
  EXPECT_EQ(known.specs[0].job, "a");
  EXPECT_EQ(counter("node_gms_active_jobs"), 1);

  down_ = false;
  holds("b");
  const SpecNews news = link_->follow();
  ASSERT_EQ(news.specs.size(), 2u);
  EXPECT_EQ(news.specs[0].state, control::JobState::kFinished) << "a is gone";
  EXPECT_EQ(news.specs[1].job, "b");
}

TEST_F(GmsLinkTest, ReportsWhoReadHowMuchOfWhat) {
  read("a", "t/ds=1/x", 10);
  read("a", "t/ds=1/y", 5);
  read("", "t/ds=1/y", 100);
  read("a", "at-the-root", 1000);
  link_->report();
  ASSERT_EQ(reports_.size(), 1u);
  EXPECT_EQ(reports_[0].reporter, "n1");
  ASSERT_EQ(reports_[0].reads.size(), 1u);
  EXPECT_EQ(reports_[0].reads[0].directory, "t/ds=1");
  EXPECT_EQ(reports_[0].reads[0].bytes, 15);
  ASSERT_EQ(reports_[0].throughCache.size(), 1u);
  EXPECT_EQ(reports_[0].throughCache[0].bytes, 115) << "reads of nobody in particular are demand too";
  link_->report();
  EXPECT_EQ(reports_.size(), 1u) << "nothing new, nothing said";
}

TEST_F(GmsLinkTest, AReportWaitsForTheGmsAndStaysTheSame) {
  read("a", "t/x", 10);
  down_ = true;
  link_->report();
  EXPECT_EQ(counter("node_gms_report_failures_total"), 1);
  read("a", "t/x", 1);
  link_->report();
  down_ = false;
  link_->report();
  ASSERT_EQ(reports_.size(), 2u);
  EXPECT_EQ(reports_[0].reads[0].bytes, 10) << "as it was first sent: the GMS may have counted it";
  EXPECT_EQ(reports_[1].reads[0].bytes, 1);
  EXPECT_LT(reports_[0].sequence, reports_[1].sequence);
}

TEST_F(GmsLinkTest, ManyReadersAreReportedInSeveralBatches) {
  for (int i = 0; i < 12'000; ++i) {
    read("a", "t/" + std::to_string(i) + "/x", 1);
  }
  link_->report();
  std::int64_t reads = 0;
  for (const wire::Report& report : reports_) {
    EXPECT_LE(report.reads.size() + report.throughCache.size(), 10'000u);
    reads += std::ssize(report.reads);
  }
  EXPECT_EQ(reads, 12'000);
}

TEST_F(GmsLinkTest, ANodesOwnParameterGoesBeforeThatOfAll) {
  holds("a");
  state_.__set_parameters({parameter("", "policy.a", "1"), parameter("", "policy.b", "1"),
                           parameter("n1", "policy.b", "2"), parameter("n2", "policy.b", "3"),
                           parameter("", "client.c", "4")});
  link_->follow();
  EXPECT_THAT(*link_->takeParameters(), ElementsAre(Pair("policy.a", "1"), Pair("policy.b", "2")));
  EXPECT_FALSE(link_->takeParameters());
}

TEST_F(GmsLinkTest, TheMembersTellWhichBlocksAreThisNodes) {
  holds("a");
  state_.__set_members({member("n1"), member("n2")});
  link_->follow();
  const auto shareOfTwo = link_->takeOwnership();
  ASSERT_TRUE(shareOfTwo);
  EXPECT_FALSE(link_->takeOwnership()) << "nothing is new";
  const auto owned = [](const control::Ownership& owns) {
    int count = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      count += owns(BlockId{i * 0x9e3779b97f4a7c15, i}) ? 1 : 0;
    }
    return count;
  };
  EXPECT_NEAR(owned(*shareOfTwo), 500, 80);
  state_.__set_revision(++revision_);
  state_.__set_members({member("n1"), member("n2"), member("n3"), member("n4")});
  link_->follow();
  EXPECT_NEAR(owned(*link_->takeOwnership()), 250, 70);
  state_.__set_revision(++revision_);
  state_.__set_members({member("n2")});
  link_->follow();
  EXPECT_EQ(*link_->takeOwnership(), nullptr) << "who is in no ring is asked by a ring of others: for all";
}

}  // namespace
}  // namespace shift::node
