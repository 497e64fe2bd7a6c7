#include "preload/DescriptorTable.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace shift::preload {
namespace {

using Kind = DescriptorTable::Kind;

class DescriptorTableTest : public testing::Test {
 protected:
  /** A file all of whose fields tell its number. */
  static ServedFile file(std::int64_t number) {
    return {.handle = number,
            .identity = {.device = static_cast<std::uint64_t>(number),
                         .inode = static_cast<std::uint64_t>(number),
                         .size = number,
                         .modifiedSeconds = number,
                         .modifiedNanoseconds = number}};
  }

  const std::unique_ptr<DescriptorTable::Entry[]> entries_ =
      std::make_unique<DescriptorTable::Entry[]>(DescriptorTable::kSize);
  DescriptorTable table_{entries_.get()};
};

TEST_F(DescriptorTableTest, AServedFileIsFoundUntilItIsForgotten) {
  ServedFile found;
  EXPECT_EQ(table_.kindOf(7), Kind::kUnknown);
  EXPECT_FALSE(table_.find(7, found));
  EXPECT_TRUE(table_.setServed(7, file(3)));
  EXPECT_EQ(table_.kindOf(7), Kind::kServed);
  EXPECT_TRUE(table_.find(7, found));
  EXPECT_EQ(found.handle, 3);
  EXPECT_EQ(found.identity, file(3).identity);
  EXPECT_EQ(table_.forget(7), 3);
  EXPECT_EQ(table_.forget(7), 0) << "a handle is given back once";
  EXPECT_FALSE(table_.find(7, found));
}

TEST_F(DescriptorTableTest, OnlyWhatIsUnknownIsRecognised) {
  EXPECT_TRUE(table_.setPlain(7));
  EXPECT_FALSE(table_.setPlain(7));
  EXPECT_FALSE(table_.setServed(7, file(3)));
  EXPECT_EQ(table_.forget(7), 0);
  EXPECT_TRUE(table_.setServed(7, file(3)));
  EXPECT_FALSE(table_.setServed(7, file(4)));
  EXPECT_FALSE(table_.setPlain(7));
}

TEST_F(DescriptorTableTest, NumbersThatItHasNoRoomForArePlain) {
  ServedFile found;
  for (const int fd : {-1, DescriptorTable::kSize}) {
    EXPECT_EQ(table_.kindOf(fd), Kind::kPlain);
    EXPECT_FALSE(table_.setServed(fd, file(3)));
    EXPECT_FALSE(table_.setPlain(fd));
    EXPECT_FALSE(table_.find(fd, found));
    EXPECT_EQ(table_.forget(fd), 0);
  }
  EXPECT_TRUE(table_.setServed(DescriptorTable::kSize - 1, file(3)));
}

TEST_F(DescriptorTableTest, FieldsOfTwoFilesAreNeverMixed) {
  constexpr int kRounds = 20'000;
  std::atomic<bool> isOver{false};
  std::atomic<int> mixed{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!isOver) {
        ServedFile found;
        if (table_.find(7, found) && (found.handle < 1 || !(found.identity == file(found.handle).identity))) {
          ++mixed;
        }
      }
    });
  }
  std::atomic<std::int64_t> given{0};
  std::atomic<std::int64_t> returned{0};
  std::vector<std::thread> writers;
  for (int i = 0; i < 2; ++i) {
    writers.emplace_back([&, i] {
      for (int round = 1; round <= kRounds; ++round) {
        const std::int64_t number = round * 2 + i;
        given += table_.setServed(7, file(number)) ? number : 0;
        returned += table_.forget(7);
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  isOver = true;
  for (std::thread& reader : readers) {
    reader.join();
  }
  returned += table_.forget(7);
  EXPECT_EQ(mixed, 0);
  EXPECT_EQ(returned, given) << "each handle is given back to one caller";
}

TEST_F(DescriptorTableTest, AFileIsTheSameOnlyIfNothingOfItChanged) {
  FileIdentity changed = file(3).identity;
  ++changed.modifiedNanoseconds;
  EXPECT_FALSE(changed == file(3).identity);
  EXPECT_TRUE(changed.isSameFile(file(3).identity));
  EXPECT_FALSE(file(3).identity.isSameFile(file(4).identity));
}

}  // namespace
}  // namespace shift::preload
