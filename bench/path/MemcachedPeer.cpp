#include <array>
#include <stdexcept>

#include "bench/path/Peers.h"
#include "bench/path/TextPeer.h"
#include "common/ByteSize.h"

namespace shift::bench {
namespace {

std::string keyOf(std::size_t item) {
  return "item-" + std::to_string(item);
}

class TextProtocol final : public Dialect {
 public:
  std::string request(std::size_t item) const override { return "get " + keyOf(item) + "\r\n"; }

  std::optional<AnswerShape> shapeOf(std::string_view begin) const override {
    const std::size_t end = begin.find("\r\n");
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string_view line = begin.substr(0, end);
    if (!line.starts_with("VALUE ")) {
      throw std::runtime_error("memcached does not hold an item that it was given: " + std::string(line));
    }
    return AnswerShape{.headerBytes = end + 2,
                       .bodyBytes = numberAfter(" ", line.substr(line.rfind(' '))),
                       .trailerBytes = std::string_view("\r\nEND\r\n").size()};
  }
};

void fill(const HostPort& address, const Dataset& dataset) {
  constexpr std::string_view kStored = "STORED\r\n";
  Stream stream(address);
  for (std::size_t item = 0; item < dataset.items(); ++item) {
    stream.send("set " + keyOf(item) + " 0 0 " + std::to_string(dataset.itemBytes()) + "\r\n");
    stream.send(dataset.item(item));
    stream.send("\r\n");
    std::array<char, kStored.size()> answer{};
    if (!stream.receiveAll(std::as_writable_bytes(std::span(answer))) ||
        std::string_view(answer.data(), answer.size()) != kStored) {
      throw std::runtime_error("memcached does not take an item");
    }
  }
}

}  // namespace

std::unique_ptr<Contestant> startMemcached(const std::string& directory, const Dataset& dataset) {
  auto daemon = std::make_unique<Daemon>(directory, "memcached", [&](const HostPort& listen) {
    // Twice the room: items that do not fill their pages must not push others out. Large values are chunked.
    return std::vector<std::string>{"/usr/bin/memcached",
                                    "-l",
                                    listen.host,
                                    "-p",
                                    std::to_string(listen.port),
                                    "-U",
                                    "0",
                                    "-u",
                                    "root",
                                    "-t",
                                    "2",
                                    "-I",
                                    "8m",
                                    "-m",
                                    std::to_string(2 * dataset.bytes() / kMiB + 256),
                                    "-M"};
  });
  fill(daemon->address(), dataset);
  return std::make_unique<TextPeer>("memcached", std::move(daemon), std::make_unique<TextProtocol>());
}

}  // namespace shift::bench
