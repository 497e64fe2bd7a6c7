#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/ctl/Commands.h"

int main(int argc, char** argv) {
  using namespace shift::ctl;
  Options options;
  Chosen chosen;
  CLI::App app("Sees, explains and tunes a running Shift tier", "shiftctl");
  app.fallthrough();
  app.add_option("--gms", options.gms, "where the GMS is, as HOST:PORT")->envname("SHIFT_GMS");
  app.add_option("--ring", options.ringFile, "ring file, where there is no GMS")->envname("SHIFT_RING");
  app.add_option("--node", options.nodes,
                 "only this node: its id, or HOST:PORT of its admin service; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--timeout", options.timeout, "longest wait for one answer")->capture_default_str();
  app.add_option("--actor", options.actor, "who does it, for the audit log (default: $USER)");
  app.add_flag("--json", options.json, "print JSON, for scripts");
  app.add_flag("--no-color", options.noColor, "no colours, on a terminal either");
  app.footer(
      "Exit codes: 0 done; 1 failed: nothing was done; 2 refused: the command line or a value makes no "
      "sense;\n"
      "3 partly: some nodes did it or answered, others did not.\n"
      "shiftctl COMMAND --help has examples.");
  Arguments arguments(app);
  for (const auto add : {addStatus, addTop, addNodes, addRing, addJobs, addTables, addRules, addParams,
                         addAudit, addAb, addExplain, addShadow, addTrace, addWarm, addEvict, addCache}) {
    add(arguments, chosen);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    return app.exit(fault) == 0 ? kDone : kRefused;
  }
  try {
    Context context(options);
    return chosen(context);
  } catch (const Failure& failure) {
    fmt::print(stderr, "shiftctl: {}\n", failure.what());
    return failure.code();
  }
}
