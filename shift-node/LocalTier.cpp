#include "shift-node/LocalTier.h"

#include "shift-node/AdminSums.h"

namespace shift::node {
namespace {

/** The admin service, called as a function. What it throws as a refusal becomes an error. */
class LocalVoice final : public dashboard::NodeVoice {
 public:
  explicit LocalVoice(std::shared_ptr<wire::NodeAdminIf> admin) : admin_(std::move(admin)) {}

  Result<wire::NodeStatus> status() override { return get(&wire::NodeAdminIf::getStatus); }
  Result<std::vector<wire::HistoryPoint>> history(std::int64_t afterMs) override {
    return get(&wire::NodeAdminIf::getHistory, afterMs);
  }
  Result<std::vector<wire::BucketView>> buckets(std::int32_t limit) override {
    return get(&wire::NodeAdminIf::getBuckets, limit);
  }
  Result<std::vector<wire::Traffic>> trafficByJob() override {
    return get(&wire::NodeAdminIf::getTrafficByJob);
  }
  Result<wire::BlockPlace> locate(const std::string& path, std::uint64_t offset) override {
    return get(&wire::NodeAdminIf::locate, path, static_cast<std::int64_t>(offset));
  }
  Result<wire::Explanation> explain(const std::string& path, std::uint64_t offset,
                                    const std::string& job) override {
    return get(&wire::NodeAdminIf::explain, path, static_cast<std::int64_t>(offset), job);
  }

 private:
  template <typename T, typename... Taken, typename... Given>
  Result<T> get(void (wire::NodeAdminIf::*method)(T&, Taken...), const Given&... given) {
    try {
      T value;
      (admin_.get()->*method)(value, given...);
      return value;
    } catch (const wire::Refused& refusal) {
      return toError(refusal);
    }
  }

  const std::shared_ptr<wire::NodeAdminIf> admin_;
};

}  // namespace

LocalTier::LocalTier(std::string id, std::shared_ptr<wire::NodeAdminIf> admin)
    : id_(std::move(id)), voice_(std::make_shared<LocalVoice>(std::move(admin))) {}

Result<dashboard::TierView> LocalTier::look(bool /*withJobs*/) {
  return dashboard::TierView{.nodes = {{.id = id_, .voice = voice_}}, .jobs = {}, .ring = nullptr};
}

}  // namespace shift::node
