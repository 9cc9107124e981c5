#pragma once

#include <string>
#include <vector>

#include "stiction/results/measured.h"
#include "stiction/results/run_store.h"

namespace stiction {

/// May a run be trusted? From good to bad.
enum class Trust { trustworthy, look_closer, do_not_trust };
struct TrustName {
  Trust trust;
  const char* word;   ///< in JSON and on the page
  const char* words;  ///< for people and in scenes
};
inline constexpr TrustName trust_names[] = {{Trust::trustworthy, "trustworthy", "trustworthy"},
                                            {Trust::look_closer, "look_closer", "look closer"},
                                            {Trust::do_not_trust, "do_not_trust", "do not trust"}};
const char* word_of(Trust trust);
const char* words_of(Trust trust);

/// One measure of a run, judged.
struct Judgement {
  std::string measure{};  ///< its name; "status", and what readers of a run find, beside those of trust_measures.h
  Trust trust = Trust::trustworthy;
  double value = 0;
  std::string unit{};    ///< "": there is no value
  double limit = 0;      ///< of the value, beyond which it is no longer trustworthy, in its unit; 0: none may be
  double time = -1;      ///< of the worst [s]; < 0: unknown
  std::string place{};   ///< contact, joint or signal; "": unknown
  std::string text{};    ///< what was measured and what it is judged by, in a sentence
  std::string remedy{};  ///< what to do; "" where it is trustworthy
};

/// Does it have a number? Status, scene and damage are judged without one.
bool is_measured(const Judgement& judged);
/// Is the value, below 1e-9 of its limit, only rounding? It is shown as 0 then; JSON has all digits.
bool is_noise(const Judgement& judged);
/// The value for people, of three digits: "0.0123 m", "1 part", "0 J" for noise.
std::string format_judged_value(const Judgement& judged);

struct Verdict {
  Trust trust = Trust::trustworthy;  ///< the worst of the judgements
  std::vector<Judgement> judgements;
  /// Those that are not trustworthy, the worst first.
  std::vector<Judgement> reasons() const;
  void add(Judgement judgement);
};

/// Judges a run by what was recorded of it: status, measures, description. Every measure is judged by its share of a
/// scale of the run itself (trust_measures.h has all limits); where the scale is zero, nothing moves, and what is tiny
/// in itself (1e-9) passes. A run without measures, or one that has not reached its end, asks for a closer look.
Verdict judge(const RunSummary& summary, const RunDescription& description);

}  // namespace stiction
