#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace stiction::cli {

struct PictureSize {
  int width = 1280, height = 720;  ///< [px]
};

/// Chromium without a window, driven through a pipe (Chrome DevTools Protocol); it listens on no port. Every wait for
/// it ends with Interrupted when an InterruptWatch has seen Ctrl-C; chromium and its files then go with this.
class HeadlessBrowser {
 public:
  /// InputError with a hint where there is no chromium, IoError where it does not start.
  explicit HeadlessBrowser(const PictureSize& size);
  ~HeadlessBrowser();

  /// A report file, with what comes after # in its address; returns when it is drawn. IoError if that fails.
  void open(const std::filesystem::path& report, const std::string& link);
  /// A JavaScript expression, its promise awaited. IoError with its message if it fails.
  void evaluate(const std::string& expression);
  /// What is shown now: the bytes of a PNG file.
  std::string take_picture();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction::cli
