#pragma once

#include <functional>
#include <future>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "gms/GmsClient.h"
#include "ring/Ring.h"
#include "shift-node/AdminClient.h"
#include "tools/ctl/Failure.h"

namespace shift::ctl {

/** What every command takes. */
struct Options {
  std::string gms;                 // host:port; empty: none
  std::string ringFile;            // empty: none
  std::vector<std::string> nodes;  // ids, or addresses of admin services; empty: all
  std::string timeout = "5s";
  std::string actor;
  bool json = false;
  bool noColor = false;
};

/** A node as shiftctl knows it before it has asked it anything. */
struct NodeTarget {
  std::string id;                 // its address, if only that is known
  std::optional<HostPort> admin;  // none: nobody said where it is
  std::string address;            // of the read protocol; may be empty
  double weight = 1;
  std::string state;  // as the GMS has it; empty: it does not say
};

/** What one node answered. */
template <typename T>
struct Answer {
  NodeTarget node;
  Result<T> result;
};

/**
 * What a command works with: the tier, found by the GMS, by a ring file or by addresses, and the ways to
 * print. Connects when something is first asked. One thread.
 */
class Context {
 public:
  explicit Context(const Options& options);
  ~Context();

  const Options& options() const { return options_; }
  const Clock& clock() const { return clock_; }

  bool hasGms() const { return !options_.gms.empty(); }
  /** Ends the command if no GMS was given. */
  gms::GmsClient& gms();

  /** The ring that clients go by: the GMS's or the file's; an empty one if there is neither. */
  ring::Ring ring();

  /** Every node, or those that --node names. Ends the command if there is none, or no such. */
  std::vector<NodeTarget> nodes();
  /** Where this node's admin service answers; ends the command if nobody said where it is. */
  node::AdminClient admin(const NodeTarget& node) const;

  /** Asks nodes side by side; answers come in the nodes' order. */
  template <typename T>
  std::vector<Answer<T>> ask(const std::vector<NodeTarget>& nodes,
                             const std::function<Result<T>(node::AdminClient&)>& question) const {
    std::vector<std::future<Result<T>>> asked;
    for (const NodeTarget& node : nodes) {
      asked.push_back(std::async(std::launch::async, [&question, &node, this]() -> Result<T> {
        if (!node.admin) {
          return Error{ErrorCode::kUnavailable, unknownAddress(node)};
        }
        node::AdminClient client(*node.admin, timeout_);
        return question(client);
      }));
    }
    std::vector<Answer<T>> answers;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      answers.push_back({nodes[i], asked[i].get()});
    }
    return answers;
  }

  /** The same of all nodes that nodes() tells. */
  template <typename T>
  std::vector<Answer<T>> askAll(const std::function<Result<T>(node::AdminClient&)>& question) {
    return ask<T>(nodes(), question);
  }

  void print(const std::string& text) const;
  void printJson(const nlohmann::json& value) const;
  /** The one or the other, as --json says. */
  void answer(const nlohmann::json& value, const std::string& words) const;
  /** A remark beside the result. */
  void remark(const std::string& text) const;
  bool usesColor() const { return color_; }

  /** True if the person at the terminal says yes; without a terminal, ends the command and names `flag`. */
  bool confirm(const std::string& question, const std::string& flag) const;

 private:
  static std::string unknownAddress(const NodeTarget& node);
  std::vector<NodeTarget> knownNodes();

  const Options options_;
  const SystemClock clock_;
  Duration timeout_;
  bool color_;
  std::unique_ptr<gms::GmsClient> gms_;
};

/** Says who did not answer, and which way the command ends. */
template <typename T>
ExitCode codeOf(const Context& context, const std::vector<Answer<T>>& answers) {
  std::size_t failed = 0;
  bool isRefused = false;
  for (const Answer<T>& answer : answers) {
    if (!answer.result) {
      context.remark(answer.node.id + ": " + answer.result.error().message);
      isRefused |= answer.result.error().code == ErrorCode::kInvalidArgument;
      ++failed;
    }
  }
  if (failed == 0) {
    return kDone;
  }
  if (failed < answers.size()) {
    context.remark(std::to_string(failed) + " of " + std::to_string(answers.size()) +
                   " nodes did not answer as asked");
    return kPartly;
  }
  return isRefused ? kRefused : kFailed;
}

}  // namespace shift::ctl
