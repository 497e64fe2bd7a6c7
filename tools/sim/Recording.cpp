#include "tools/sim/Recording.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "blocks/Geometry.h"
#include "control-plane/RequestLog.h"

namespace shift::sim {

namespace {

/** Places within a block are kept in 32 bits. */
constexpr std::uint64_t kLargestBlock = kGiB;

/** One line, cut at commas; the formats have no quoting. */
std::vector<std::string_view> cut(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    fields.push_back(line.substr(begin, comma - begin));
    if (comma == std::string_view::npos) {
      return fields;
    }
    begin = comma + 1;
  }
}

class Reader {
 public:
  Reader(std::istream& in, std::string name, const RecordingOptions& options)
      : name_(std::move(name)), in_(in) {
    trace_.segmentSize = kDefaultSegmentSize;
    trace_.blockSize = 0;
    trace_.flashBytes = static_cast<std::uint64_t>(options.cacheBytes);
  }

  Trace run() {
    std::string line(control::kRequestLogMagic.size(), '\0');
    in_.read(line.data(), static_cast<std::streamsize>(line.size()));
    if (in_ && line == control::kRequestLogMagic) {
      takeLog();
    } else {
      in_.clear();
      in_.seekg(0);
      takeLines();
    }
    std::ranges::stable_sort(trace_.events, {}, &TraceEvent::time);
    if (!trace_.events.empty()) {
      const double begins = trace_.events.front().time;
      for (TraceEvent& event : trace_.events) {
        event.time -= begins;
      }
      trace_.seconds = trace_.events.back().time;
    }
    return std::move(trace_);
  }

 private:
  void takeLog() {
    control::RequestLogReader log(in_);
    for (;;) {
      const Result<std::optional<control::LoggedRequest>> next = log.next();
      if (!next) {
        fail(next.error().message);
      }
      if (!next->has_value()) {
        return;
      }
      ++lineNumber_;
      const control::ReadRequest& request = (*next)->request;
      add((*next)->time, request.job, request, request.offset, request.length);
    }
  }

  void takeLines() {
    std::string header;
    nextLine(header);
    const std::vector<std::string_view> names = cut(header);
    for (std::size_t i = 0; i < names.size(); ++i) {
      columns_.emplace(names[i], i);
    }
    isBlockTrace_ = columns_.contains("block_id");
    std::string line;
    while (nextLine(line)) {
      if (!line.empty()) {
        fields_ = cut(line);
        isBlockTrace_ ? takeBlockTrace() : takeOwn();
      }
    }
  }

  bool nextLine(std::string& line) {
    if (!std::getline(in_, line)) {
      return false;
    }
    ++lineNumber_;
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(name_ + ":" + std::to_string(lineNumber_) + ": " + what);
  }

  std::string_view text(const std::string& column) const {
    const auto entry = columns_.find(column);
    if (entry == columns_.end()) {
      fail("there is no column " + column);
    }
    if (entry->second >= fields_.size()) {
      fail("the line has no " + column);
    }
    return fields_[entry->second];
  }

  template <typename Number>
  Number number(const std::string& column) const {
    const std::string_view digits = text(column);
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      fail(column + " is \"" + std::string(digits) + "\", not a number");
    }
    return value;
  }

  void takeBlockTrace() {
    if (!text("op_name").starts_with("get")) {
      return;
    }
    const std::string id(text("block_id"));
    const auto offset = number<std::uint64_t>("io_offset");
    const auto length = number<std::uint64_t>("io_size");
    // The form has no files: a block is one, in a directory of its user.
    const std::string user(text("user_name"));
    add(number<double>("op_time"), user,
        {.store = "trace",
         .path = "user-" + user + "/" + id,
         .version = "1",
         .job = {},
         .fileSize = kDefaultBlockSize,
         .blockSize = kDefaultBlockSize,
         .blockIndex = 0,
         .block = blockIdOf("trace", id, "1", kDefaultBlockSize, 0)},
        offset, length);
  }

  void takeOwn() {
    control::ReadRequest request;
    request.store = "trace";
    request.path = text("path");
    request.version = text("version");
    request.fileSize = number<std::uint64_t>("file_size");
    request.blockSize = number<std::uint64_t>("block_size");
    request.blockIndex = number<std::uint64_t>("block_index");
    request.block =
        blockIdOf(request.store, request.path, request.version, request.blockSize, request.blockIndex);
    add(number<double>("time"), std::string(text("job")), request, number<std::uint64_t>("offset"),
        number<std::uint64_t>("length"));
  }

  void add(double time, const std::string& job, const control::ReadRequest& block, std::uint64_t offset,
           std::uint64_t length) {
    if (trace_.blockSize == 0) {
      trace_.blockSize = block.blockSize;
    }
    if (block.blockSize != trace_.blockSize) {
      fail("all blocks of a trace must have one size");
    }
    if (trace_.blockSize == 0 || trace_.blockSize > kLargestBlock) {
      fail("the size of the blocks makes no sense");
    }
    if (length == 0 || offset >= trace_.blockSize || length > trace_.blockSize - offset) {
      fail("the read does not lie within its block");
    }
    const auto [blockEntry, newBlock] =
        blocks_.try_emplace(block.block, static_cast<std::uint32_t>(trace_.blocks.size()));
    if (newBlock) {
      trace_.blocks.push_back(block);
    }
    const auto [jobEntry, newJob] = jobs_.try_emplace(job, static_cast<std::uint32_t>(trace_.jobs.size()));
    if (newJob) {
      trace_.jobs.push_back({.name = job, .begins = 0, .ends = 0, .announced = false, .spec = {}});
    }
    trace_.events.push_back({time, blockEntry->second, jobEntry->second, static_cast<std::uint32_t>(offset),
                             static_cast<std::uint32_t>(length)});
  }

  const std::string name_;
  std::istream& in_;
  std::size_t lineNumber_ = 0;  // in a log: requests
  std::unordered_map<std::string, std::size_t> columns_;
  bool isBlockTrace_ = false;
  std::vector<std::string_view> fields_;
  std::unordered_map<BlockId, std::uint32_t> blocks_;
  std::unordered_map<std::string, std::uint32_t> jobs_;
  Trace trace_;
};

}  // namespace

Trace readRecording(const std::string& path, const RecordingOptions& options) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw std::runtime_error("cannot read " + path);
  }
  return readRecording(file, path, options);
}

Trace readRecording(std::istream& in, const std::string& name, const RecordingOptions& options) {
  return Reader(in, name, options).run();
}

}  // namespace shift::sim
