#pragma once

#include <string>

#include "bindings/c/stiction.h"

namespace stiction::capi {

/// The contact core as stiction.h has it, with exceptions instead of statuses: InputError with all faults.
stiction_pair* read_pair(const std::string& scene, const std::string& shape_a, const std::string& shape_b);
stiction_contact_output evaluate_pair(const stiction_pair& pair, const stiction_body_state& a,
                                      const stiction_body_state& b, const stiction_contact_memory& memory);
/// Has touching begun or ended?
bool update_pair(const stiction_pair& pair, const stiction_body_state& a, const stiction_body_state& b,
                 stiction_contact_memory& memory);

}  // namespace stiction::capi
