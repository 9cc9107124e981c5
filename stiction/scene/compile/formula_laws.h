#pragma once

#include "stiction/contact/friction_law.h"
#include "stiction/contact/normal_law.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {

/// Laws of contact tables that are formulas: read, of the right dimension where that can be seen, and doing what a law
/// may (contact/normal_user.h). Faults are noted; false where there are any.
bool check_formulas(Draft& draft, const std::string& path, const ContactSpec& spec);
/// Of formulas that check_formulas has found good.
NormalLaw make_normal_formula(const NormalSpec& spec);
FrictionLaw make_friction_formula(const FrictionSpec& spec);

}  // namespace stiction
