#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "shift-node/engine/flash/Device.h"

namespace shift::test {

/** What goes wrong, changed by the test at any time; shared with the device, which belongs to the engine. */
class Faults {
 public:
  /** From now on requests of that kind are answered with this errno; 0 ends it. */
  void failReads(int error);
  void failWrites(int error);
  void failSyncs(int error);
  /** From now on requests are taken and not answered. */
  void hold();
  /** Carries out what is held, and ends it. */
  void release();
  std::size_t held() const;

 private:
  friend class FaultyDevice;
  mutable std::mutex mutex_;
  int readError_ = 0;
  int writeError_ = 0;
  int syncError_ = 0;
  bool isHolding_ = false;
  std::vector<node::IoRequest> held_;
  node::Device* device_ = nullptr;
};

/** A device that fails on demand, around one that does not. */
class FaultyDevice final : public node::Device {
 public:
  FaultyDevice(std::unique_ptr<node::Device> device, std::shared_ptr<Faults> faults);
  ~FaultyDevice() override { faults_->release(); }

  std::string describe() const override { return "faulty: " + device_->describe(); }

 private:
  void start(std::vector<node::IoRequest> requests) override;
  Status doSync() override;

  const std::unique_ptr<node::Device> device_;
  const std::shared_ptr<Faults> faults_;
};

}  // namespace shift::test
