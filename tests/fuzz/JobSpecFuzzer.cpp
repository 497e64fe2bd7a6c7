#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "gms/hive/Predicate.h"
#include "gms/json/EntityJson.h"
#include "gms/json/JobJson.h"
#include "gms/json/ReportJson.h"
#include "gms/spec/JobRules.h"

/**
 * What schedulers send over HTTP, and people write in files. A spec that is accepted must be written to JSON
 * that is accepted again, as the same job; whatever else comes must be refused with a reason.
 */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shift::gms;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto job = readJobSpec(text);
  if (!job && job.error().message.empty()) {
    std::abort();
  }
  if (job) {
    const auto again = readJobSpec(writeJson(toJson(normalised(*job))));
    if (!again || !sameBody(*again, normalised(*job))) {
      std::abort();
    }
  }
  if (const auto json = parseJson(text)) {
    Faults faults;
    patchFromJson(*json, faults);
    tableFromJson(*json, faults);
    ruleFromJson(*json, faults);
    memberFromJson(*json, faults);
    parameterFromJson(*json, faults);
    reportFromJson(*json, faults);
  }
  Predicate::parse(text).ok();
  return 0;
}
