#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "backing-store/DirectoryStore.h"
#include "client-lib/Client.h"
#include "common/ByteSize.h"
#include "common/Waiter.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/ProgressLine.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

struct WarmOptions {
  std::string path;
  std::string config;
  std::vector<std::string> overrides;
  std::string job;
  std::string rate;
  bool isProfile = false;
  bool check = false;
};

/** A stretch of a file to be warmed. */
struct Stretch {
  std::string path;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

constexpr std::uint64_t kPiece = 8 * kMiB;
/** How long nodes that have too much to do are waited for, before this gives up. */
constexpr Duration kPatience = std::chrono::seconds(60);
constexpr Duration kPause = std::chrono::milliseconds(50);

void addWhole(const std::string& path, std::uint64_t size, std::vector<Stretch>& stretches) {
  for (std::uint64_t offset = 0; offset < size; offset += kPiece) {
    stretches.push_back({path, offset, std::min(kPiece, size - offset)});
  }
}

std::uint64_t numberIn(const std::string& word, const std::string& where) {
  const Result<std::uint64_t> number = parseByteSize(word);
  if (!number) {
    throw Failure(kRefused, where + ": " + number.error().message);
  }
  return *number;
}

/** A line is a path, or a path, an offset and a length with blanks between; "#" begins a remark. */
std::vector<Stretch> readProfile(const std::string& file, const client::Client& client) {
  std::ifstream in(file);
  if (!in) {
    throw Failure(kRefused, "cannot read " + file);
  }
  std::vector<Stretch> stretches;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string where = fmt::format("{}:{}", file, ++number);
    std::istringstream words(line);
    std::string path;
    std::string offset;
    std::string length;
    words >> path >> offset >> length;
    if (path.empty() || path.starts_with('#')) {
      continue;
    }
    const Result<store::FileInfo> info = client.stat(path);
    if (!info) {
      throw Failure(kRefused, where + ": " + info.error().message);
    }
    if (offset.empty()) {
      addWhole(path, info->size, stretches);
    } else if (length.empty()) {
      throw Failure(kRefused, where + ": give a path, or a path, an offset and a length");
    } else {
      stretches.push_back({path, numberIn(offset, where), numberIn(length, where)});
    }
  }
  return stretches;
}

std::vector<Stretch> stretchesOf(const WarmOptions& options, const client::ClientConfig& config,
                                 const client::Client& client) {
  if (options.isProfile) {
    return readProfile(options.path, client);
  }
  std::vector<Stretch> stretches;
  if (const Result<store::FileInfo> info = client.stat(options.path)) {
    addWhole(options.path, info->size, stretches);
    return stretches;
  }
  const auto store = orFail(store::DirectoryStore::open(config.storeName, config.storeRoot));
  for (const store::ListedFile& file : orFail(store->list(options.path))) {
    addWhole(file.path, file.info.size, stretches);
  }
  return stretches;
}

/** Goes through stretches, opening each file once. */
class Warmer {
 public:
  Warmer(Context& context, client::Client& client, const WarmOptions& options)
      : context_(context), client_(client), options_(options) {}

  client::RangeBytes ask(const Stretch& stretch, bool isCheck) {
    if (stretch.path != path_) {
      close();
      handle_ = orFail(client_.open(stretch.path, {.job = options_.job, .tag = "", .jobClass = {}}));
      path_ = stretch.path;
    }
    return orFail(isCheck ? client_.probe(handle_, stretch.offset, stretch.length)
                          : client_.prefetch(handle_, stretch.offset, stretch.length));
  }

  /** Until the nodes have taken it on, or patience ends. */
  client::RangeBytes warm(const Stretch& stretch) {
    const TimePoint deadline = context_.clock().now() + kPatience;
    client::RangeBytes told = ask(stretch, false);
    while (told.busy > 0 && context_.clock().now() < deadline) {
      waiter_.waitUntil(context_.clock().now() + kPause);
      told = ask(stretch, false);
    }
    return told;
  }

  /** Until what was taken on is there, or none of it has come for some time. */
  client::RangeBytes arrive(const std::vector<Stretch>& queued) {
    std::uint64_t best = 0;
    TimePoint deadline = context_.clock().now() + kPatience;
    while (true) {
      client::RangeBytes told;
      for (const Stretch& stretch : queued) {
        told += ask(stretch, true);
      }
      if (told.absent == 0 || context_.clock().now() >= deadline) {
        return told;
      }
      if (told.present > best) {
        best = told.present;
        deadline = context_.clock().now() + kPatience;
      }
      waiter_.waitUntil(context_.clock().now() + kPause);
    }
  }

  void close() {
    if (!path_.empty()) {
      (void)client_.close(handle_);
      path_.clear();
    }
  }

 private:
  Context& context_;
  client::Client& client_;
  const WarmOptions& options_;
  const SystemWaiter waiter_;
  std::string path_;
  client::Handle handle_{};
};

