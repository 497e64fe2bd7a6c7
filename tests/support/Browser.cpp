#include "tests/support/Browser.h"

#include <httplib.h>

#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace shift::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr seconds kPatience{120};
constexpr int kStarts = 10;

/** Ends when the page changes, and in any case soon: a test may wait for what the page does not show. To ask
 * without a pause would take the processor from those who are waited for. */
constexpr const char* kAwaitChange = R"(
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(end);
    const timer = setTimeout(end, 500);
    observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  });)";

/** The driver says on which port it listens; nothing if it does not listen. */
std::optional<HostPort> addressOf(tools::ChildProcess& driver, const Clock& clock) {
  const std::regex started(R"(started successfully on port (\d+))");
  for (auto line = driver.readLine(clock, kPatience); line; line = driver.readLine(clock, kPatience)) {
    if (std::smatch found; std::regex_search(*line, found, started)) {
      return HostPort{"127.0.0.1", static_cast<std::uint16_t>(std::stoi(found[1]))};
    }
  }
  return std::nullopt;
}

std::string decodeBase64(const std::string& text) {
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t value = letters.find(c);
    if (value == std::string_view::npos) {
      break;  // padding
    }
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out.push_back(static_cast<char>((bits >> held) & 0xFF));
    }
  }
  return out;
}

}  // namespace

std::unique_ptr<Browser> Browser::start(const std::string& directory, const Clock& clock) {
  const std::string log = directory + "/chromedriver.log";
  // The driver takes a free port of IPv6 and gives up if the same is not free in IPv4, as happens on a busy
  // machine.
  for (int attempt = 0; attempt < kStarts; ++attempt) {
    auto driver = tools::ChildProcess::start({"/usr/bin/chromedriver", "--port=0"}, log);
    if (!driver) {
      throw std::runtime_error(driver.error().message + "; Debian's package is chromium-driver");
    }
    if (const auto address = addressOf(**driver, clock)) {
      return std::unique_ptr<Browser>(new Browser(*std::move(driver), *address, clock));
    }
  }
  std::ostringstream said;
  said << std::ifstream(log).rdbuf();
  throw std::runtime_error("chromedriver does not start: " + said.str());
}

Browser::Browser(std::unique_ptr<tools::ChildProcess> driver, HostPort address, const Clock& clock)
    : driver_(std::move(driver)), address_(std::move(address)), clock_(clock) {
  // Its sandbox needs a user that is not root, and containers have little shared memory.
  const json options = {{"args",
                         {"--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                          "--window-size=1366,900"}}};
  // Its own patience is 30 s for a script, which is less than a test's.
  const auto patience = std::chrono::milliseconds(kPatience).count();
  const json wishes = {{"goog:chromeOptions", options},
                       {"goog:loggingPrefs", {{"browser", "ALL"}}},
                       {"timeouts", {{"script", patience}, {"pageLoad", patience}}}};
  const json session = call("POST", "/session", {{"capabilities", {{"alwaysMatch", wishes}}}});
  session_ = "/session/" + session.at("sessionId").get<std::string>();
}

Browser::~Browser() {
  httplib::Client client(address_.host, address_.port);
  client.set_read_timeout(kPatience);
  client.Delete(session_);  // ends Chromium; the driver is ended as a child
}

json Browser::call(const char* method, const std::string& path, const json& body) const {
  httplib::Client client(address_.host, address_.port);
  client.set_read_timeout(2 * kPatience);  // so that the driver's own word on what takes long is heard
  const bool posts = std::string_view(method) == "POST";
  const httplib::Result answer =
      posts ? client.Post(path, body.is_null() ? "{}" : body.dump(), "application/json") : client.Get(path);
  if (!answer) {
    throw std::runtime_error("chromedriver: " + httplib::to_string(answer.error()));
  }
  const json said = json::parse(answer->body);
  if (answer->status != 200) {
    throw std::runtime_error("chromedriver: " + said.at("value").value("message", answer->body));
  }
  return said.at("value");
}

void Browser::runFirst(const std::string& script) {
  command("Page.addScriptToEvaluateOnNewDocument", {{"source", script}});
}

void Browser::open(const std::string& url) {
  call("POST", session_ + "/url", {{"url", url}});
}

json Browser::run(const std::string& body, const json& arguments) {
  return call("POST", session_ + "/execute/sync", {{"script", body}, {"args", arguments}});
}

std::vector<std::string> Browser::texts(const std::string& selector) {
  return run("return [...document.querySelectorAll(arguments[0])].map((found) => found.textContent)",
             {selector});
}

std::string Browser::text(const std::string& selector) {
  const std::vector<std::string> all = texts(selector);
  return all.empty() ? "" : all.front();
}

std::string Browser::attribute(const std::string& selector, const std::string& name) {
  return run("return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? ''",
             {selector, name});
}

void Browser::press(const std::string& keys) {
  const json focused = call("GET", session_ + "/element/active");
  call("POST", session_ + "/element/" + focused.begin().value().get<std::string>() + "/value",
       {{"text", keys}});
}

void Browser::preferScheme(const std::string& scheme) {
  const json feature = {{"name", "prefers-color-scheme"}, {"value", scheme}};
  command("Emulation.setEmulatedMedia", {{"features", json::array({feature})}});
}

/** Of Chromium's own protocol, where WebDriver has none. */
json Browser::command(const char* name, const json& parameters) {
  return call("POST", session_ + "/goog/cdp/execute", {{"cmd", name}, {"params", parameters}});
}

void Browser::resizeToPage(int width) {
  resize(width, 900);  // how high the page is follows from how wide it is
  const int height =
      run("return document.documentElement.offsetHeight + window.outerHeight - window.innerHeight");
  resize(width, height);
}

void Browser::resize(int width, int height) {
  call("POST", session_ + "/window/rect", {{"width", width}, {"height", height}});
}

std::string Browser::screenshot() {
  return decodeBase64(call("GET", session_ + "/screenshot"));
}

std::vector<std::string> Browser::consoleErrors() {
  std::vector<std::string> errors;
  for (const json& entry : call("POST", session_ + "/se/log", {{"type", "browser"}})) {
    if (entry.at("level") == "SEVERE" && entry.value("source", "") != "network") {
      errors.push_back(entry.at("message"));
    }
  }
  return errors;
}

bool Browser::await(const std::function<bool()>& holds) {
  const TimePoint deadline = clock_.now() + kPatience;
  while (!holds()) {
    if (clock_.now() > deadline) {
      return false;
    }
    run(kAwaitChange);
  }
  return true;
}

}  // namespace shift::test
