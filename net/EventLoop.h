#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "common/FileDescriptor.h"

namespace shift::net {

/** Something with a descriptor that an EventLoop watches. Called on the loop's thread. */
class EventHandler {
 public:
  virtual ~EventHandler() = default;
  /** `events` as epoll(7) reports them. The handler may destroy itself. */
  virtual void onEvents(std::uint32_t events) = 0;
};

/**
 * A thread that waits for descriptors (level-triggered epoll) and runs what is posted to it. Everything that
 * belongs to a loop is touched on its thread only; post() is the one way in from elsewhere. Starts with the
 * constructor and stops with stop() or the destructor; what is posted after that is destroyed, not run.
 */
class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /** Any thread. Tasks run in the order in which they were posted, never inside the call that posts them. */
  void post(std::function<void()> task);

  /** Runs what is posted, then ends the thread. Any thread but the loop's; may be called again. */
  void stop();

  /** The loop whose thread this is; null on any other thread. */
  static EventLoop* current();

  // On the loop's thread. A handler must be removed before its descriptor is closed.
  void add(int descriptor, std::uint32_t events, EventHandler& handler);
  void change(int descriptor, std::uint32_t events, EventHandler& handler);
  void remove(int descriptor);

  // On the loop's thread. What somebody has of their own for each loop, under a key that is theirs alone. It
  // is destroyed on the loop's thread when that ends, after the last task.
  void keep(std::uint64_t key, std::unique_ptr<EventHandler> handler);
  /** Null if nothing is kept under the key. */
  EventHandler* kept(std::uint64_t key) const;

 private:
  void run();
  /** Until none is left. False when the loop is to end. */
  bool runTasks();

  FileDescriptor epoll_;
  FileDescriptor wake_;
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::unordered_map<std::uint64_t, std::unique_ptr<EventHandler>> kept_;
  std::thread thread_;  // last, so that it starts when all else is ready
};

}  // namespace shift::net
