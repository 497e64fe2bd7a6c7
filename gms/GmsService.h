#pragma once

#include "gms/store/Stores.h"
#include "thrift/GlobalMetadataStore.h"

namespace shift::gms {

/** The Thrift face of the stores: each call is one call on a store, and errors become the service's own. */
class GmsService final : public wire::GlobalMetadataStoreIf {
 public:
  explicit GmsService(Stores& stores) : stores_(stores) {}

  void registerJob(wire::Job& stored, const wire::Job& job, const wire::Caller& caller) override;
  void replaceJob(wire::Job& stored, const wire::Job& job, const wire::Caller& caller) override;
  void changeJob(wire::Job& job, const std::string& id, const wire::JobPatch& patch,
                 const wire::Caller& caller) override;
  void deleteJob(const std::string& id, const wire::Caller& caller) override;
  void getJob(wire::Job& job, const std::string& id) override;
  void listJobs(wire::JobPage& page, const wire::JobQuery& query) override;

  void putTable(wire::Table& stored, const wire::Table& table, const wire::Caller& caller) override;
  void deleteTable(const std::string& name, const wire::Caller& caller) override;
  void getTable(wire::Table& table, const std::string& name) override;
  void listTables(std::vector<wire::Table>& tables) override;

  void putRule(wire::EligibilityRule& stored, const wire::EligibilityRule& rule,
               const wire::Caller& caller) override;
  void deleteRule(const std::string& id, const wire::Caller& caller) override;
  void listRules(std::vector<wire::EligibilityRule>& rules) override;

  void putMember(wire::RingMember& stored, const wire::RingMember& member,
                 const wire::Caller& caller) override;
  void deleteMember(const std::string& id, const wire::Caller& caller) override;
  void listMembers(std::vector<wire::RingMember>& members) override;

  void putParameter(wire::Parameter& stored, const wire::Parameter& parameter,
                    const wire::Caller& caller) override;
  void deleteParameter(const std::string& node, const std::string& name, const wire::Caller& caller) override;
  void listParameters(std::vector<wire::Parameter>& parameters) override;

  void listAudit(std::vector<wire::AuditEntry>& entries, const wire::AuditQuery& query) override;
  void report(wire::ReportOutcome& outcome, const wire::Report& report) override;
  void listShadow(std::vector<wire::ShadowResult>& results) override;
  void clearShadow(const wire::Caller& caller) override;
  void changesSince(wire::Changes& changes, const wire::ChangesRequest& request) override;

 private:
  Stores& stores_;
};

}  // namespace shift::gms
