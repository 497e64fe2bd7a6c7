#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/path/Daemon.h"
#include "client-lib/Client.h"

namespace shift::bench {

/** A real node process that stands alone and admits everything, and a ring of it. */
class ShiftNode {
 public:
  static constexpr const char* kStoreName = "bench";

  /** `directory` is its own. Throws std::runtime_error if it does not come up. */
  ShiftNode(const std::string& binaries, const std::string& directory, const std::string& storeRoot,
            const std::vector<std::string>& settings);

  /** A client of it; throws std::runtime_error if there can be none. */
  std::unique_ptr<client::Client> newClient(client::ClientConfig config) const;

  const HostPort& address() const { return daemon_.address(); }
  double cpuSeconds() const { return daemon_.cpuSeconds(); }

 private:
  const std::string storeRoot_;
  const Daemon daemon_;
  const std::string ringFile_;
};

}  // namespace shift::bench
