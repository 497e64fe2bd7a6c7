#include "gms/spec/EntityRules.h"

#include <fmt/format.h>

#include <cmath>

#include "common/HostPort.h"

namespace shift::gms {
namespace {

constexpr double kMaxWeight = 1000;
constexpr std::size_t kMaxReported = 10'000;

void checkAddress(Faults& faults, const char* field, const std::string& address) {
  if (const Result<HostPort> parsed = parseHostPort(address); !parsed) {
    faults.push_back(std::string(field) + ": " + parsed.error().message);
  } else {
    checkText(faults, field, address);
  }
}

void checkDemand(Faults& faults, const char* field, const std::vector<wire::DirectoryDemand>& demand) {
  if (demand.size() > kMaxReported) {
    faults.push_back(
        fmt::format("{} has {} entries; at most {} are allowed", field, demand.size(), kMaxReported));
    return;
  }
  for (std::size_t i = 0; i < demand.size(); ++i) {
    const std::string name = fmt::format("{}[{}]", field, i);
    checkName(faults, name + ".store", demand[i].store);
    checkDirectory(faults, name + ".directory", demand[i].directory);
    if (demand[i].bytes < 0) {
      faults.push_back(name + ".bytes is negative");
    }
  }
}

}  // namespace

Faults faultsOf(const wire::Table& table) {
  Faults faults;
  checkName(faults, "name", table.name);
  checkName(faults, "store", table.store);
  checkText(faults, "owner", table.owner);
  checkDirectory(faults, "root", table.root);
  return faults;
}

Faults faultsOf(const wire::EligibilityRule& rule) {
  Faults faults;
  checkName(faults, "id", rule.id);
  checkText(faults, "path_prefix", rule.pathPrefix, kMaxDirectoryLength + kMaxNameLength);
  if (rule.__isset.pathPrefix && rule.pathPrefix.find(':') == std::string::npos) {
    faults.push_back("path_prefix must name the store too, as in \"warehouse:clicks/ds=2026\"");
  }
  checkText(faults, "table", rule.table);
  checkText(faults, "tag", rule.tag);
  checkText(faults, "comment", rule.comment, kMaxCommentLength);
  if (rule.__isset.jobClass && wire::_JobClass_VALUES_TO_NAMES.count(rule.jobClass) == 0) {
    faults.push_back(fmt::format("class: {} is no known class", rule.jobClass));
  }
  if (wire::_RuleAction_VALUES_TO_NAMES.count(rule.action) == 0) {
    faults.push_back(fmt::format("action: {} is no known action", rule.action));
  }
  if (!(rule.percentage >= 0 && rule.percentage <= 100)) {
    faults.push_back(fmt::format("percentage is {}; allowed: from 0 to 100", rule.percentage));
  }
  return faults;
}

Faults faultsOf(const wire::RingMember& member) {
  Faults faults;
  checkName(faults, "id", member.id);
  checkAddress(faults, "address", member.address);
  if (!member.adminAddress.empty()) {
    checkAddress(faults, "admin_address", member.adminAddress);
  }
  if (!(member.weight >= 0 && member.weight <= kMaxWeight)) {
    faults.push_back(fmt::format("weight is {}; allowed: from 0 to {}", member.weight, kMaxWeight));
  }
  if (wire::_MemberState_VALUES_TO_NAMES.count(member.state) == 0) {
    faults.push_back(fmt::format("state: {} is no known state", member.state));
  }
  return faults;
}

Faults faultsOf(const wire::Parameter& parameter) {
  Faults faults;
  checkText(faults, "node", parameter.node);
  checkName(faults, "name", parameter.name);
  if (parameter.node.find('/') != std::string::npos || parameter.name.find('/') != std::string::npos) {
    faults.push_back("neither node nor name may hold a \"/\"");
  }
  checkText(faults, "value", parameter.value, kMaxCommentLength);
  return faults;
}

Faults faultsOf(const wire::Report& report) {
  Faults faults;
  checkName(faults, "reporter", report.reporter);
  if (report.reads.size() > kMaxReported) {
    faults.push_back(
        fmt::format("reads has {} entries; at most {} are allowed", report.reads.size(), kMaxReported));
  } else {
    for (std::size_t i = 0; i < report.reads.size(); ++i) {
      const std::string name = fmt::format("reads[{}]", i);
      checkName(faults, name + ".job", report.reads[i].job);
      checkDirectory(faults, name + ".directory", report.reads[i].directory);
      if (report.reads[i].bytes < 0) {
        faults.push_back(name + ".bytes is negative");
      }
    }
  }
  checkDemand(faults, "throughCache", report.throughCache);
  checkDemand(faults, "pastCache", report.pastCache);
  if (report.shadow.reads < 0 || report.shadow.bytes < 0 || report.shadow.mismatches < 0) {
    faults.push_back("shadow: a count is negative");
  }
  checkText(faults, "shadow.last_mismatch", report.shadow.lastMismatch, kMaxCommentLength);
  return faults;
}

}  // namespace shift::gms
