#include "stiction/scene/describe/describe.h"

namespace stiction {

const Description<Scene>& describe_scene() {
  static const Description<Scene> description = [] {
    using S = Scene;
    // Words that signals begin with, and the name of the fixed frame.
    const std::vector<std::string> reserved = {"world", "energy", "momentum", "audit", "time"};
    Description<S> d("Top of the file", "The keys before the first table, and the tables.");
    d.add("title", &S::title, text(), "Title of the scene.");
    d.add("paper", &S::paper, text(), "Source of the scene.");
    d.add_taken_before("include", "text or array of texts", "Files whose tables are part of the scene.");
    d.add("world", &S::world, table(describe_world()), "Gravity.");
    d.add("time", &S::time, table(describe_time()), "Duration, step and recording interval.");
    d.add("method", &S::method, table(describe_method()), "Formulation and integrator.");
    d.add("record", &S::record, table(describe_record()), "Signals to store.");
    d.add("expect", &S::expect, table(describe_expect()), "The expected verdict.");
    d.add("material", &S::materials, named_tables(describe_material()), "Materials.");
    d.add("body", &S::bodies, named_tables(describe_body(), reserved), "Bodies.");
    d.add("joint", &S::joints, named_tables(describe_joint(), reserved), "Joints.");
    d.add("constraint", &S::constraints, named_tables(describe_constraint()), "Loops and couplings.");
    d.add("spring", &S::springs, named_tables(describe_spring()), "Springs and dampers.");
    d.add("motor", &S::motors, named_tables(describe_motor()), "Motors.");
    d.add("controller", &S::controllers, named_tables(describe_controller()), "Sampled controllers.");
    d.add("driver", &S::drivers, named_tables(describe_driver()), "Prescribed joint coordinates.");
    d.add("force", &S::forces, named_tables(describe_force()), "Applied forces.");
    d.add("contact", &S::contacts, contact_tables(), "Contact pairs.");
    return d;
  }();
  return description;
}

const std::vector<const TableInfo*>& list_tables() {
  static const std::vector<const TableInfo*> tables = {
      &describe_world().info(),    &describe_time().info(),       &describe_method().info(),
      &describe_record().info(),   &describe_expect().info(),     &describe_material().info(),
      &describe_body().info(),     &describe_shape().info(),      &describe_surface(),
      &describe_parametric(),      &describe_motion().info(),     &describe_copies().info(),
      &describe_joint().info(),    &describe_constraint().info(), &describe_spring().info(),
      &describe_motor().info(),    &describe_controller().info(), &describe_driver().info(),
      &describe_force().info(),    &describe_contact().info(),    &describe_normal().info(),
      &describe_friction().info(), &describe_layer().info()};
  return tables;
}

}  // namespace stiction
