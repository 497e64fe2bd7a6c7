#include "ring/RingFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <set>
#include <sstream>

namespace shift::ring {
namespace {

/** The largest weight: what one member may take of the ring's memory. */
constexpr double kMaxWeight = 100;

class RingReader {
 public:
  explicit RingReader(const std::string& path) : path_(path) {}

  Result<Ring> read() {
    toml::table file;
    try {
      file = toml::parse_file(path_);
    } catch (const toml::parse_error& fault) {
      const auto line = fault.source().begin.line;
      return Error{ErrorCode::kInvalidArgument,
                   line > 0 ? fmt::format("{}:{}: {}", path_, line, fault.description())
                            : fmt::format("{}: {}", path_, fault.description())};
    }
    for (const auto& [key, node] : file) {
      if (key.str() != "node" || node.as_array() == nullptr) {
        fault(node, fmt::format("unknown key \"{}\"; a ring file holds [[node]] tables only", key.str()));
        continue;
      }
      for (const toml::node& entry : *node.as_array()) {
        readMember(entry);
      }
    }
    if (members_.empty() && faults_.empty()) {
      faults_.push_back(fmt::format("{}: no [[node]] in it", path_));
    }
    if (!faults_.empty()) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(faults_, "\n"))};
    }
    return Ring(std::move(members_));
  }

 private:
  void fault(const toml::node& at, std::string_view what) {
    faults_.push_back(fmt::format("{}:{}: {}", path_, at.source().begin.line, what));
  }

  void readMember(const toml::node& entry) {
    const toml::table* table = entry.as_table();
    if (table == nullptr) {
      return fault(entry, "node must be a table, written [[node]]");
    }
    for (const auto& [key, node] : *table) {
      if (key.str() != "id" && key.str() != "address" && key.str() != "weight" && key.str() != "admin") {
        fault(node, fmt::format("unknown key \"{}\"; known are id, address, weight, admin", key.str()));
      }
    }
    Member member;
    member.id = (*table)["id"].value_or(std::string());
    if (member.id.empty()) {
      fault(entry, "a node needs an id, as text");
    } else if (!ids_.insert(member.id).second) {
      fault(entry, fmt::format("the id \"{}\" is used twice", member.id));
    }
    const Result<HostPort> address = parseHostPort((*table)["address"].value_or(std::string()));
    if (!address) {
      fault(entry, address.error().message);
    } else {
      member.address = *address;
    }
    if (table->contains("admin")) {
      const Result<HostPort> admin = parseHostPort((*table)["admin"].value_or(std::string()));
      if (!admin) {
        fault(entry, "admin: " + admin.error().message);
      } else {
        member.admin = *admin;
      }
    }
    member.weight = (*table)["weight"].value_or(table->contains("weight") ? -1.0 : 1.0);
    if (!(member.weight >= 0 && member.weight <= kMaxWeight)) {
      fault(entry, fmt::format("weight must be a number from 0 to {}", kMaxWeight));
    }
    members_.push_back(std::move(member));
  }

  const std::string& path_;
  std::vector<Member> members_;
  std::set<std::string> ids_;
  std::vector<std::string> faults_;
};

}  // namespace

Result<Ring> readRingFile(const std::string& path) {
  return RingReader(path).read();
}

std::string formatRingFile(const Ring& ring) {
  std::string text;
  for (const Member& member : ring.members()) {
    toml::table table;
    table.insert("id", member.id);
    table.insert("address", toString(member.address));
    table.insert("weight", member.weight);
    if (member.admin) {
      table.insert("admin", toString(*member.admin));
    }
    std::ostringstream out;
    out << table;
    text += fmt::format("[[node]]\n{}\n\n", out.str());
  }
  return text;
}

}  // namespace shift::ring
