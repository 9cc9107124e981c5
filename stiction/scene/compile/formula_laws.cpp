#include "stiction/scene/compile/formula_laws.h"

#include <fmt/format.h>

#include <array>

#include "stiction/base/check.h"
#include "stiction/base/text.h"
#include "stiction/scene/compile/formula.h"

namespace stiction {
namespace {

constexpr FormulaDimension depth_dimension{.length = 1}, speed_dimension{.length = 1, .time = -1},
    force_dimension{.mass = 1, .length = 1, .time = -2};

/// What a formula is made of.
struct LawForm {
  std::vector<std::string> variables;
  std::vector<FormulaDimension> dimensions;
  FormulaDimension wanted;
  const char* wanted_name;
};
const LawForm& normal_form() {
  static const LawForm form{
      {"x", "v", "vi"}, {depth_dimension, speed_dimension, speed_dimension}, force_dimension, "a force"};
  return form;
}
const LawForm& friction_form() {
  static const LawForm form{{"v", "N"}, {speed_dimension, force_dimension}, {}, "a pure number"};
  return form;
}

bool check_text(Draft& draft, const std::string& path, const FormulaSpec& spec, const LawForm& form) {
  std::string message;
  if (!Formula::parse(spec, form.variables, message)) {
    draft.fault(path, message,
                fmt::format("it may use {}, and the names under parameters", join_words(form.variables, ", ")));
    return false;
  }
  if (check_dimension(spec, form.variables, form.dimensions, form.wanted).value_or(true)) return true;
  draft.fault(path, fmt::format("the formula {} is not {} by the units of its parameters", spec.text, form.wanted_name),
              "correct a unit, or give parameters without units: then it is not checked");
  return false;
}

bool check_fault(Draft& draft, const std::string& path, const std::string& law, const UserLawFault& fault,
                 const std::array<const char*, 2>& variables, const std::string& where = "") {
  using Kind = UserLawFault::Kind;
  if (fault.kind == Kind::none) return true;
  const char* what = fault.kind == Kind::not_finite ? "is not a number"
                     : fault.kind == Kind::pulls    ? "pulls at rest"
                                                    : "feeds energy";
  draft.fault(
      path,
      fmt::format("the {} {} at {} = {}, {} = {}{}: it is {}", law, what, variables[0], format_number(fault.depth),
                  variables[1], format_number(fault.approach), where, format_number(fault.value)),
      "a law takes energy from the bodies or gives back what it stored: max(...) bounds a value");
  return false;
}

/// At several speeds of touch-down; 0 is that of a contact that touches when the run begins.
bool check_normal(Draft& draft, const std::string& path, const NormalSpec& spec) {
  const NormalUser law = std::get<NormalUser>(make_normal_user(spec));
  for (const double vi : {1.0, 0.0, 0.01, 0.1, 10.0}) {
    const NormalUser at_speed{[&](double x, double v, double) { return law.force(x, v, vi); }};
    if (!check_fault(draft, path, spec.law, check_user_law(at_speed), {"x", "v"}, fmt::format(", vi = {}", vi)))
      return false;
  }
  return true;
}

/// Of a law from outside: can its formula be read, or is there a function at all?
template <class Spec>
bool check_form(Draft& draft, const std::string& path, const Spec& spec, const LawForm& form) {
  if (spec.law == "formula") return check_text(draft, path, spec.formula, form);
  if (spec.function) return true;
  draft.fault(path, "the law \"function\" has no function", "set `function` of the law, or take another law");
  return false;
}

}  // namespace

bool check_user_laws(Draft& draft, const std::string& path, const ContactSpec& spec) {
  bool good = true;
  if (spec.normal && is_from_outside(*spec.normal)) {
    const std::string place = path + ".normal.force";
    good = check_form(draft, place, *spec.normal, normal_form()) && check_normal(draft, place, *spec.normal);
  }
  const auto* friction = std::get_if<FrictionSpec>(&spec.friction);
  if (!friction || !is_from_outside(*friction)) return good;
  const std::string place = path + ".friction.coefficient";
  if (spec.normal && spec.normal->law == "volume") {
    draft.fault(place,
                "a patch with volume has no friction by a formula or function: its laws integrate over the patch",
                "take the law \"coulomb\" or \"bristle\"");
    return false;
  }
  return check_form(draft, place, *friction, friction_form()) &&
         check_fault(draft, place, friction->law, check_user_law(std::get<FrictionUser>(make_friction_user(*friction))),
                     {"v", "N"}) &&
         good;
}

NormalLaw make_normal_user(const NormalSpec& spec) {
  if (spec.law == "function") return NormalUser{spec.function};
  std::string message;
  const std::optional<Formula> formula = Formula::parse(spec.formula, normal_form().variables, message);
  STICTION_CHECK(formula);
  return NormalUser{[formula = *formula](double x, double v, double vi) {
    return formula.evaluate(std::array<double, 3>{x, v, vi});
  }};
}

FrictionLaw make_friction_user(const FrictionSpec& spec) {
  constexpr double usual_tolerance = 1e-3;
  const double tolerance = spec.tolerance_velocity.value_or(usual_tolerance);
  if (spec.law == "function") return FrictionUser{spec.function, tolerance};
  std::string message;
  const std::optional<Formula> formula = Formula::parse(spec.formula, friction_form().variables, message);
  STICTION_CHECK(formula);
  return FrictionUser{[formula = *formula](double v, double N) {
                        return formula.evaluate(std::array<double, 2>{v, N});
                      },
                      tolerance};
}

}  // namespace stiction
