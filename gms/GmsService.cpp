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

template <typename T>
T valueOrThrow(Result<T> result) {
  if (result) {
    return *std::move(result);
  }
  const Error& error = result.error();
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

}  // namespace

void GmsService::registerJob(wire::Job& stored, const wire::Job& job, const wire::Caller&) {
  stored = valueOrThrow(jobs_.registerJob(job));
}

void GmsService::listJobs(wire::JobPage& page, const wire::JobQuery& query) {
  page.__set_jobs(valueOrThrow(jobs_.listJobs(query.states)));
}

void GmsService::getJob(wire::Job& job, const std::string& id) {
  job = valueOrThrow(jobs_.getJob(id));
}

void GmsService::changeJob(wire::Job& job, const std::string& id, const wire::JobPatch& patch,
                           const wire::Caller&) {
  job = valueOrThrow(jobs_.setJobState(id, patch.state));
}

}  // namespace shift::gms
