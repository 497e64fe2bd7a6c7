#pragma once

#include "tools/ctl/Arguments.h"
#include "tools/ctl/Context.h"

namespace shift::ctl {

// Each describes one subcommand of shiftctl; when it is on the command line, `chosen` becomes what to do.

void addStatus(Arguments& app, Chosen& chosen);
void addTop(Arguments& app, Chosen& chosen);
void addNodes(Arguments& app, Chosen& chosen);
void addRing(Arguments& app, Chosen& chosen);
void addJobs(Arguments& app, Chosen& chosen);
void addTables(Arguments& app, Chosen& chosen);
void addRules(Arguments& app, Chosen& chosen);
void addParams(Arguments& app, Chosen& chosen);
void addAudit(Arguments& app, Chosen& chosen);
void addAb(Arguments& app, Chosen& chosen);
void addExplain(Arguments& app, Chosen& chosen);
void addShadow(Arguments& app, Chosen& chosen);
void addTrace(Arguments& app, Chosen& chosen);
void addWarm(Arguments& app, Chosen& chosen);
void addEvict(Arguments& app, Chosen& chosen);
void addCache(Arguments& app, Chosen& chosen);

}  // namespace shift::ctl
