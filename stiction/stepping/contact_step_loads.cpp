#include "stiction/stepping/contact_step_loads.h"

#include "stiction/base/index.h"

namespace stiction {

void list_contact_loads(const ContactModel& model, const std::vector<ContactRecord>& contacts, double h,
                        StepLoads& loads) {
  loads.on_bodies.clear();
  for (const ContactRecord& contact : contacts) {
    const Vec3 force = contact.impulse / h, moment = contact.moment_impulse / h;
    loads.on_bodies.push_back({model.shapes[at(contact.shape_b)].body, contact.position, force, moment});
    loads.on_bodies.push_back({model.shapes[at(contact.shape_a)].body, contact.position, -force, -moment});
  }
}

}  // namespace stiction
