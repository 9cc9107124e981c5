#include "stiction/problems/problem_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "stiction/base/fault.h"
#include "stiction/base/infinity.h"
#include "stiction/base/text.h"

namespace stiction {
namespace {

using Json = nlohmann::json;
// More faults than these help nobody.
constexpr std::size_t most_faults = 20;

std::string show(const Json& value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

SourcePlace find_place(std::string_view text, std::size_t byte, const std::string& file) {
  SourcePlace place{.file = file, .line = 1, .column = 1, .length = 1, .line_text = {}};
  const std::size_t end = std::min(byte > 0 ? byte - 1 : 0, text.size());
  for (std::size_t i = 0; i < end; ++i) {
    place.column = text[i] == '\n' ? 1 : place.column + 1;
    if (text[i] == '\n') ++place.line;
  }
  return place;
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  JsonProblem read(const Json& root) {
    if (!root.is_object()) {
      add({}, "a problem is an object {\"M\": ..., \"q\": ...}, got " + show(root));
      finish();
    }
    refuse_unknown_keys(root);
    LcpProblem problem{read_matrix(root), read_vector(root, "q", 0)};
    if (root.contains("q") && root.contains("M") && problem.q.size() != problem.M.rows() && faults_.empty()) {
      add("q", fmt::format("has {} entries, but M has {} rows", problem.q.size(), problem.M.rows()));
    }
    finish();
    const bool mixed = root.contains("blocks") || root.contains("lower") || root.contains("upper");
    if (!mixed) {
      for (const char* key : {"n", "m"}) {
        if (root.contains(key))
          add(key, "belongs to a mixed problem, which needs \"blocks\" or \"lower\" and \"upper\"");
      }
      finish();
      return problem;
    }
    return read_mixed(root, problem);
  }

 private:
  void add(std::string path, std::string message) {
    if (faults_.size() < most_faults) {
      faults_.push_back({.place = {.file = file_, .line_text = {}},
                         .path = std::move(path),
                         .message = std::move(message),
                         .hint = {}});
    }
  }

  void finish() {
    if (!faults_.empty()) throw InputError(std::move(faults_));
  }

  void refuse_unknown_keys(const Json& root) {
    const std::vector<std::string> known{"M", "q", "n", "m", "blocks", "lower", "upper"};
    for (const auto& [key, value] : root.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      add(show(Json(key)), "is not a field of a problem; there are " + join_words(known));
    }
  }

  double read_number(const Json& value, const std::string& path) {
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    if (!std::isfinite(number)) add(path, "must be a finite number, got " + show(value));
    return number;
  }

  // `if_null` replaces null; 0 means that null is refused.
  VecX read_vector(const Json& root, const std::string& key, double if_null) {
    const auto found = root.find(key);
    if (found == root.end() || !found->is_array()) {
      add(key, found == root.end() ? "is missing" : "must be an array of numbers, got " + show(*found));
      return {};
    }
    VecX vector(static_cast<Eigen::Index>(found->size()));
    for (std::size_t i = 0; i < found->size(); ++i) {
      const Json& value = (*found)[i];
      const bool unbounded = value.is_null() && if_null != 0;
      vector[static_cast<Eigen::Index>(i)] = unbounded ? if_null : read_number(value, fmt::format("{}[{}]", key, i));
    }
    return vector;
  }

  MatX read_matrix(const Json& root) {
    const auto found = root.find("M");
    if (found == root.end() || !found->is_array()) {
      add("M", found == root.end() ? "is missing" : "must be an array of rows, got " + show(*found));
      return {};
    }
    // Shape first: a row of the wrong length must not allocate anything.
    const std::size_t n = found->size();
    for (std::size_t i = 0; i < n; ++i) {
      const Json& row = (*found)[i];
      if (!row.is_array()) {
        add(fmt::format("M[{}]", i), "must be an array of numbers, got " + show(row));
      } else if (row.size() != n) {
        add(fmt::format("M[{}]", i),
            fmt::format("has {} entries, but M has {} rows and must be square", row.size(), n));
      }
    }
    if (!faults_.empty()) return {};
    MatX M(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            read_number((*found)[i][j], fmt::format("M[{}][{}]", i, j));
      }
    }
    return M;
  }

  MlcpProblem read_mixed(const Json& root, const LcpProblem& linear) {
    if (!root.contains("blocks")) return read_bounds(root, linear);
    if (root.contains("lower") || root.contains("upper")) add("blocks", "cannot stand beside \"lower\" and \"upper\"");
    const std::vector<bool> is_free = read_blocks(root["blocks"], static_cast<std::size_t>(linear.q.size()));
    const auto free = static_cast<std::size_t>(std::count(is_free.begin(), is_free.end(), true));
    check_count(root, "n", free, "free");
    check_count(root, "m", is_free.size() - free, "complementarity");
    finish();
    return make_mlcp(linear.M, linear.q, is_free);
  }

  std::vector<bool> read_blocks(const Json& blocks, std::size_t n) {
    std::vector<bool> is_free(n, false);
    std::vector<bool> is_covered(n, false);
    if (!blocks.is_array()) {
      add("blocks", "must be an array of objects, got " + show(blocks));
      return is_free;
    }
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const std::string path = fmt::format("blocks[{}]", k);
      const Json& block = blocks[k];
      if (!block.is_object() || !block.contains("from") || !block.contains("to") ||
          !block.contains("complementarity")) {
        add(path, "must be {\"from\":, \"to\":, \"complementarity\":}, got " + show(block));
        continue;
      }
      const auto from = read_index(block["from"], path + ".from", n);
      const auto to = read_index(block["to"], path + ".to", n);
      const Json& kind = block["complementarity"];
      if (!kind.is_boolean()) add(path + ".complementarity", "must be true or false, got " + show(kind));
      if (from > to) add(path, fmt::format("from {} is above to {}", from, to));
      if (!faults_.empty()) continue;
      for (std::size_t i = from; i < to; ++i) {
        if (is_covered[i]) add(path, fmt::format("row {} already stands in an earlier block", i));
        is_covered[i] = true;
        is_free[i] = !kind.get<bool>();
      }
    }
    for (std::size_t i = 0; i < n && faults_.empty(); ++i) {
      if (!is_covered[i]) add("blocks", fmt::format("row {} stands in no block", i));
    }
    return is_free;
  }

