#include <fmt/format.h>

#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

namespace dim = dimension;

void check_coupler(ReadContext& context, const Node& node, ConstraintSpec& constraint) {
  const Node* ratios = find_member(node, "ratios");
  if (!ratios || constraint.ratios.empty() || constraint.joints.empty()) return;
  if (constraint.ratios.size() == constraint.joints.size()) return;
  const ReadContext::Scope scope(context, "ratios");
  context.fail(*ratios, fmt::format("expected as many ratios as joints, {}, got {}", constraint.joints.size(),
                                    constraint.ratios.size()));
}

}  // namespace

const Description<ConstraintSpec>& describe_constraint() {
  static const Description<ConstraintSpec> description = [] {
    using C = ConstraintSpec;
    Description<C> d("[constraint.NAME]", "Closes a loop between two bodies, or couples joints.");
    d.set_types({{"point", "A point of b coincides with a point of a."},
                 {"axis", "A direction of b stays parallel to a direction of a."},
                 {"weld", "b keeps its position and orientation relative to a."},
                 {"distance", "Two points keep their distance."},
                 {"coupler", "The weighted sum of joint coordinates stays constant: gears, racks, differentials.",
                  "sum ratio_i q_i = offset"}},
                &C::type, [](const std::string& type) {
                  C constraint;
                  constraint.type = type;
                  return constraint;
                });
    const std::vector<std::string> between_bodies = {"point", "axis", "weld", "distance"};
    const std::vector<std::string> at_points = {"point", "weld", "distance"};
    d.add_for(between_bodies, "a", &C::a, text(), "A body, or \"world\".");
    d.add_for(between_bodies, "b", &C::b, text(), "The other body.").must_be_given();
    d.add_for(at_points, "at_a", &C::at_a, vector(dim::length), "The point in a's frame.");
    d.add_for(at_points, "at_b", &C::at_b, vector(dim::length), "The point in b's frame.")
        .by_default("the point of b at that position initially; for a distance, b's origin");
    d.add_for({"axis"}, "axis_a", &C::axis_a, axis(), "The direction in a's frame.");
    d.add_for({"axis"}, "axis_b", &C::axis_b, axis(), "The direction in b's frame.")
        .by_default("the direction of b that is parallel initially");
    d.add_for({"distance"}, "length", &C::length, quantity(dim::length, above(0)), "The distance.")
        .by_default("the initial distance");
    d.add_for({"coupler"}, "joints", &C::joints, texts(), "Joints, or coordinates of joints such as \"slide.angle\".")
        .must_be_given();
    d.add_for({"coupler"}, "ratios", &C::ratios, quantities(dim::number),
              "One factor for each joint, for coordinates in m and rad.")
        .must_be_given();
    d.add_for({"coupler"}, "offset", &C::offset, quantity(dim::number),
              "The value of the sum, for coordinates in m and rad.")
        .by_default("the initial value");
    d.set_check(check_coupler);
    d.set_example(
        "[constraint.closure]\ntype = \"point\"\na = \"rod\"\nb = \"slider\"\nat_a = [0.4, 0, 0]\n\n"
        "[constraint.gears]\ntype = \"coupler\"\njoints = [\"pinion\", \"wheel\"]\nratios = [1, 3]\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
