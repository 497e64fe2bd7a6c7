#include "read-protocol/Frame.h"

#include <gtest/gtest.h>

namespace shift::protocol {
namespace {

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

wire::GetRequest someRequest() {
  wire::GetRequest request;
  request.__set_requestId(7);
  request.__set_blockHigh(-1);
  request.__set_blockLow(2);
  request.__set_store("s");
  request.__set_path("t/ds=1/f");
  request.__set_version("1.5-10");
  request.__set_fileSize(10);
  request.__set_blockSize(72);
  request.__set_blockIndex(0);
  request.__set_offset(3);
  request.__set_length(4);
  request.__set_job("job-1");
  return request;
}

TEST(Frame, AGetSurvivesTheWire) {
  const std::string frame = encodeGet(someRequest());
  const Result<Prefix> prefix = decodePrefix(bytesOf(frame));
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->kind, FrameKind::kGet);
  EXPECT_EQ(prefix->bodySize, 0u);
  ASSERT_EQ(frame.size(), kPrefixSize + prefix->headerSize);
  const Result<wire::GetRequest> request = decodeGet(bytesOf(frame).subspan(kPrefixSize));
  ASSERT_TRUE(request);
  EXPECT_TRUE(*request == someRequest());
}

TEST(Frame, AnAnswerSurvivesTheWire) {
  wire::ReadAnswer answer;
  answer.__set_requestId(9);
  answer.__set_status(wire::ReadStatus::HIT);
  answer.__set_segmentSize(262144);
  answer.__set_checksums({1, -2, 3});
  const std::string frame = encodeAnswer(answer, 700000);
  const Result<Prefix> prefix = decodePrefix(bytesOf(frame));
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->kind, FrameKind::kAnswer);
  EXPECT_EQ(prefix->bodySize, 700000u);
  const Result<wire::ReadAnswer> decoded = decodeAnswer(bytesOf(frame).subspan(kPrefixSize));
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(*decoded == answer);
}

TEST(Frame, ABatchSurvivesTheWireAndHasABound) {
  wire::BatchRequest batch;
  batch.__set_requestId(3);
  batch.__set_gets({someRequest(), someRequest()});
  batch.__set_inOrder(true);
  const std::string frame = encodeBatch(batch, FrameKind::kPrefetch);
  EXPECT_EQ(decodePrefix(bytesOf(frame))->kind, FrameKind::kPrefetch);
  const Result<wire::BatchRequest> decoded = decodeBatch(bytesOf(frame).subspan(kPrefixSize));
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(*decoded == batch);
  for (const std::size_t count : {std::size_t{0}, kMaxBatch + 1}) {
    batch.gets.assign(count, someRequest());
    const std::string bad = encodeBatch(batch, FrameKind::kGetBatch);
    EXPECT_FALSE(decodeBatch(bytesOf(bad).subspan(kPrefixSize))) << count;
  }
}

TEST(Frame, RefusesEveryPrefixThatNoHonestPeerSends) {
  const std::string good = encodeGet(someRequest());
  const auto refuses = [&](std::size_t at, char value) {
    std::string bad = good;
    bad[at] = value;
    return !decodePrefix(bytesOf(bad)).ok();
  };
  EXPECT_TRUE(refuses(0, 'G'));
  EXPECT_TRUE(refuses(3, '2'));
  EXPECT_TRUE(refuses(4, 0));
  EXPECT_TRUE(refuses(4, 9)) << "an unknown kind";
  EXPECT_TRUE(refuses(6, 1));
  EXPECT_TRUE(refuses(10, 1)) << "a header of 64 KiB and more";
  EXPECT_TRUE(refuses(12, 1)) << "a request with a body";
  EXPECT_FALSE(decodePrefix(bytesOf(good.substr(0, kPrefixSize - 1))));
  std::string empty = good;
  empty.replace(8, 4, 4, '\0');
  EXPECT_FALSE(decodePrefix(bytesOf(empty)));
}

TEST(Frame, WhatAClientTookSurvivesTheWire) {
  wire::Taken taken;
  taken.__set_frames(1'000'000'000'000);
  const std::string frame = encodeTaken(taken);
  const Result<Prefix> prefix = decodePrefix(bytesOf(frame));
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->kind, FrameKind::kTaken);
  EXPECT_TRUE(isRequest(prefix->kind));
  const Result<wire::Taken> decoded = decodeTaken(bytesOf(frame).subspan(kPrefixSize));
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(*decoded == taken);
}

TEST(Frame, RefusesAnAnswerLongerThanAnyGet) {
  std::string frame = encodeAnswer({}, kMaxGetLength);
  EXPECT_TRUE(decodePrefix(bytesOf(frame)));
  frame = encodeAnswer({}, kMaxGetLength + 1);
  EXPECT_FALSE(decodePrefix(bytesOf(frame)));
}

TEST(Frame, RefusesAHeaderCutAnywhereOrFollowedByMore) {
  const std::string frame = encodeGet(someRequest());
  const std::string header = frame.substr(kPrefixSize);
  for (std::size_t size = 0; size < header.size(); ++size) {
    EXPECT_FALSE(decodeGet(bytesOf(header.substr(0, size)))) << size;
  }
  EXPECT_FALSE(decodeGet(bytesOf(header + '\0')));
}

TEST(Frame, RefusesALyingLengthWithoutAllocatingIt) {
  // Field 4 (a string) of 2 GiB in a header of a few bytes.
  const std::string header("\x48\xff\xff\xff\xff\x07", 6);
  EXPECT_FALSE(decodeGet(bytesOf(header)));
}

}  // namespace
}  // namespace shift::protocol
