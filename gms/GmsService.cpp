#include "gms/GmsService.h"

#include <sstream>

namespace shift::gms {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

template <typename Fault>
[[noreturn]] void raise(const std::string& message) {
  Fault fault;
  fault.__set_message(message);
  throw fault;
}

[[noreturn]] void raise(const Error& error) {
  switch (error.code) {
    case ErrorCode::kInvalidArgument: {
      wire::InvalidRequest invalid;
      invalid.__set_faults(linesOf(error.message));
      throw invalid;
    }
    case ErrorCode::kNotFound:
      raise<wire::NotFound>(error.message);
    case ErrorCode::kAlreadyExists:
      raise<wire::Conflict>(error.message);
    default:
      raise<wire::StoreUnavailable>(error.message);
  }
}

template <typename T>
T valueOrThrow(Result<T> result) {
  if (!result) {
    raise(result.error());
  }
  return *std::move(result);
}

void orThrow(const Status& status) {
  if (!status) {
    raise(status.error());
  }
}

}  // namespace

void GmsService::registerJob(wire::Job& stored, const wire::Job& job, const wire::Caller& caller) {
  stored = valueOrThrow(stores_.jobs.registerJob(job, caller));
}

void GmsService::replaceJob(wire::Job& stored, const wire::Job& job, const wire::Caller& caller) {
  stored = valueOrThrow(stores_.jobs.replaceJob(job, caller));
}

void GmsService::changeJob(wire::Job& job, const std::string& id, const wire::JobPatch& patch,
                           const wire::Caller& caller) {
  job = valueOrThrow(stores_.jobs.changeJob(id, patch, caller));
}

void GmsService::deleteJob(const std::string& id, const wire::Caller& caller) {
  orThrow(stores_.jobs.deleteJob(id, caller));
}

void GmsService::getJob(wire::Job& job, const std::string& id) {
  job = valueOrThrow(stores_.jobs.getJob(id));
}

void GmsService::listJobs(wire::JobPage& page, const wire::JobQuery& query) {
  page = valueOrThrow(stores_.jobs.listJobs(query));
}

void GmsService::putTable(wire::Table& stored, const wire::Table& table, const wire::Caller& caller) {
  stored = valueOrThrow(stores_.tables.put(table, caller));
}

void GmsService::deleteTable(const std::string& name, const wire::Caller& caller) {
  orThrow(stores_.tables.remove(name, caller));
}

void GmsService::getTable(wire::Table& table, const std::string& name) {
  table = valueOrThrow(stores_.tables.get(name));
}

void GmsService::listTables(std::vector<wire::Table>& tables) {
  tables = valueOrThrow(stores_.tables.list());
}

void GmsService::putRule(wire::EligibilityRule& stored, const wire::EligibilityRule& rule,
                         const wire::Caller& caller) {
  stored = valueOrThrow(stores_.rules.put(rule, caller));
}

void GmsService::deleteRule(const std::string& id, const wire::Caller& caller) {
  orThrow(stores_.rules.remove(id, caller));
}

void GmsService::listRules(std::vector<wire::EligibilityRule>& rules) {
  rules = valueOrThrow(stores_.rules.list());
}

void GmsService::putMember(wire::RingMember& stored, const wire::RingMember& member,
                           const wire::Caller& caller) {
  stored = valueOrThrow(stores_.members.put(member, caller));
}

void GmsService::deleteMember(const std::string& id, const wire::Caller& caller) {
  orThrow(stores_.members.remove(id, caller));
}

void GmsService::listMembers(std::vector<wire::RingMember>& members) {
  members = valueOrThrow(stores_.members.list());
}

void GmsService::putParameter(wire::Parameter& stored, const wire::Parameter& parameter,
                              const wire::Caller& caller) {
  stored = valueOrThrow(stores_.parameters.put(parameter, caller));
}

void GmsService::deleteParameter(const std::string& node, const std::string& name,
                                 const wire::Caller& caller) {
  orThrow(stores_.parameters.remove(node + "/" + name, caller));
}

void GmsService::listParameters(std::vector<wire::Parameter>& parameters) {
  parameters = valueOrThrow(stores_.parameters.list());
}

void GmsService::listAudit(std::vector<wire::AuditEntry>& entries, const wire::AuditQuery& query) {
  entries = valueOrThrow(stores_.audit.list(query));
}

void GmsService::report(wire::ReportOutcome& outcome, const wire::Report& report) {
  outcome = valueOrThrow(stores_.reports.report(report));
}

void GmsService::listShadow(std::vector<wire::ShadowResult>& results) {
  results = valueOrThrow(stores_.reports.shadow());
}

void GmsService::clearShadow(const wire::Caller& caller) {
  orThrow(stores_.reports.clearShadow(caller));
}

void GmsService::changesSince(wire::Changes& changes, const wire::ChangesRequest& request) {
  changes = valueOrThrow(stores_.changes.changesSince(request));
}

}  // namespace shift::gms
