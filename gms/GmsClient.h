#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "common/Result.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/**
 * Talks to a GMS. Connects when first used and again after a failure. Thread-safe; one call at a time. Errors
 * carry the store's own words: kInvalidArgument with every fault, kNotFound, kAlreadyExists (a conflict),
 * kUnavailable. Writes are safe to repeat; each is entered in the audit log under `actor`.
 */
class GmsClient {
 public:
  GmsClient(const HostPort& address, Duration timeout, std::string actor = "");
  ~GmsClient();

  Result<wire::Job> registerJob(const wire::Job& job);
  Result<wire::Job> replaceJob(const wire::Job& job);
  Result<wire::Job> changeJob(const std::string& id, const wire::JobPatch& patch);
  /** changeJob() with nothing but the state. */
  Result<wire::Job> setJobState(const std::string& id, std::int32_t state);
  Status deleteJob(const std::string& id);
  Result<wire::Job> getJob(const std::string& id);
  Result<wire::JobPage> pageOfJobs(const wire::JobQuery& query);
  /** All jobs in these states (none given: in any), page after page. */
  Result<std::vector<wire::Job>> listJobs(const std::vector<std::int32_t>& states = {});

  Result<wire::Table> putTable(const wire::Table& table);
  Status deleteTable(const std::string& name);
  Result<wire::Table> getTable(const std::string& name);
  Result<std::vector<wire::Table>> listTables();

  Result<wire::EligibilityRule> putRule(const wire::EligibilityRule& rule);
  Status deleteRule(const std::string& id);
  Result<std::vector<wire::EligibilityRule>> listRules();

  Result<wire::RingMember> putMember(const wire::RingMember& member);
  Status deleteMember(const std::string& id);
  Result<std::vector<wire::RingMember>> listMembers();

  Result<wire::Parameter> putParameter(const wire::Parameter& parameter);
  Status deleteParameter(const std::string& node, const std::string& name);
  Result<std::vector<wire::Parameter>> listParameters();

  Result<std::vector<wire::AuditEntry>> listAudit(const wire::AuditQuery& query);
  Result<wire::ReportOutcome> report(const wire::Report& report);
  Result<std::vector<wire::ShadowResult>> listShadow();
  Status clearShadow();
  Result<wire::Changes> changesSince(const wire::ChangesRequest& request);

 private:
  struct Channel;
  std::unique_ptr<Channel> channel_;
  const std::string actor_;
};

}  // namespace shift::gms
