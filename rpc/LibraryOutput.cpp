#include "rpc/LibraryOutput.h"

#include <thrift/Thrift.h>

#include <mutex>

namespace shift::rpc {

void silenceLibrary() {
  static std::once_flag once;
  std::call_once(once, [] { apache::thrift::GlobalOutput.setOutputFunction([](const char*) {}); });
}

}  // namespace shift::rpc
