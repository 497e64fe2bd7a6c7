#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "common/WallMilliseconds.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

constexpr const char* kSample = "client.shadow_sample";

/** "0.1%" or "0.001". */
double shareIn(const std::string& text) {
  const bool isPercent = text.ends_with('%');
  const std::string number = isPercent ? text.substr(0, text.size() - 1) : text;
  double share = 0;
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), share);
  share = isPercent ? share / 100 : share;
  if (fault != std::errc() || end != number.data() + number.size() || !(share > 0 && share <= 1)) {
    throw Failure(kRefused, fmt::format("--sample: \"{}\" is not a share above 0 and up to 100%", text));
  }
  return share;
}

ExitCode startShadow(Context& context, const std::string& sample) {
  const double share = shareIn(sample);
  orFail(context.gms().clearShadow());
  wire::Parameter parameter;
  parameter.__set_node("");
  parameter.__set_name(kSample);
  parameter.__set_value(fmt::format("{}", share));
  orFail(context.gms().putParameter(parameter));
  context.answer(
      json{{"sample", share}},
      fmt::format("Clients compare {} of what nodes give them with the backing store, from within their "
                  "refresh (5 s) on.",
                  percent(share, 1)));
  return kDone;
}

ExitCode stopShadow(Context& context) {
  const std::vector<wire::Parameter> held = orFail(context.gms().listParameters());
  const bool isOn = std::ranges::any_of(held, [](const wire::Parameter& parameter) {
    return parameter.node.empty() && parameter.name == kSample;
  });
  if (!isOn) {
    throw Failure(kFailed, "clients compare nothing now; shiftctl shadow start begins it");
  }
  orFail(context.gms().deleteParameter("", kSample));
  context.answer(nlohmann::json::object(), "Ended. shiftctl shadow status still tells what was found.");
  return kDone;
}

ExitCode shadowStatus(Context& context) {
  const std::vector<wire::ShadowResult> results = orFail(context.gms().listShadow());
  const std::int64_t nowMs = wallMilliseconds(context.clock());
  json clients = json::array();
  wire::ShadowReport total;
  tools::Table table({"client", "answers compared", "bytes", "mismatches", "last heard of", "last mismatch"});
  for (const wire::ShadowResult& result : results) {
    const wire::ShadowReport& found = result.found;
    clients.push_back({{"client", result.reporter},
                       {"reads", found.reads},
                       {"bytes", found.bytes},
                       {"mismatches", found.mismatches},
                       {"last_mismatch", found.lastMismatch},
                       {"updated_ms", result.updatedMs}});
    table.row({result.reporter, std::to_string(found.reads), formatByteSize(static_cast<double>(found.bytes)),
               std::to_string(found.mismatches), ago(result.updatedMs, nowMs),
               found.lastMismatch.empty() ? "-" : found.lastMismatch});
    total.reads += found.reads;
    total.bytes += found.bytes;
    total.mismatches += found.mismatches;
  }
  context.answer(
      json{{"clients", clients},
           {"reads", total.reads},
           {"bytes", total.bytes},
           {"mismatches", total.mismatches}},
      table.str() + colored(context.usesColor(), total.mismatches == 0 ? Color::kGood : Color::kBad,
                            fmt::format("{} mismatches in {} answers, {}", total.mismatches, total.reads,
                                        formatByteSize(static_cast<double>(total.bytes)))));
  return total.mismatches == 0 ? kDone : kFailed;
}

}  // namespace

void addShadow(Arguments& app, Chosen& chosen) {
  Arguments command =
      app.command("shadow", "Have clients compare a sample of what nodes give them with the backing store");
  command.footer(
      "status ends with 1 if there was a mismatch.\n"
      "Examples:\n"
      "  shiftctl shadow start --sample 0.1%\n"
      "  shiftctl shadow status\n"
      "  shiftctl shadow stop");
  Arguments starting = command.command("start", "Begin, and forget what was found before");
  const auto sample = std::make_shared<std::string>("0.1%");
  starting.option("--sample", *sample, "share of answers").withDefault();
  starting.run(chosen, sample, startShadow);
  command.command("status", "What clients have found").run(chosen, shadowStatus);
  command.command("stop", "End it").run(chosen, stopShadow);
}

}  // namespace shift::ctl
