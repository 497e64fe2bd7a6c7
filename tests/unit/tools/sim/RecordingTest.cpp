#include "tools/sim/Recording.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "control-plane/RequestLog.h"
#include "tests/support/TemporaryDirectory.h"
#include "tools/sim/Policies.h"

namespace shift::sim {
namespace {

class RecordingTest : public ::testing::Test {
 protected:
  std::string write(const std::string& text) { return directory_.write("trace.csv", text); }

  test::TemporaryDirectory directory_;
};

constexpr const char* kColumns =
    "op_time,block_id,block_id_size,io_size,io_offset,user_name,user_namespace,op_name,op_count,host_name,"
    "rs_shard_id\n";

TEST_F(RecordingTest, TakesTheReadsOfABlockTrace) {
  const Trace trace = readRecording(
      write(std::string(kColumns) + "100,aa,40,8388608,0,7,1,getChunkData.NotInitialized,1,5,0\n"
                                    "101,bb,40,100,5,7,1,putChunk.NotInitialized,1,5,0\n"
                                    "103,aa,40,4096,8388608,8,1,getChunkData.NotInitialized,1,5,0\n"),
      {.cacheBytes = 1e9});
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.blocks.size(), 1U);
  EXPECT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.events[1].time, 3);
  EXPECT_EQ(trace.events[1].offset, 8388608U);
}

TEST_F(RecordingTest, TakesOurOwnForm) {
  const Trace trace =
      readRecording(write("time,job,path,version,file_size,block_size,block_index,offset,length\n"
                          "5.5,j1,t/a,v1,150994944,75497472,1,262144,262144\n"),
                    {.cacheBytes = 1e9});
  ASSERT_EQ(trace.events.size(), 1U);
  EXPECT_EQ(trace.blocks[0].path, "t/a");
  EXPECT_EQ(trace.blocks[0].block, blockIdOf("trace", "t/a", "v1", 75497472, 1));
  EXPECT_EQ(trace.jobs[0].name, "j1");
}

TEST_F(RecordingTest, TakesALogThatANodeWrote) {
  std::ostringstream out;
  control::RequestLogWriter writer(out, {});
  control::ReadRequest request;
  request.store = "warehouse";
  request.path = "t/a";
  request.version = "v1";
  request.job = "j1";
  request.fileSize = 150994944;
  request.blockSize = 75497472;
  request.blockIndex = 1;
  request.offset = 262144;
  request.length = 1000;
  writer.add(request, TimePoint(std::chrono::seconds(7)));
  writer.add(request, TimePoint(std::chrono::seconds(9)));
  const Trace trace = readRecording(write(out.str()), {.cacheBytes = 1e9});
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.blocks[0].block, blockIdOf("warehouse", "t/a", "v1", 75497472, 1));
  EXPECT_EQ(trace.events[1].time, 2);
  EXPECT_EQ(trace.jobs[0].name, "j1");
  EXPECT_THROW(readRecording(write(out.str() + "x"), {}), std::runtime_error);
}

TEST_F(RecordingTest, SaysWhatIsWrongAndWhere) {
  const auto messageOf = [&](const std::string& text) {
    try {
      readRecording(write(text), {});
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(
      messageOf(std::string(kColumns) + "100,aa,40,many,0,7,1,getX,1,5,0\n").find(":2: io_size is \"many\""),
      std::string::npos);
  EXPECT_NE(
      messageOf(std::string(kColumns) + "100,aa,40,1,75497472,7,1,getX,1,5,0\n").find("within its block"),
      std::string::npos);
  EXPECT_NE(messageOf("time,job\n1,j\n").find("no column path"), std::string::npos);
}

TEST_F(RecordingTest, IsReplayedByAnyPolicy) {
  std::string text = kColumns;
  for (int i = 0; i < 400; ++i) {
    text += std::to_string(i) + ",block-" + std::to_string(i % 40) + ",40,1048576,0,7,1,getChunkData,1,5,0\n";
  }
  const Trace trace = readRecording(write(text), {.cacheBytes = 64.0 * 1024 * 1024});
  for (const std::string_view policy : policyNames()) {
    const Outcome outcome = runPolicy(trace, policy, {});
    EXPECT_EQ(outcome.requests, 400U) << policy;
    EXPECT_EQ(outcome.readBytes, 400U * 1048576U) << policy;
  }
  EXPECT_DOUBLE_EQ(runPolicy(trace, "belady", {}).hitRate(), 0.9);
  EXPECT_DOUBLE_EQ(runPolicy(trace, "lru", {}).hitRate(), 0.9);
}

}  // namespace
}  // namespace shift::sim
