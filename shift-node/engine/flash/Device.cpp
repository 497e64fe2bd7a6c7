#include "shift-node/engine/flash/Device.h"

#include <algorithm>
#include <cerrno>
#include <future>

namespace shift::node {
namespace {

/** A blocking transfer is cut into requests of this size, all under way together. */
constexpr std::size_t kTransferBytes = 1024 * 1024;

bool isAligned(std::uint64_t number) {
  return number % kUnitBytes == 0;
}

}  // namespace

void Device::submit(std::vector<IoRequest> requests) {
  const auto unsound =
      std::stable_partition(requests.begin(), requests.end(), [&](const auto& r) { return isSound(r); });
  std::vector<IoRequest> refused(std::make_move_iterator(unsound), std::make_move_iterator(requests.end()));
  requests.erase(unsound, requests.end());
  if (!requests.empty()) {
    start(std::move(requests));
  }
  for (const IoRequest& request : refused) {
    request.done(EINVAL);
  }
}

Status Device::read(std::uint64_t offset, std::span<std::byte> into) {
  return runAndWait(IoKind::kRead, offset, into.data(), into.size());
}

Status Device::write(std::uint64_t offset, std::span<const std::byte> from) {
  // IoRequest has one pointer for both directions; a write never writes through it.
  return runAndWait(IoKind::kWrite, offset, const_cast<std::byte*>(from.data()), from.size());
}

bool Device::isSound(const IoRequest& request) const {
  return request.length > 0 && isAligned(request.length) && isAligned(request.offset) &&
         isAligned(reinterpret_cast<std::uintptr_t>(request.data)) && request.offset <= size_ &&
         request.length <= size_ - request.offset;
}

Status Device::runAndWait(IoKind kind, std::uint64_t offset, std::byte* data, std::size_t length) {
  std::vector<std::promise<int>> answers((length + kTransferBytes - 1) / kTransferBytes);
  std::vector<IoRequest> requests;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::size_t at = i * kTransferBytes;
    const auto part = static_cast<std::uint32_t>(std::min(kTransferBytes, length - at));
    requests.push_back({kind, offset + at, data + at, part,
                        [answer = &answers[i]](int error) { answer->set_value(error); }});
  }
  submit(std::move(requests));
  int firstError = 0;
  for (std::promise<int>& answer : answers) {
    const int error = answer.get_future().get();
    firstError = firstError == 0 ? error : firstError;
  }
  if (firstError != 0) {
    const char* verb = kind == IoKind::kRead ? "reading " : "writing ";
    return Error::fromErrno(firstError, verb + name_);
  }
  return {};
}

}  // namespace shift::node
