#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace stiction {

/// Where in a text something stands; line and column count from 1, 0 = unknown. Columns count characters, not bytes.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 1;         ///< characters to underline
  std::string line_text;  ///< the whole line, for showing it underlined; may be empty
};

/// One thing that is wrong with what the user wrote.
struct Fault {
  SourcePlace place;
  std::string path;     ///< the field, as the user writes it: body.top.mass
  std::string message;  ///< what was found and what was expected: "mass must be > 0 kg, got -1 kg"
  std::string hint;     ///< what to do; may be empty
};

/// The user's description is wrong. Carries ALL faults found, in order of place; the command line answers with exit
/// code 2. (House name: SceneError. It is named more widely because problem files and run folders fail the same way.)
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Fault> faults);
  /// A fault with no place in a text.
  explicit InputError(const std::string& message, const std::string& hint = {});
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  struct Sorted {
    std::vector<Fault> faults;
  };
  explicit InputError(Sorted sorted);

  std::vector<Fault> faults_;
};

/// A file or database could not be read or written. Exit code 5.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "top.toml:14:8: error: body.top: mass must be > 0 kg, got -1 kg" with the line underlined and the hint below.
std::string format_fault(const Fault& fault);
/// All of them in the order given, with a closing count.
std::string format_faults(const std::vector<Fault>& faults);

}  // namespace stiction
