#pragma once

#include <cstdint>
#include <memory>

#include "common/HostPort.h"
#include "common/Result.h"
#include "gms/rest/RestApi.h"

namespace shift::gms {

/**
 * Serves the REST face over HTTP, until the destructor. Bodies, idle connections and slow ones are limited;
 * each request takes one of `threads`. The header X-Shift-Actor says who asks, Idempotency-Key under which
 * request id.
 */
class HttpServer {
 public:
  static Result<std::unique_ptr<HttpServer>> start(const HostPort& listen, std::uint32_t threads,
                                                   const RestApi& api);
  ~HttpServer();

  const HostPort& address() const;

 private:
  struct Running;
  explicit HttpServer(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
};

}  // namespace shift::gms
