#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "shift-node/engine/flash/Device.h"
#include "shift-node/engine/flash/FlashFile.h"

namespace shift::node {

/** pread(2) and pwrite(2) on a few threads: for kernels that forbid io_uring. As many requests are under way
 * at a time as there are threads. */
class ThreadPoolDevice final : public Device {
 public:
  ThreadPoolDevice(FlashFile file, unsigned threads);
  ~ThreadPoolDevice() override;

  std::string describe() const override;

 private:
  void start(std::vector<IoRequest> requests) override;
  Status doSync() override { return file_.sync(); }
  void work();
  int transfer(const IoRequest& request) const;

  const FlashFile file_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<IoRequest> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;  // last, so that they start when all else is ready
};

}  // namespace shift::node
