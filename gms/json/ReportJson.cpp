#include "gms/json/ReportJson.h"

#include <nlohmann/json.hpp>

#include "gms/json/JsonFields.h"

namespace shift::gms {
namespace {

wire::JobRead readFrom(JsonFields& fields) {
  wire::JobRead read;
  read.__set_job(fields.text("job").value_or(""));
  read.__set_directory(fields.text("directory").value_or(""));
  read.__set_bytes(fields.whole("bytes").value_or(0));
  read.__set_finished(fields.flag("finished").value_or(false));
  return read;
}

wire::DirectoryDemand demandFrom(JsonFields& fields) {
  wire::DirectoryDemand demand;
  fields.require("bytes");
  demand.__set_store(fields.text("store").value_or(""));
  demand.__set_directory(fields.text("directory").value_or(""));
  demand.__set_bytes(fields.whole("bytes").value_or(0));
  return demand;
}

}  // namespace

wire::Report reportFromJson(const nlohmann::json& object, Faults& faults) {
  JsonFields fields(object, "", faults);
  wire::Report report;
  fields.require("sequence");
  report.__set_reporter(fields.text("reporter").value_or(""));
  report.__set_sequence(fields.whole("sequence").value_or(0));
  report.__set_reads(readEach(fields, "reads", &readFrom));
  report.__set_throughCache(readEach(fields, "through_cache", &demandFrom));
  report.__set_pastCache(readEach(fields, "past_cache", &demandFrom));
  fields.refuseOthers();
  return report;
}

}  // namespace shift::gms