  // An integer in 0..n; 0 with a fault otherwise.
  std::size_t read_index(const Json& value, const std::string& path, std::size_t n) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= n) return value.get<std::size_t>();
    add(path, fmt::format("must be a whole number from 0 to {}, got {}", n, show(value)));
    return 0;
  }

  void check_count(const Json& root, const std::string& key, std::size_t count, std::string_view kind) {
    if (!root.contains(key) || !faults_.empty()) return;
    if (root[key].is_number_unsigned() && root[key].get<std::uint64_t>() == count) return;
    add(key, fmt::format("is {}, but the blocks hold {} {} rows", show(root[key]), count, kind));
  }

  MlcpProblem read_bounds(const Json& root, const LcpProblem& linear) {
    MlcpProblem problem{linear.M, linear.q, read_vector(root, "lower", -infinity),
                        read_vector(root, "upper", infinity)};
    for (const auto& [key, bound] : {std::pair{"lower", &problem.lower}, std::pair{"upper", &problem.upper}}) {
      if (faults_.empty() && bound->size() != linear.q.size()) {
        add(key, fmt::format("has {} entries, but q has {}", bound->size(), linear.q.size()));
      }
    }
    finish();
    for (Eigen::Index i = 0; i < linear.q.size(); ++i) {
      if (problem.lower[i] <= problem.upper[i]) continue;
      add(fmt::format("lower[{}]", i),
          fmt::format("{} is above upper[{}] = {}", problem.lower[i], i, problem.upper[i]));
    }
    finish();
    return problem;
  }

  std::string file_;
  std::vector<Fault> faults_;
};

// Parses, keeping in mind the keys of the objects that are open: JSON leaves the meaning of a key given twice open.
class KeyWatch {
 public:
  explicit KeyWatch(std::string file) : file_(std::move(file)) {}

