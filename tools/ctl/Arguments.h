#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
class Option;
}  // namespace CLI

namespace shift::ctl {

class Context;
enum ExitCode : int;

/** What the command line chose. */
using Chosen = std::function<ExitCode(Context&)>;

/** One option, to be described further. */
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(&option) {}

  Argument& required();
  /** Shows the target's value as what is taken when nothing is given. */
  Argument& withDefault();
  Argument& oneOf(std::vector<std::string> allowed);
  Argument& atLeast(double least);
  /** What is in this variable of the environment is taken when nothing is given. */
  Argument& orVariable(const std::string& name);
  /** Several in one, with commas between. */
  Argument& commaSeparated();
  Argument& notWith(const Argument& other);

 private:
  CLI::Option* option_;
};

/**
 * The arguments of a command, and its subcommands: all that the commands see of the library that parses the
 * command line. Targets are borrowed and hold what was given when the command runs. A name without dashes is
 * told by its position. A list takes one value each time it is given; by position, all that follow.
 */
class Arguments {
 public:
  explicit Arguments(CLI::App& app) : app_(&app) {}

  /** A subcommand; where there is one, one has to be given. */
  Arguments command(const std::string& name, const std::string& help);
  /** What --help says at its end. */
  void footer(const std::string& text);
  /** Run when this command is on the command line. */
  void run(Chosen& chosen, Chosen what);
  /** The same with what its options are told into. */
  template <typename Options, typename What>
  void run(Chosen& chosen, std::shared_ptr<Options> options, What what) {
    run(chosen, [options = std::move(options), what](Context& context) { return what(context, *options); });
  }

  Argument option(const std::string& name, std::string& target, const std::string& help);
  Argument option(const std::string& name, std::vector<std::string>& target, const std::string& help);
  Argument option(const std::string& name, double& target, const std::string& help);
  Argument option(const std::string& name, std::int32_t& target, const std::string& help);
  Argument option(const std::string& name, std::int64_t& target, const std::string& help);
  Argument option(const std::string& name, std::uint32_t& target, const std::string& help);
  void flag(const std::string& name, bool& target, const std::string& help);

 private:
  CLI::App* app_;
};

}  // namespace shift::ctl
