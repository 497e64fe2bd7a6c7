#include "metrics/Exposition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace shift::metrics {
namespace {

using testing::HasSubstr;

TEST(Exposition, WritesEachFamilyOnceAndInOrder) {
  Exposition exposition;
  exposition.add("b_total", "Second", Kind::kCounter, {{"tier", "flash"}}, 3);
  exposition.add("a_bytes", "First", Kind::kGauge, {}, -1.5);
  exposition.add("b_total", "Second", Kind::kCounter, {{"tier", "dram"}}, 4);
  EXPECT_EQ(exposition.text(),
            "# HELP a_bytes First\n"
            "# TYPE a_bytes gauge\n"
            "a_bytes -1.5\n"
            "# HELP b_total Second\n"
            "# TYPE b_total counter\n"
            "b_total{tier=\"dram\"} 4\n"
            "b_total{tier=\"flash\"} 3\n");
}

TEST(Exposition, WritesLargeAndSpecialNumbers) {
  Exposition exposition;
  exposition.add("a", "A", Kind::kGauge, {}, std::numeric_limits<double>::infinity());
  exposition.add("b", "B", Kind::kGauge, {}, -std::numeric_limits<double>::infinity());
  exposition.add("c", "C", Kind::kGauge, {}, std::numeric_limits<double>::quiet_NaN());
  exposition.add("d", "D", Kind::kGauge, {}, 1234567890123.0);
  EXPECT_THAT(exposition.text(), HasSubstr("\na +Inf\n"));
  EXPECT_THAT(exposition.text(), HasSubstr("\nb -Inf\n"));
  EXPECT_THAT(exposition.text(), HasSubstr("\nc NaN\n"));
  EXPECT_THAT(exposition.text(), HasSubstr("\nd 1234567890123\n"));
}

TEST(Exposition, SumsUpTheBucketsOfAHistogram) {
  LatencyHistogram histogram;
  histogram.record(std::chrono::microseconds(20));
  histogram.record(std::chrono::milliseconds(3));
  histogram.record(std::chrono::seconds(60));
  Exposition exposition;
  exposition.family("read_seconds", "Reads", Kind::kHistogram).add({{"tier", "dram"}}, histogram.counts());
  const std::string text = exposition.text();
  EXPECT_THAT(text, HasSubstr("# TYPE read_seconds histogram\n"));
  EXPECT_THAT(text, HasSubstr("read_seconds_bucket{tier=\"dram\",le=\"1e-05\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("read_seconds_bucket{tier=\"dram\",le=\"2.5e-05\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("read_seconds_bucket{tier=\"dram\",le=\"0.005\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("read_seconds_bucket{tier=\"dram\",le=\"10\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("read_seconds_bucket{tier=\"dram\",le=\"+Inf\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("read_seconds_sum{tier=\"dram\"} 60.00302\n"));
  EXPECT_THAT(text, HasSubstr("read_seconds_count{tier=\"dram\"} 3\n"));
}

TEST(Exposition, EscapesWhatHasAMeaningInTheFormat) {
  Exposition exposition;
  exposition.add("a_total", "One\nline \\ \"two\"", Kind::kCounter, {{"job", "a\"b\\c\nd} 7\n# TYPE x"}}, 1);
  EXPECT_EQ(exposition.text(),
            "# HELP a_total One\\nline \\\\ \"two\"\n"
            "# TYPE a_total counter\n"
            "a_total{job=\"a\\\"b\\\\c\\nd} 7\\n# TYPE x\"} 1\n");
}

TEST(Exposition, AddsUpWhatCannotBeToldApart) {
  Exposition exposition;
  exposition.add("a_total", "A", Kind::kCounter, {{"job", "x\xFF"}}, 1);
  exposition.add("a_total", "A", Kind::kCounter, {{"job", "x\xFE"}}, 2);
  EXPECT_THAT(exposition.text(), HasSubstr("a_total{job=\"x\xEF\xBF\xBD\"} 3\n"));
}

TEST(ValidUtf8, KeepsWhatIsWellFormed) {
  for (const char* text : {"", "plain", "grün", "日本語", "😀", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(validUtf8(text), text);
  }
}

TEST(ValidUtf8, ReplacesEveryByteThatIsNot) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(validUtf8("a\xFFz"), "a" + bad + "z");
  EXPECT_EQ(validUtf8("a\x80"), "a" + bad) << "a continuation without a beginning";
  EXPECT_EQ(validUtf8("\xE2\x82"), bad + bad) << "cut off";
  EXPECT_EQ(validUtf8("\xC0\xAF"), bad + bad) << "longer than needed";
  EXPECT_EQ(validUtf8("\xE0\x80\x80"), bad + bad + bad) << "longer than needed";
  EXPECT_EQ(validUtf8("\xED\xA0\x80"), bad + bad + bad) << "half of a pair";
  EXPECT_EQ(validUtf8("\xF4\x90\x80\x80"), bad + bad + bad + bad) << "beyond the last character";
}

}  // namespace
}  // namespace shift::metrics
