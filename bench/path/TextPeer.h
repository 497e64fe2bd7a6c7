#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bench/path/Contestant.h"
#include "bench/path/Daemon.h"
#include "bench/path/Stream.h"

namespace shift::bench {

/** How the bytes of an item lie in an answer. */
struct AnswerShape {
  std::size_t headerBytes = 0;
  std::size_t bodyBytes = 0;
  std::size_t trailerBytes = 0;
};

/** A protocol of requests in text and answers with a header in text. Thread-safe. */
class Dialect {
 public:
  virtual ~Dialect() = default;
  virtual std::string request(std::size_t item) const = 0;
  /** Of an answer that begins so; nothing while the header is not whole. Throws std::runtime_error for an
   * answer that is not a hit. */
  virtual std::optional<AnswerShape> shapeOf(std::string_view begin) const = 0;
};

/** A connection that asks for items one after the other. The dialect must outlive it. */
class TextSession final : public Session {
 public:
  TextSession(const HostPort& address, const Dialect& dialect) : stream_(address), dialect_(dialect) {}
  void read(std::size_t item, std::span<std::byte> into) override;

 private:
  Stream stream_;
  const Dialect& dialect_;
};

/** A daemon of Debian's that speaks such a protocol. */
class TextPeer final : public Contestant {
 public:
  TextPeer(std::string name, std::unique_ptr<Daemon> daemon, std::unique_ptr<Dialect> dialect)
      : name_(std::move(name)), daemon_(std::move(daemon)), dialect_(std::move(dialect)) {}

  std::string name() const override { return name_; }
  std::unique_ptr<Session> connect() override {
    return std::make_unique<TextSession>(daemon_->address(), *dialect_);
  }
  double serverCpuSeconds() const override { return daemon_->cpuSeconds(); }

 private:
  const std::string name_;
  const std::unique_ptr<Daemon> daemon_;
  const std::unique_ptr<Dialect> dialect_;
};

/** The number that follows a word; throws std::runtime_error, with the text, where there is none. */
std::size_t numberAfter(std::string_view word, std::string_view text);

}  // namespace shift::bench
