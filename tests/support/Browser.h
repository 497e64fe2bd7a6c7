#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "common/Result.h"
#include "tools/cluster/ChildProcess.h"

namespace shift::test {

/**
 * Chromium without a window, driven over WebDriver as a person would drive it: keys go to whatever has the
 * focus. What it may not do ends the test with an exception that says why. The destructor ends it. One
 * thread.
 */
class Browser {
 public:
  /** `directory` is for its log. */
  static std::unique_ptr<Browser> start(const std::string& directory, const Clock& clock);
  ~Browser();

  /** Lets a script run in every page that is opened from now on, before the page's own. */
  void runFirst(const std::string& script);
  void open(const std::string& url);
  /** What a function body returns, in the page. */
  nlohmann::json run(const std::string& body, const nlohmann::json& arguments = nlohmann::json::array());
  /** What the elements that a selector finds hold as text. */
  std::vector<std::string> texts(const std::string& selector);
  /** The first of them; empty if there is none. */
  std::string text(const std::string& selector);
  std::string attribute(const std::string& selector, const std::string& name);

  /** Keys, one after the other, as WebDriver writes them. */
  void press(const std::string& keys);
  static constexpr const char* kTab = "\uE004";
  static constexpr const char* kEnter = "\uE007";

  /** "light" or "dark": what the person at the browser likes. */
  void preferScheme(const std::string& scheme);
  /** Makes the window so wide, and as high as the page that it shows. */
  void resizeToPage(int width);
  /** The window as PNG. */
  std::string screenshot();

  /** What went to the console as an error since it was last asked, without what the network could not do. */
  std::vector<std::string> consoleErrors();

  /** Asks `holds` again whenever the page changed, and now and then besides, until it is true; false if that
   * takes unreasonably long. */
  bool await(const std::function<bool()>& holds);

 private:
  Browser(std::unique_ptr<tools::ChildProcess> driver, HostPort address, const Clock& clock);
  void resize(int width, int height);
  nlohmann::json command(const char* name, const nlohmann::json& parameters);
  nlohmann::json call(const char* method, const std::string& path,
                      const nlohmann::json& body = nullptr) const;

  const std::unique_ptr<tools::ChildProcess> driver_;
  const HostPort address_;
  const Clock& clock_;
  std::string session_;  // the path of all that is asked of it
};

}  // namespace shift::test
