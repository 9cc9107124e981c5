#pragma once

#include "stiction/contact/friction_law.h"
#include "stiction/contact/normal_law.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {

/// Is it a law from outside (contact/normal_user.h): a formula, or a function of a program?
template <class Spec>
bool is_from_outside(const Spec& spec) {
  return spec.law == "formula" || spec.law == "function";
}
/// Such laws of contact tables: formulas can be read and have the right dimension where that can be seen, and all do
/// what a law may. Faults are noted; false where there are any.
bool check_user_laws(Draft& draft, const std::string& path, const ContactSpec& spec);
/// Of laws that check_user_laws has found good.
NormalLaw make_normal_user(const NormalSpec& spec);
FrictionLaw make_friction_user(const FrictionSpec& spec);

}  // namespace stiction
