#include "net/EventLoop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <future>
#include <system_error>
#include <utility>

namespace shift::net {
namespace {

constexpr int kEventsAtOnce = 64;

thread_local EventLoop* ofThisThread = nullptr;

void check(int outcome, const char* doing) {
  if (outcome < 0) {
    throw std::system_error(errno, std::generic_category(), doing);
  }
}

}  // namespace

EventLoop::EventLoop()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  check(epoll_.get(), "epoll_create1");
  check(wake_.get(), "eventfd");
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;  // no handler: the wake-up call
  check(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event), "epoll_ctl");
  std::promise<void> started;
  thread_ = std::thread([this, begin = started.get_future()]() mutable {
    begin.wait();  // until thread_ is assigned, which post() compares with
    run();
  });
  started.set_value();
}

EventLoop::~EventLoop() {
  stop();
}

void EventLoop::post(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_) {
      return;
    }
    tasks_.push_back(std::move(task));
  }
  if (std::this_thread::get_id() != thread_.get_id()) {  // the loop itself looks at its tasks before it waits
    ::eventfd_write(wake_.get(), 1);
  }
}

void EventLoop::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ::eventfd_write(wake_.get(), 1);
  if (thread_.joinable()) {
    thread_.join();
  }
}

void EventLoop::add(int descriptor, std::uint32_t events, EventHandler& handler) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &handler;
  check(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
}

void EventLoop::change(int descriptor, std::uint32_t events, EventHandler& handler) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &handler;
  check(::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event), "epoll_ctl");
}

void EventLoop::remove(int descriptor) {
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

EventLoop* EventLoop::current() {
  return ofThisThread;
}

void EventLoop::keep(std::uint64_t key, std::unique_ptr<EventHandler> handler) {
  kept_.insert_or_assign(key, std::move(handler));
}

EventHandler* EventLoop::kept(std::uint64_t key) const {
  const auto found = kept_.find(key);
  return found == kept_.end() ? nullptr : found->second.get();
}

void EventLoop::run() {
  ofThisThread = this;
  // A peer that is gone is an errno, also from calls that cannot be told so.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::array<epoll_event, kEventsAtOnce> events;
  for (;;) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), kEventsAtOnce, -1);
    for (int i = 0; i < count; ++i) {
      // One event per descriptor, so a handler that destroys itself cannot be called again in this round.
      if (auto* handler = static_cast<EventHandler*>(events[static_cast<std::size_t>(i)].data.ptr)) {
        handler->onEvents(events[static_cast<std::size_t>(i)].events);
      } else {
        eventfd_t ignored = 0;
        ::eventfd_read(wake_.get(), &ignored);
      }
    }
    if (!runTasks()) {
      kept_.clear();
      return;
    }
  }
}

bool EventLoop::runTasks() {
  for (;;) {
    std::vector<std::function<void()>> tasks;
    {
      std::lock_guard lock(mutex_);
      tasks.swap(tasks_);
      if (tasks.empty()) {
        return !stopping_;
      }
    }
    for (const std::function<void()>& task : tasks) {
      task();
    }
  }
}

}  // namespace shift::net