void report(const Context& context, const client::RangeBytes& told, std::uint64_t total, std::size_t files) {
  if (context.options().json) {
    return context.printJson(json{{"bytes", total},
                                  {"files", files},
                                  {"present_bytes", told.present},
                                  {"absent_bytes", told.absent + told.queued},
                                  {"refused_bytes", told.refused},
                                  {"busy_bytes", told.busy},
                                  {"unanswered_bytes", told.unanswered},
                                  {"not_eligible_bytes", told.notEligible}});
  }
  tools::Table table({"of " + formatByteSize(static_cast<double>(total)), "bytes", "share"});
  const auto row = [&](const char* name, std::uint64_t bytes) {
    if (bytes > 0) {
      table.row({name, formatByteSize(static_cast<double>(bytes)),
                 percent(static_cast<double>(bytes), static_cast<double>(total))});
    }
  };
  row("cached", told.present);
  row("not cached", told.absent + told.queued);
  row("refused: the policy does not want it", told.refused);
  row("not taken on: nodes are too busy", told.busy);
  row("no answer", told.unanswered);
  row("not eligible", told.notEligible);
  context.print(table.str());
}

ExitCode runWarm(Context& context, const WarmOptions& options) {
  const client::ClientConfig config = orFail(client::loadClientConfig(options.config, options.overrides));
  const std::unique_ptr<client::Client> client = orFail(client::Client::create(config));
  const double bytesPerSecond =
      options.rate.empty() ? 0 : static_cast<double>(orFail(parseByteSize(options.rate)));
  const std::vector<Stretch> stretches = stretchesOf(options, config, *client);
  std::uint64_t total = 0;
  std::size_t files = 0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    total += stretches[i].length;
    files += i == 0 || stretches[i].path != stretches[i - 1].path ? 1 : 0;
  }
  if (total == 0) {
    throw Failure(kFailed, "there is nothing to warm in " + options.path);
  }
  Warmer warmer(context, *client, options);
  const SystemWaiter waiter;
  const TimePoint start = context.clock().now();
  client::RangeBytes told;
  std::vector<Stretch> queued;
  {
    tools::ProgressLine progress(context.options().json ? tools::ProgressLine::Elsewhere::kSilent
                                                        : tools::ProgressLine::Elsewhere::kTenths);
    std::uint64_t done = 0;
    std::uint64_t asked = 0;  // to be fetched: what the rate is a limit of
    for (const Stretch& stretch : stretches) {
      client::RangeBytes piece = options.check ? warmer.ask(stretch, true) : warmer.warm(stretch);
      if (piece.queued > 0) {
        asked += piece.queued;
        queued.push_back(stretch);
        piece.queued = 0;
        piece.present = 0;  // told anew when it has arrived
        piece.refused = 0;
        piece.busy = 0;
        piece.unanswered = 0;
      }
      told += piece;
      done += stretch.length;
      progress.show(static_cast<double>(done) / static_cast<double>(total),
                    fmt::format("{} of {}", formatByteSize(static_cast<double>(done)),
                                formatByteSize(static_cast<double>(total))));
      if (bytesPerSecond > 0) {
        waiter.waitUntil(start + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(
                                     static_cast<double>(asked) / bytesPerSecond)));
      }
    }
  }
  told += warmer.arrive(queued);
  warmer.close();
  report(context, told, total, files);
  const bool isAllThere = told.present == total;
  return isAllThere ? kDone : told.present > 0 ? kPartly : kFailed;
}

}  // namespace

void addWarm(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("warm", "Bring files into the cache before they are read");
  const auto options = std::make_shared<WarmOptions>();
  command
      .option("path", options->path,
              "file or directory below the store's root; with --profile, a list of them")
      .required();
  command.option("-c,--config", options->config, "client configuration: where the store is, and the ring")
      .orVariable("SHIFT_CONFIG");
  command.option("--set", options->overrides, "KEY=VALUE, over what that file says; may be repeated");
  command.option("--job", options->job, "on this job's account");
  command.option("--rate", options->rate, "bytes a second that are fetched at most, as in 200MB");
  command.flag("--profile", options->isProfile,
               "PATH is a file with a path on each line, or path, offset and length");
  command.flag("--check", options->check, "only tell how much is cached");
  command.footer(
      "Nodes bring in only what their policy wants; the rest is told as refused.\n"
      "Ends with 0 if all of it is cached in the end, with 3 if some of it is, with 1 if none is.\n"
      "Examples:\n"
      "  shiftctl warm -c client.toml clicks/ds=2026-11-01 --rate 500MB\n"
      "  shiftctl warm -c client.toml --check clicks\n"
      "  shiftctl warm -c client.toml --profile hot-files.txt");
  command.run(chosen, options, runWarm);
}

}  // namespace shift::ctl
