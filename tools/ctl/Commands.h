#pragma once

#include <functional>

#include "tools/ctl/Context.h"

namespace CLI {
class App;
}

namespace shift::ctl {

/** What the command line chose. */
using Chosen = std::function<ExitCode(Context&)>;

// Each describes one subcommand of shiftctl; when it is on the command line, `chosen` becomes what to do.

void addStatus(CLI::App& app, Chosen& chosen);
void addTop(CLI::App& app, Chosen& chosen);
void addNodes(CLI::App& app, Chosen& chosen);
void addRing(CLI::App& app, Chosen& chosen);
void addJobs(CLI::App& app, Chosen& chosen);
void addTables(CLI::App& app, Chosen& chosen);
void addRules(CLI::App& app, Chosen& chosen);
void addParams(CLI::App& app, Chosen& chosen);
void addAudit(CLI::App& app, Chosen& chosen);
void addAb(CLI::App& app, Chosen& chosen);
void addExplain(CLI::App& app, Chosen& chosen);
void addShadow(CLI::App& app, Chosen& chosen);
void addTrace(CLI::App& app, Chosen& chosen);
void addWarm(CLI::App& app, Chosen& chosen);
void addEvict(CLI::App& app, Chosen& chosen);
void addCache(CLI::App& app, Chosen& chosen);

}  // namespace shift::ctl
