#include "stiction/problems/problem_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "stiction/base/fault.h"

#include "test/unit/solvers/lcp_families.h"

namespace stiction {
namespace {

// The message of the error, or "" if none is thrown.
std::string fault_of(std::string_view text) {
  try {
    (void)parse_problem_json(text, "file.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

void expect_fault(std::string_view text, std::string_view expected) {
  EXPECT_NE(fault_of(text).find(expected), std::string::npos) << text << "\n" << fault_of(text);
}

TEST(ProblemJson, RoundTripsToTheSameBits) {
  Random random(7);
  const LcpProblem lcp = test::make_contact_problem(random, 2, 3, 4);
  const auto again = std::get<LcpProblem>(parse_problem_json(write_problem_json(lcp)));
  EXPECT_EQ(again.M, lcp.M);
  EXPECT_EQ(again.q, lcp.q);
  MlcpProblem mixed = make_mlcp(lcp.M, lcp.q, std::vector<bool>(static_cast<std::size_t>(lcp.q.size()), false));
  mixed.lower[2] = -std::numeric_limits<double>::infinity();
  for (const double upper : {std::numeric_limits<double>::infinity(), 0.1}) {
    mixed.upper[0] = upper;
    const auto mixed_again = std::get<MlcpProblem>(parse_problem_json(write_problem_json(mixed)));
    EXPECT_EQ(mixed_again.M, mixed.M);
    EXPECT_EQ(mixed_again.lower, mixed.lower);
    EXPECT_EQ(mixed_again.upper, mixed.upper);
  }
}

TEST(ProblemJson, NamesTheOffendingEntry) {
  expect_fault(R"({"M": [[1, 2], [3, null]], "q": [1, 2]})", "M[1][1]: must be a finite number, got null");
  expect_fault(R"({"M": [[1, 2], [3, "x"]], "q": [1, 2]})", "M[1][1]");
  expect_fault(R"({"M": [[1, 2], [3]], "q": [1, 2]})", "M[1]: has 1 entries");
  expect_fault(R"({"M": [[1, 2, 3], [3, 4, 5]], "q": [1, 2]})", "square");
  expect_fault(R"({"M": [[1, 2], [3, 4]], "q": [1, 2, 3]})", "q: has 3 entries, but M has 2 rows");
  expect_fault(R"({"M": [[1]]})", "q: is missing");
  expect_fault(R"({"M": 3, "q": [1]})", "M: must be an array");
  expect_fault(R"([1, 2])", "a problem is an object");
  expect_fault(R"({"M": [[1]], "q": [1], "mu": 3})", "mu");
  expect_fault("{\"M\": [[1]],\n\"q\": [ 1e999]}", "file.json:2:8");
  EXPECT_EQ(fault_of(R"({"M": [[-1e999]], "q": [1]})").find("json.exception"), std::string::npos);
  expect_fault(R"({"M": [[-1e999]], "q": [1]})", "the number -1e999 is beyond 1.8e308");
  expect_fault(R"({"M": [[1]], "q": [1], "lower": [2], "upper": [1]})", "lower[0]: 2 is above upper[0] = 1");
  expect_fault(R"({"M": [[1]], "q": [1], "lower": [2]})", "upper: is missing");
}

TEST(ProblemJson, NamesTheOffendingBlock) {
  const std::string head = R"({"M": [[1, 0], [0, 1]], "q": [1, 2], "blocks": )";
  expect_fault(head + R"([{"from": 0, "to": 3, "complementarity": true}]})", "blocks[0].to: must be a whole number");
  expect_fault(head + R"([{"from": -1, "to": 2, "complementarity": true}]})", "blocks[0].from");
  expect_fault(head + R"([{"from": 0, "to": 1, "complementarity": true}]})", "row 1 stands in no block");
  expect_fault(head + R"([{"from": 0, "to": 2, "complementarity": 1}]})", "blocks[0].complementarity");
  expect_fault(
      head + R"([{"from": 0, "to": 2, "complementarity": true}, {"from": 1, "to": 2, "complementarity": false}]})",
      "row 1 already stands");
  expect_fault(head + R"([{"from": 0, "to": 2, "complementarity": true}], "n": 1})", "n: is 1");
}

TEST(ProblemJson, RefusesKeysGivenTwice) {
  expect_fault(R"({"M": [[1]], "q": [1], "q": [2]})", "\"q\": is given twice");
  expect_fault(R"({"M": [[1]], "q": [1], "blocks": [{"from": 0, "to": 1, "from": 0, "complementarity": true}]})",
               "\"from\": is given twice");
  // The same key in two objects is none.
  EXPECT_EQ(fault_of(R"({"M": [[1, 0], [0, 1]], "q": [1, 2], "blocks": [{"from": 0, "to": 1, "complementarity": true},
                         {"from": 1, "to": 2, "complementarity": false}]})"),
            "");
}

TEST(ProblemJson, PointsAtTheSyntaxError) {
  // NaN is not JSON: line 2, column 8.
  expect_fault("{\"M\": [[1]],\n\"q\": [ NaN]}", "file.json:2:8");
  expect_fault("", "file.json:1:1");
}

TEST(ProblemJson, ReportsAFileThatCannotBeRead) {
  EXPECT_THROW((void)read_problem_json("no such folder/no such file.json"), IoError);
}

// Whatever is done to the text: an InputError or a well-formed problem, never anything else.
TEST(ProblemJson, SurvivesMutatedText) {
  Random random(8);
  const std::string original =
      R"({"n": 1, "m": 2, "blocks": [{"from": 0, "to": 1, "complementarity": false}, {"from": 1, "to": 3, )"
      R"("complementarity": true}], "M": [[1,2,0],[0,1,-1.5e3],[0,0,1]], "q": [-1,1,-3]})";
  const std::string letters = "{}[],:\"0123456789eE+-.ntfaulse \n\\";
  int accepted = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text = original;
    for (int changes = 1 + random.index(4); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(random.index(static_cast<int>(text.size())));
      const char letter = random.index(10) == 0 ? static_cast<char>(random.index(256))
                                                : letters[random.index(static_cast<int>(letters.size()))];
      const int kind = random.index(4);
      if (kind == 0) text[at] = letter;
      if (kind == 1) text.insert(at, 1, letter);
      if (kind == 2 && text.size() > 1) text.erase(at, 1 + static_cast<std::size_t>(random.index(5)));
      if (kind == 3) text.insert(at, text.substr(at / 2, static_cast<std::size_t>(random.index(30))));
    }
    try {
      const JsonProblem problem = parse_problem_json(text);
      ++accepted;
      std::visit(
          [](const auto& p) {
            ASSERT_EQ(p.M.rows(), p.q.size());
            ASSERT_EQ(p.M.cols(), p.q.size());
            ASSERT_TRUE(p.M.allFinite() && p.q.allFinite());
          },
          problem);
    } catch (const InputError&) {
    }
  }
  // A digit for a digit is still a problem.
  EXPECT_GT(accepted, 100);
}

TEST(ProblemJson, SurvivesDeepNesting) {
  EXPECT_NE(fault_of(std::string(200000, '[')), "");
}

}  // namespace
}  // namespace stiction
