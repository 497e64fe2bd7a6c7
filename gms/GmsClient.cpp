#include "gms/GmsClient.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rpc/ThriftChannel.h"
#include "thrift/GlobalMetadataStore.h"

namespace shift::gms {
namespace {

using Stub = wire::GlobalMetadataStoreClient;

wire::Caller callerFor(const std::string& actor) {
  wire::Caller caller;
  if (!actor.empty()) {
    caller.__set_actor(actor);
  }
  return caller;
}

}  // namespace

struct GmsClient::Channel {
  rpc::ThriftChannel<Stub> rpc;

  /** One call; the service's exceptions become errors. */
  template <typename Invoke>
  auto call(Invoke invoke) -> decltype(rpc.call(invoke)) {
    try {
      return rpc.call(invoke);
    } catch (const wire::InvalidRequest& fault) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(fault.faults, "\n"))};
    } catch (const wire::NotFound& fault) {
      return Error{ErrorCode::kNotFound, fault.message};
    } catch (const wire::Conflict& fault) {
      return Error{ErrorCode::kAlreadyExists, fault.message};
    } catch (const wire::StoreUnavailable& fault) {
      return Error{ErrorCode::kUnavailable, fault.message};
    }
  }

  /** A call of the generated form, which answers into its first argument. */
  template <typename Answer, typename... Parameters, typename... Arguments>
  Result<Answer> ask(void (Stub::*method)(Answer&, Parameters...), const Arguments&... arguments) {
    return call([&](Stub& stub) {
      Answer answer;
      (stub.*method)(answer, arguments...);
      return answer;
    });
  }

  /** A call that answers nothing but that it was done. */
  template <typename... Parameters, typename... Arguments>
  Status tell(void (Stub::*method)(Parameters...), const Arguments&... arguments) {
    const Result<bool> done = call([&](Stub& stub) {
      (stub.*method)(arguments...);
      return true;
    });
    return done ? Status() : Status(done.error());
  }
};

GmsClient::GmsClient(const HostPort& address, Duration timeout, std::string actor)
    : channel_(new Channel{{"gms", address, timeout}}), actor_(std::move(actor)) {}

GmsClient::~GmsClient() = default;

Result<wire::Job> GmsClient::registerJob(const wire::Job& job) {
  return channel_->ask(&Stub::registerJob, job, callerFor(actor_));
}

Result<wire::Job> GmsClient::replaceJob(const wire::Job& job) {
  return channel_->ask(&Stub::replaceJob, job, callerFor(actor_));
}

Result<wire::Job> GmsClient::changeJob(const std::string& id, const wire::JobPatch& patch) {
  return channel_->ask(&Stub::changeJob, id, patch, callerFor(actor_));
}

Result<wire::Job> GmsClient::setJobState(const std::string& id, std::int32_t state) {
  wire::JobPatch patch;
  patch.__set_state(state);
  return changeJob(id, patch);
}

Status GmsClient::deleteJob(const std::string& id) {
  return channel_->tell(&Stub::deleteJob, id, callerFor(actor_));
}

Result<wire::Job> GmsClient::getJob(const std::string& id) {
  return channel_->ask(&Stub::getJob, id);
}

Result<wire::JobPage> GmsClient::pageOfJobs(const wire::JobQuery& query) {
  return channel_->ask(&Stub::listJobs, query);
}

Result<std::vector<wire::Job>> GmsClient::listJobs(const std::vector<std::int32_t>& states) {
  std::vector<wire::Job> jobs;
  wire::JobQuery query;
  query.__set_states(states);
  for (;;) {
    Result<wire::JobPage> page = pageOfJobs(query);
    if (!page) {
      return page.error();
    }
    jobs.insert(jobs.end(), std::make_move_iterator(page->jobs.begin()),
                std::make_move_iterator(page->jobs.end()));
    if (!page->__isset.last) {
      return jobs;
    }
    query.__set_after(page->last);
  }
}

Result<wire::Table> GmsClient::putTable(const wire::Table& table) {
  return channel_->ask(&Stub::putTable, table, callerFor(actor_));
}

Status GmsClient::deleteTable(const std::string& name) {
  return channel_->tell(&Stub::deleteTable, name, callerFor(actor_));
}

Result<wire::Table> GmsClient::getTable(const std::string& name) {
  return channel_->ask(&Stub::getTable, name);
}

Result<std::vector<wire::Table>> GmsClient::listTables() {
  return channel_->ask(&Stub::listTables);
}

Result<wire::EligibilityRule> GmsClient::putRule(const wire::EligibilityRule& rule) {
  return channel_->ask(&Stub::putRule, rule, callerFor(actor_));
}

Status GmsClient::deleteRule(const std::string& id) {
  return channel_->tell(&Stub::deleteRule, id, callerFor(actor_));
}

Result<std::vector<wire::EligibilityRule>> GmsClient::listRules() {
  return channel_->ask(&Stub::listRules);
}

Result<wire::RingMember> GmsClient::putMember(const wire::RingMember& member) {
  return channel_->ask(&Stub::putMember, member, callerFor(actor_));
}

Status GmsClient::deleteMember(const std::string& id) {
  return channel_->tell(&Stub::deleteMember, id, callerFor(actor_));
}

Result<std::vector<wire::RingMember>> GmsClient::listMembers() {
  return channel_->ask(&Stub::listMembers);
}

Result<wire::Parameter> GmsClient::putParameter(const wire::Parameter& parameter) {
  return channel_->ask(&Stub::putParameter, parameter, callerFor(actor_));
}

Status GmsClient::deleteParameter(const std::string& node, const std::string& name) {
  return channel_->tell(&Stub::deleteParameter, node, name, callerFor(actor_));
}

Result<std::vector<wire::Parameter>> GmsClient::listParameters() {
  return channel_->ask(&Stub::listParameters);
}

Result<std::vector<wire::AuditEntry>> GmsClient::listAudit(const wire::AuditQuery& query) {
  return channel_->ask(&Stub::listAudit, query);
}

Result<wire::ReportOutcome> GmsClient::report(const wire::Report& report) {
  return channel_->ask(&Stub::report, report);
}

Result<std::vector<wire::ShadowResult>> GmsClient::listShadow() {
  return channel_->ask(&Stub::listShadow);
}

Status GmsClient::clearShadow() {
  return channel_->tell(&Stub::clearShadow, callerFor(actor_));
}

Result<wire::Changes> GmsClient::changesSince(const wire::ChangesRequest& request) {
  return channel_->ask(&Stub::changesSince, request);
}

}  // namespace shift::gms