  bool operator()(int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key && !open_.back().insert(value.get<std::string>()).second) {
      throw InputError({{.place = {.file = file_, .line_text = {}},
                         .path = show(value),
                         .message = "is given twice",
                         .hint = "keep one of them"}});
    }
    return true;
  }

 private:
  std::string file_;
  std::vector<std::set<std::string>> open_;
};

// The library quotes the number in its words: "number overflow parsing '1e999'".
InputError describe_overflow(std::string_view text, const std::string& what, const std::string& file) {
  const std::size_t from = what.find('\''), to = what.rfind('\'');
  const std::string number = from < to ? what.substr(from + 1, to - from - 1) : "";
  const std::size_t at = text.find(number);
  SourcePlace place{.file = file, .line_text = {}};
  if (!number.empty() && at != std::string_view::npos) place = find_place(text, at + 1, file);
  return InputError({{.place = place,
                      .path = {},
                      .message = fmt::format("the number {} is beyond 1.8e308, the largest there is", number),
                      .hint = "null stands for no bound, in lower and upper"}});
}

std::string write_vector(const VecX& v) {
  std::string text = "[";
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    if (i > 0) text += ",";
    text += std::isfinite(v[i]) ? fmt::format("{}", v[i]) : "null";
  }
  return text + "]";
}

std::string write_matrix(const MatX& M) {
  std::string text = "[";
  for (Eigen::Index i = 0; i < M.rows(); ++i) text += (i > 0 ? ",\n" : "") + write_vector(M.row(i));
  return text + "]";
}

std::string write_blocks(const std::vector<bool>& is_free) {
  std::string text = "[";
  for (std::size_t from = 0; from < is_free.size();) {
    std::size_t to = from;
    while (to < is_free.size() && is_free[to] == is_free[from]) ++to;
    text += fmt::format("{}{{\"from\": {}, \"to\": {}, \"complementarity\": {}}}", from > 0 ? ", " : "", from, to,
                        !is_free[from]);
    from = to;
  }
  return text + "]";
}

}  // namespace

JsonProblem parse_problem_json(std::string_view text, const std::string& file) {
  Json root;
  try {
    root = Json::parse(text, KeyWatch(file));
  } catch (const Json::parse_error& error) {
    const std::string what = error.what();
    const std::size_t detail = what.find("; ");
    throw InputError({{.place = find_place(text, error.byte, file),
                       .path = {},
                       .message = "not JSON: " + (detail == std::string::npos ? what : what.substr(detail + 2)),
                       .hint = {}}});
  } catch (const Json::exception& error) {
    throw describe_overflow(text, error.what(), file);
  }
  return Reader(file).read(root);
}

JsonProblem read_problem_json(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  try {
    text.assign(std::istreambuf_iterator<char>(stream), {});
  } catch (const std::ios_base::failure&) {
    // The stream's buffer throws where the system refuses bytes, as from /proc/self/mem.
    stream.setstate(std::ios_base::badbit);
  }
  if (!stream) throw IoError("cannot read " + path.string());
  return parse_problem_json(text, path.string());
}

std::string write_problem_json(const LcpProblem& problem) {
  return "{\"M\": " + write_matrix(problem.M) + ",\n\"q\": " + write_vector(problem.q) + "}\n";
}

std::string write_problem_json(const MlcpProblem& problem) {
  std::vector<bool> is_free;
  bool plain = true;
  for (Eigen::Index i = 0; i < problem.q.size(); ++i) {
    is_free.push_back(problem.lower[i] == -infinity);
    plain = plain && problem.upper[i] == infinity && (is_free.back() || problem.lower[i] == 0);
  }
  std::string text = "{";
  if (plain) {
    const auto free = std::count(is_free.begin(), is_free.end(), true);
    text +=
        fmt::format("\"n\": {}, \"m\": {}, \"blocks\": {},\n", free, problem.q.size() - free, write_blocks(is_free));
  } else {
    text += "\"lower\": " + write_vector(problem.lower) + ",\n\"upper\": " + write_vector(problem.upper) + ",\n";
  }
  return text + "\"M\": " + write_matrix(problem.M) + ",\n\"q\": " + write_vector(problem.q) + "}\n";
}

}  // namespace stiction
