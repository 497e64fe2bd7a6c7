#include "rpc/CallTimes.h"

#include <thrift/TProcessor.h>

#include <string_view>

namespace shift::rpc {
namespace {

/** "GlobalMetadataStore.registerJob" to "registerJob". */
std::string_view methodOf(std::string_view call) {
  return call.substr(call.rfind('.') + 1);
}

class CallTimes final : public apache::thrift::TProcessorEventHandler {
 public:
  CallTimes(std::string name, const Clock& clock, CounterRegistry& counters)
      : name_(std::move(name)), clock_(clock), counters_(counters) {}

  void* getContext(const char*, void*) override {
    return std::make_unique<TimePoint>(clock_.now()).release();
  }

  void freeContext(void* context, const char*) override {
    const std::unique_ptr<TimePoint> began(static_cast<TimePoint*>(context));
  }

  void postRead(void* context, const char*, std::uint32_t) override {
    *static_cast<TimePoint*>(context) = clock_.now();
  }

  void preWrite(void* context, const char* call) override { record(context, call); }
  void handlerError(void* context, const char* call) override { record(context, call); }

 private:
  void record(void* context, const char* call) {
    counters_
        .histogram(name_, "How long calls of the Thrift service took, by method",
                   {{"method", std::string(methodOf(call))}})
        .record(clock_.now() - *static_cast<TimePoint*>(context));
  }

  const std::string name_;
  const Clock& clock_;
  CounterRegistry& counters_;
};

}  // namespace

void recordCallTimes(apache::thrift::TProcessor& processor, const std::string& name, const Clock& clock,
                     CounterRegistry& counters) {
  processor.setEventHandler(std::make_shared<CallTimes>(name, clock, counters));
}

}  // namespace shift::rpc
