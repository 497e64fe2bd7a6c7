#include "net/EventLoop.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <future>

namespace shift::net {
namespace {

TEST(EventLoop, RunsTasksInTheirOrder) {
  EventLoop loop;
  std::vector<int> seen;
  std::promise<void> done;
  for (int i = 0; i < 100; ++i) {
    loop.post([&, i] { seen.push_back(i); });
  }
  loop.post([&] { done.set_value(); });
  done.get_future().wait();
  ASSERT_EQ(seen.size(), 100u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST(EventLoop, ATaskMayPostAnotherWhichRunsAfterIt) {
  EventLoop loop;
  std::string order;
  std::promise<void> done;
  loop.post([&] {
    loop.post([&] {
      order += "second";
      done.set_value();
    });
    order += "first ";
  });
  done.get_future().wait();
  EXPECT_EQ(order, "first second");
}

TEST(EventLoop, StopRunsWhatWasPostedAndDropsWhatComesLater) {
  EventLoop loop;
  bool early = false;
  bool late = false;
  loop.post([&] { early = true; });
  loop.stop();
  loop.post([&] { late = true; });
  loop.stop();
  EXPECT_TRUE(early);
  EXPECT_FALSE(late);
}

TEST(EventLoop, CallsTheHandlerOfAReadyDescriptor) {
  class Handler final : public EventHandler {
   public:
    void onEvents(std::uint32_t events) override {
      seen.set_value(events);
      loop->remove(descriptor);
    }
    EventLoop* loop = nullptr;
    int descriptor = -1;
    std::promise<std::uint32_t> seen;
  };
  const FileDescriptor event(::eventfd(0, EFD_CLOEXEC));
  Handler handler;
  EventLoop loop;
  handler.loop = &loop;
  handler.descriptor = event.get();
  loop.post([&] { loop.add(event.get(), EPOLLIN, handler); });
  ::eventfd_write(event.get(), 1);
  EXPECT_EQ(handler.seen.get_future().get() & EPOLLIN, static_cast<std::uint32_t>(EPOLLIN));
  loop.stop();
}

TEST(EventLoop, IsTheCurrentOneOnItsThreadOnly) {
  EventLoop loop;
  std::promise<EventLoop*> seen;
  loop.post([&] { seen.set_value(EventLoop::current()); });
  EXPECT_EQ(seen.get_future().get(), &loop);
  EXPECT_EQ(EventLoop::current(), nullptr);
}

TEST(EventLoop, WhatIsKeptIsFoundByItsKeyAndDestroyedOnTheLoopsThreadAfterTheLastTask) {
  struct Kept final : EventHandler {
    explicit Kept(std::vector<std::string>& events) : story(events) {}
    ~Kept() override { story.push_back(EventLoop::current() != nullptr ? "on the loop" : "elsewhere"); }
    void onEvents(std::uint32_t) override {}
    std::vector<std::string>& story;
  };
  std::vector<std::string> story;
  EventLoop loop;
  loop.post([&] {
    EXPECT_EQ(loop.kept(7), nullptr);
    auto handler = std::make_unique<Kept>(story);
    EventHandler* const raw = handler.get();
    loop.keep(7, std::move(handler));
    EXPECT_EQ(loop.kept(7), raw);
    EXPECT_EQ(loop.kept(8), nullptr);
  });
  loop.post([&] { story.emplace_back("last task"); });
  loop.stop();
  EXPECT_EQ(story, (std::vector<std::string>{"last task", "on the loop"}));
}

}  // namespace
}  // namespace shift::net
