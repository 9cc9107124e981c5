#pragma once

#include "stiction/contact/contact_model.h"
#include "stiction/multibody/step_loads.h"
#include "stiction/stepping/contact_record.h"

namespace stiction {

/// on_bodies: mean forces of the contacts of a step of length h. Nothing allocates once it has been there before.
void list_contact_loads(const ContactModel& model, const std::vector<ContactRecord>& contacts, double h,
                        StepLoads& loads);

}  // namespace stiction
