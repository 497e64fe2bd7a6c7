#pragma once

#include <thrift/TApplicationException.h>
#include <thrift/protocol/TProtocol.h>
#include <thrift/protocol/TProtocolException.h>
#include <thrift/transport/TTransportException.h>

#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "common/Result.h"

namespace shift::rpc {

/** Opens a connection for Thrift calls; throws the library's TTransportException. */
std::shared_ptr<apache::thrift::protocol::TProtocol> connect(const HostPort& address, Duration timeout);

/** "gms at 127.0.0.1:7500: connect() failed" */
Error unreachable(std::string_view service, const HostPort& address, const std::exception& fault);

/**
 * Calls on one Thrift service at one address. Connects when first needed and again after a failure; a call
 * that finds a connection of an earlier call broken is tried once more on a new one, so calls must be safe to
 * repeat. One call at a time; thread-safe. `Stub` is the generated client. The service's own exceptions pass
 * through to the caller.
 */
template <typename Stub>
class ThriftChannel {
 public:
  ThriftChannel(std::string service, HostPort address, Duration timeout)
      : service_(std::move(service)), address_(std::move(address)), timeout_(timeout) {}

  /** `invoke` gets the stub and returns the call's result. */
  template <typename Invoke>
  auto call(Invoke invoke) -> Result<std::invoke_result_t<Invoke, Stub&>> {
    std::lock_guard lock(mutex_);
    for (;;) {
      const bool reused = stub_ != nullptr;
      try {
        if (!reused) {
          stub_ = std::make_unique<Stub>(connect(address_, timeout_));
        }
        return invoke(*stub_);
      } catch (const apache::thrift::transport::TTransportException& fault) {
        stub_.reset();
        if (!reused) {
          return unreachable(service_, address_, fault);
        }
      } catch (const apache::thrift::protocol::TProtocolException& fault) {
        stub_.reset();
        return unreachable(service_, address_, fault);
      } catch (const apache::thrift::TApplicationException& fault) {
        stub_.reset();
        return unreachable(service_, address_, fault);
      }
    }
  }

 private:
  const std::string service_;
  const HostPort address_;
  const Duration timeout_;
  std::mutex mutex_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace shift::rpc
