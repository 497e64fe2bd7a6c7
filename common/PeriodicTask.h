#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "common/Clock.h"

namespace shift {

/**
 * Calls a function again and again on its own thread, `every` after the last call returned, until it is
 * destroyed. The function is the loop's body and nothing else: what it does can be called, and tested,
 * without this class. The destructor does not wait for the interval; it waits for a call under way to return.
 */
class PeriodicTask {
 public:
  PeriodicTask(Duration every, std::function<void()> tick);
  ~PeriodicTask();
  PeriodicTask(const PeriodicTask&) = delete;
  PeriodicTask& operator=(const PeriodicTask&) = delete;

 private:
  void run();

  const Duration every_;
  const std::function<void()> tick_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;  // last, so that it starts when all else is ready
};

}  // namespace shift
