#pragma once

#include <future>
#include <memory>
#include <mutex>

#include "tests/support/MemoryStore.h"

namespace shift::test {

/** Holds up every read of a store until it is released, or the test is over. */
class HeldReads {
 public:
  explicit HeldReads(MemoryStore& store) {
    store.beforeRead([state = state_] {
      std::call_once(state->first, [&] { state->begun.set_value(); });
      state->released.wait();
    });
  }
  ~HeldReads() { release(); }
  HeldReads(const HeldReads&) = delete;
  HeldReads& operator=(const HeldReads&) = delete;

  /** Returns when a read has begun, and is held. */
  void waitForOne() { state_->begun.get_future().wait(); }

  void release() {
    if (!isReleased_) {
      isReleased_ = true;
      state_->release.set_value();
    }
  }

 private:
  /** Shared with the store, which may call it after this is gone. */
  struct State {
    std::once_flag first;
    std::promise<void> begun;
    std::promise<void> release;
    std::shared_future<void> released = release.get_future().share();
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
  bool isReleased_ = false;
};

}  // namespace shift::test
