#include <array>
#include <stdexcept>

#include "bench/path/Peers.h"
#include "bench/path/TextPeer.h"

namespace shift::bench {
namespace {

std::string bulk(std::string_view text) {
  return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

std::string keyOf(std::size_t item) {
  return "item-" + std::to_string(item);
}

class Resp final : public Dialect {
 public:
  std::string request(std::size_t item) const override { return "*2\r\n" + bulk("GET") + bulk(keyOf(item)); }

  std::optional<AnswerShape> shapeOf(std::string_view begin) const override {
    const std::size_t end = begin.find("\r\n");
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    if (!begin.starts_with('$') || begin.starts_with("$-1")) {
      throw std::runtime_error("Redis does not hold an item that it was given: " +
                               std::string(begin.substr(0, end)));
    }
    return AnswerShape{
        .headerBytes = end + 2, .bodyBytes = numberAfter("$", begin.substr(0, end)), .trailerBytes = 2};
  }
};

void fill(const HostPort& address, const Dataset& dataset) {
  constexpr std::string_view kStored = "+OK\r\n";
  Stream stream(address);
  for (std::size_t item = 0; item < dataset.items(); ++item) {
    stream.send("*3\r\n" + bulk("SET") + bulk(keyOf(item)) + "$" + std::to_string(dataset.itemBytes()) +
                "\r\n");
    stream.send(dataset.item(item));
    stream.send("\r\n");
    std::array<char, kStored.size()> answer{};
    if (!stream.receiveAll(std::as_writable_bytes(std::span(answer))) ||
        std::string_view(answer.data(), answer.size()) != kStored) {
      throw std::runtime_error("Redis does not take an item");
    }
  }
}

}  // namespace

std::unique_ptr<Contestant> startRedis(const std::string& directory, const Dataset& dataset) {
  auto daemon = std::make_unique<Daemon>(directory, "redis", [&](const HostPort& listen) {
    // Writes of several clients on two threads, nothing on disk.
    return std::vector<std::string>{"/usr/bin/redis-server",
                                    "--bind",
                                    listen.host,
                                    "--port",
                                    std::to_string(listen.port),
                                    "--dir",
                                    directory,
                                    "--io-threads",
                                    "2",
                                    "--save",
                                    "",
                                    "--appendonly",
                                    "no"};
  });
  fill(daemon->address(), dataset);
  return std::make_unique<TextPeer>("Redis", std::move(daemon), std::make_unique<Resp>());
}

}  // namespace shift::bench
