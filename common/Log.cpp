#include "common/Log.h"

#include <glog/logging.h>

namespace shift {

void logInfo(const std::string& message) {
  LOG_IF(INFO, google::IsGoogleLoggingInitialized()) << message;
}

void logWarning(const std::string& message) {
  LOG(WARNING) << message;
}

void logError(const std::string& message) {
  LOG(ERROR) << message;
}

void startLogging(const char* program, const std::string& minimum) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = minimum == "error"     ? google::ERROR
                      : minimum == "warning" ? google::WARNING
                                             : google::INFO;
  google::InitGoogleLogging(program);
}

}  // namespace shift
