#include "apps/cli/headless_browser.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>

#include "stiction/base/fault.h"

#include "apps/cli/child_process.h"
#include "apps/cli/interrupt_watch.h"

namespace stiction::cli {
namespace {

using Json = nlohmann::json;

// A picture drawn without a graphics card takes its time; longer than this it will not come.
constexpr auto patience = std::chrono::seconds(60);
constexpr int glance = 50;  // between two looks for Ctrl-C [ms]

std::string find_chromium() {
  const auto found = find_program({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"});
  if (!found) {
    throw InputError("chromium is not installed, or not in the PATH",
                     "install it (Debian: apt-get install chromium); stiction view and stiction plot do not need it");
  }
  return *found;
}

std::vector<std::string> list_words(const std::filesystem::path& profile, const PictureSize& size) {
  std::vector<std::string> words = {find_chromium(),
                                    "--headless",
                                    "--remote-debugging-pipe",
                                    "--user-data-dir=" + profile.string(),
                                    fmt::format("--window-size={},{}", size.width, size.height),
                                    "--hide-scrollbars",
                                    "--mute-audio",
                                    "--no-first-run",
                                    "--no-default-browser-check",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--disable-extensions",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader",
                                    "about:blank"};
  // Its sandbox refuses to work for root.
  if (geteuid() == 0) words.insert(words.begin() + 1, "--no-sandbox");
  return words;
}

std::string decode_base64(const std::string& text) {
  std::array<int, 256> digits{};
  digits.fill(-1);
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    digits[static_cast<unsigned char>(alphabet[i])] = static_cast<int>(i);
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = digits[static_cast<unsigned char>(c)];
    if (digit < 0) continue;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255u);
  }
  return bytes;
}

// file:///... with everything but plain characters escaped.
std::string make_address(const std::filesystem::path& file) {
  std::string address = "file://";
  for (const char c : std::filesystem::absolute(file).string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/._-~").find(c) != std::string_view::npos;
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

}  // namespace

struct HeadlessBrowser::Impl {
  explicit Impl(const PictureSize& size)
      : child(list_words(profile.path(), size), {{orders.read_end(), 3}, {answers.write_end(), 4}},
              // What it leaves behind goes with its profile.
              {"TMPDIR=" + profile.path().string()}) {
    orders.close_read();
    answers.close_write();
  }

  // Messages are JSON texts, each with a zero byte at its end.
  void write(const Json& message) { write_all(orders.write_end(), message.dump() + '\0', "chromium"); }

  // Until there is something to read.
  void wait() const {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
      InterruptWatch::check();
      pollfd wanted{answers.read_end(), POLLIN, 0};
      const int ready = ::poll(&wanted, 1, glance);
      if (ready > 0) return;
      if ((ready < 0 && errno != EINTR) || std::chrono::steady_clock::now() > end)
        throw IoError("chromium does not answer");
    }
  }

  Json read() {
    for (;;) {
      if (const std::size_t end = buffer.find('\0'); end != std::string::npos) {
        Json message = Json::parse(buffer.substr(0, end));
        buffer.erase(0, end + 1);
        return message;
      }
      wait();
      std::array<char, 65536> block;
      const ssize_t count = ::read(answers.read_end(), block.data(), block.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw IoError("chromium ended too early");
      buffer.append(block.data(), static_cast<std::size_t>(count));
    }
  }

  // Sends an order and waits for its answer; events meanwhile are passed over.
  Json ask(const std::string& method, const Json& parameters) {
    Json order = {{"id", ++last_id}, {"method", method}, {"params", parameters}};
    if (!session.empty()) order["sessionId"] = session;
    write(order);
    for (;;) {
      Json message = read();
      if (message.value("id", 0) != last_id) continue;
      if (message.contains("error")) throw IoError("chromium: " + message["error"].value("message", "unknown error"));
      return message["result"];
    }
  }

  TemporaryFolder profile;
  Pipe orders, answers;
  ChildProcess child;
  std::string buffer, session;
  int last_id = 0;
};

HeadlessBrowser::HeadlessBrowser(const PictureSize& size) : impl_(std::make_unique<Impl>(size)) {
  const Json target = impl_->ask("Target.createTarget", {{"url", "about:blank"}});
  const Json attached = impl_->ask("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}});
  impl_->session = attached["sessionId"];
  impl_->ask("Page.enable", Json::object());
  impl_->ask("Emulation.setDeviceMetricsOverride",
             {{"width", size.width}, {"height", size.height}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

HeadlessBrowser::~HeadlessBrowser() = default;

void HeadlessBrowser::open(const std::filesystem::path& report, const std::string& link) {
  // The answer comes when the new page has taken the place of the old one; its script may not have begun yet.
  const Json answer = impl_->ask("Page.navigate", {{"url", make_address(report) + "#" + link}});
  if (const std::string fault = answer.value("errorText", ""); !fault.empty()) throw IoError("chromium: " + fault);
  evaluate(
      "new Promise(done => { const look = () => window.stiction ? done(window.stiction.ready) : setTimeout(look, 10); "
      "look(); })");
}

void HeadlessBrowser::evaluate(const std::string& expression) {
  const Json answer = impl_->ask("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}});
  if (!answer.contains("exceptionDetails")) return;
  const Json& fault = answer["exceptionDetails"];
  throw IoError("chromium: " + (fault.contains("exception") ? fault["exception"].value("description", "unknown error")
                                                            : fault.value("text", "unknown error")));
}

std::string HeadlessBrowser::take_picture() {
  return decode_base64(impl_->ask("Page.captureScreenshot", {{"format", "png"}})["data"]);
}

}  // namespace stiction::cli
