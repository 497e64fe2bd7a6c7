#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gms/GmsClient.h"
#include "tests/support/Browser.h"
#include "tests/support/ClusterFixture.h"

namespace shift::test {

/** Real processes, looked at in a real browser. */
class DashboardFixture : public ClusterFixture {
 protected:
  /** Nodes that admit what they are asked for, and a GMS that knows them. */
  void startTier(std::uint32_t nodes, const std::vector<std::string>& moreSettings = {});
  gms::GmsClient gms() const;
  /** A parameter of one node, by the GMS. */
  void setParameter(const std::string& node, const std::string& name, const std::string& value) const;

  void read(const std::string& path, const std::string& job = "train");

  /** Opens the page that a server has, by default the GMS. */
  void openPage(const HostPort& server);
  void openPage();

  /** The document that the page is made of, asked for by the test itself. */
  nlohmann::json state() const;
  /** What a function body returns in the page, where `told` are all such documents that it got so far. The
   * page shows the last of them: it is drawn before any other script may run. */
  nlohmann::json runWithTold(const std::string& body);

  void await(const char* what, const std::function<bool()>& holds) const;
  void awaitSaid(const std::string& words) const;

  /** The exact number behind a cell of the first row. */
  std::string hint(const std::string& table, int column) const;
  /** The texts of a column, from the top. */
  std::vector<std::string> column(const std::string& table, int number) const;
  /** What has the focus. */
  std::string focused() const;

  std::unique_ptr<Browser> browser_;
};

}  // namespace shift::test
