#include "control-plane/RequestLog.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "blocks/Geometry.h"

namespace shift::control {
namespace {

using std::chrono::microseconds;

ReadRequest request(const std::string& path, const std::string& job, std::uint64_t block,
                    std::uint64_t offset) {
  ReadRequest made{.store = "warehouse",
                   .path = path,
                   .version = "v1",
                   .job = job,
                   .fileSize = 10 * kDefaultBlockSize,
                   .blockSize = kDefaultBlockSize,
                   .blockIndex = block,
                   .block = blockIdOf("warehouse", path, "v1", kDefaultBlockSize, block),
                   .offset = offset,
                   .length = kMiB};
  return made;
}

std::vector<LoggedRequest> readAll(const std::string& bytes) {
  std::istringstream in(bytes);
  in.ignore(kRequestLogMagic.size());
  RequestLogReader reader(in);
  std::vector<LoggedRequest> all;
  for (;;) {
    const auto next = reader.next();
    if (!next || !next->has_value()) {
      return all;
    }
    all.push_back(**next);
  }
}

TEST(RequestLog, GivesBackWhatWasWritten) {
  std::ostringstream out;
  RequestLogWriter writer(out, {});
  TimePoint now{std::chrono::hours(5)};
  std::mt19937_64 random(3);
  std::vector<ReadRequest> written;
  for (int i = 0; i < 1000; ++i) {
    written.push_back(request("t/part-" + std::to_string(random() % 20),
                              "job-" + std::to_string(random() % 3), random() % 10, random() % 70 * kMiB));
    ASSERT_TRUE(writer.add(written.back(), now));
    now += std::chrono::nanoseconds(1500);
  }
  EXPECT_LT(writer.bytes(), 1000 * 16) << "compact";
  EXPECT_EQ(out.str().size(), writer.bytes());
  EXPECT_TRUE(out.str().starts_with(kRequestLogMagic));
  const std::vector<LoggedRequest> read = readAll(out.str());
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].request.block, written[i].block);
    EXPECT_EQ(read[i].request.job, written[i].job);
    EXPECT_EQ(read[i].request.path, written[i].path);
    EXPECT_EQ(read[i].request.offset, written[i].offset);
    EXPECT_EQ(read[i].request.length, written[i].length);
  }
  EXPECT_NEAR(read.back().time, 999 * 1.5e-6, 1e-6) << "fractions of a microsecond do not add up";
}

TEST(RequestLog, KeepsWithinItsBounds) {
  std::ostringstream out;
  RequestLogWriter small(out, {.bytes = 200});
  for (std::uint64_t i = 0; i < 100; ++i) {
    small.add(request("t/f", "job", i, 0), TimePoint(microseconds(i)));
  }
  EXPECT_LE(out.str().size(), 200U);
  EXPECT_GT(small.leftOut(), 0U);
  EXPECT_EQ(readAll(out.str()).size() + small.leftOut(), 100U);

  std::ostringstream few;
  RequestLogWriter named(few, {.names = 2});
  EXPECT_TRUE(named.add(request("a", "1", 0, 0), {}));
  EXPECT_TRUE(named.add(request("b", "2", 0, 0), {}));
  EXPECT_FALSE(named.add(request("c", "1", 0, 0), {}));
  EXPECT_TRUE(named.add(request("a", "2", 0, 0), {}));
  EXPECT_EQ(readAll(few.str()).size(), 3U);
}

TEST(RequestLog, SaysWhatIsWrongWithALogThatIsCutShortOrMadeUp) {
  std::ostringstream out;
  RequestLogWriter writer(out, {});
  writer.add(request("t/f", "job", 1, 0), {});
  const std::string whole = out.str();
  for (std::size_t size = kRequestLogMagic.size() + 1; size < whole.size(); ++size) {
    EXPECT_TRUE(readAll(whole.substr(0, size)).empty()) << size;
  }
  std::istringstream in("r\x01\x05\x05\x01\x01\x01");
  RequestLogReader reader(in);
  const auto next = reader.next();
  ASSERT_FALSE(next);
  EXPECT_NE(next.error().message.find("was not there before"), std::string::npos);
}

}  // namespace
}  // namespace shift::control
