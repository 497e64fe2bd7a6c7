#include "tools/ctl/Arguments.h"

#include <CLI/CLI.hpp>

namespace shift::ctl {

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::withDefault() {
  option_->capture_default_str();
  return *this;
}

Argument& Argument::oneOf(std::vector<std::string> allowed) {
  option_->check(CLI::IsMember(std::move(allowed)));
  return *this;
}

Argument& Argument::atLeast(double least) {
  option_->check(CLI::Range(least, 1e18));
  return *this;
}

Argument& Argument::orVariable(const std::string& name) {
  option_->envname(name);
  return *this;
}

Argument& Argument::commaSeparated() {
  option_->delimiter(',');
  return *this;
}

Argument& Argument::notWith(const Argument& other) {
  option_->excludes(other.option_);
  return *this;
}

Arguments Arguments::command(const std::string& name, const std::string& help) {
  app_->require_subcommand(1);
  return Arguments(*app_->add_subcommand(name, help));
}

void Arguments::footer(const std::string& text) {
  app_->footer(text);
}

void Arguments::run(Chosen& chosen, Chosen what) {
  app_->callback([&chosen, what = std::move(what)] { chosen = what; });
}

Argument Arguments::option(const std::string& name, std::string& target, const std::string& help) {
  return Argument(*app_->add_option(name, target, help));
}

Argument Arguments::option(const std::string& name, std::vector<std::string>& target,
                           const std::string& help) {
  CLI::Option* const option = app_->add_option(name, target, help);
  if (name.starts_with('-')) {
    option->take_all()->allow_extra_args(false);
  }
  return Argument(*option);
}

Argument Arguments::option(const std::string& name, double& target, const std::string& help) {
  return Argument(*app_->add_option(name, target, help));
}

Argument Arguments::option(const std::string& name, std::int32_t& target, const std::string& help) {
  return Argument(*app_->add_option(name, target, help));
}

Argument Arguments::option(const std::string& name, std::int64_t& target, const std::string& help) {
  return Argument(*app_->add_option(name, target, help));
}

Argument Arguments::option(const std::string& name, std::uint32_t& target, const std::string& help) {
  return Argument(*app_->add_option(name, target, help));
}

void Arguments::flag(const std::string& name, bool& target, const std::string& help) {
  app_->add_flag(name, target, help);
}

}  // namespace shift::ctl
