#pragma once

#include "gms/store/AuditLog.h"
#include "gms/store/ChangeFeed.h"
#include "gms/store/Entities.h"
#include "gms/store/JobStore.h"
#include "gms/store/MetadataStore.h"
#include "gms/store/ReportStore.h"

namespace shift::gms {

/** All that the GMS keeps, for its two faces. */
struct Stores {
  Stores(MetadataStore& store, const ListTable& listTable)
      : jobs(store, listTable),
        tables(store),
        rules(store),
        members(store),
        parameters(store),
        audit(store),
        reports(store),
        changes(store) {}

  JobStore jobs;
  TableStore tables;
  RuleStore rules;
  MemberStore members;
  ParameterStore parameters;
  AuditLog audit;
  ReportStore reports;
  ChangeFeed changes;
};

}  // namespace shift::gms
