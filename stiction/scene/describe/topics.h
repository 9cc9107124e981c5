#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stiction/scene/describe/field.h"

namespace stiction {

/// Something that a user may ask about by its name. Empty fields have nothing to say.
struct Topic {
  std::string name;        ///< "friction", "cone", "audit.penetration"
  std::string kind;        ///< "key", "table", "contact law", "method", "signal", ...
  std::string where = {};  ///< the table or family it belongs to: "[contact.\"A/B\"]"
  std::string meaning = {};
  std::string formula = {};
  std::string value = {};  ///< kind of value, with its unit
  std::string default_text = {};
  std::string range = {};
  std::string paper = {};
  std::string limits = {};  ///< of a measure of the verdict
  std::string remedy = {};  ///< of a measure or a warning: what to do
};

/// Words that are not written in scenes: signals, events, words of the verdict and the status of a run.
const std::vector<Topic>& list_word_topics();
/// What the summary of a run says: the measures of the verdict, other lines, and the warnings and notes of `check` and
/// `run`, named by a phrase of their text.
const std::vector<Topic>& list_summary_topics();
/// Formulations, as `method.type` names them.
const std::vector<TypeInfo>& list_formulations();

/// All topics: tables, their types and keys, formulations, integrators, signals, events, verdicts, measures, warnings.
const std::vector<Topic>& list_topics();

/// The topics of that name, upper and lower case alike. "body.mass" asks for the key of one table; "contact.A/B.force"
/// and "ball.position.z" for the signal of any element, "peak_force" for those that end in it; "monotone" for the key
/// that has this choice; the text of a warning, or a part of it, for the warning; "warnings" for all of a kind; "mu",
/// "e", "h" and other letters of docs/notation.md for what they stand for.
std::vector<Topic> find_topics(std::string_view word);

/// Up to three names of topics that are spelt like the word or contain it.
std::vector<std::string> find_near_topics(std::string_view word);

}  // namespace stiction
