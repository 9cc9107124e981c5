#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "stiction/base/text.h"
#include "stiction/contact/hertz_stiffness.h"
#include "stiction/contact/point_follower.h"
#include "stiction/geometry/shape/shape_features.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/cut_shape.h"
#include "stiction/multibody/equations.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/compile_draft.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/compile/formula_laws.h"

namespace stiction {
namespace {

constexpr double standard_gravity = 9.81, usual_poisson = 0.3, usual_coulomb_tolerance = 1e-3;

std::string path_of(const std::string& table) {
  return table == "default" ? "contact.default" : fmt::format("contact.\"{}\"", table);
}

double of_body(const std::vector<double>& values, std::size_t body, double otherwise) {
  return values.empty() ? otherwise : values[std::min(body, values.size() - 1)];
}

/// k_v of each body: given, or that of a layer of depth h that cannot widen (Johnson, Contact Mechanics, 1985, section
/// 4.3): E (1 - nu) / ((1 + nu) (1 - 2 nu)) / h.
struct VolumeStiffness {
  double a, b;
  double of_pair() const { return a * b / (a + b); }              ///< (4.132)
  double calc_plate_offset() const { return (a - b) / (a + b); }  ///< of (4.143)
};
VolumeStiffness make_volume_stiffness(const NormalSpec& spec) {
  if (spec.volume_stiffness.size() == 1) return {2 * spec.volume_stiffness[0], 2 * spec.volume_stiffness[0]};
  if (spec.volume_stiffness.size() == 2) return {spec.volume_stiffness[0], spec.volume_stiffness[1]};
  const auto of_layer = [&](std::size_t body) {
    const double nu = of_body(spec.poisson, body, usual_poisson);
    return of_body(spec.modulus, body, 0) * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / of_body(spec.layer, body, 1);
  };
  return {of_layer(0), of_layer(1)};
}

VolumeSettings make_volume_settings(const NormalSpec& spec) {
  return {spec.direction == "inertia" ? PatchNormal::inertia : PatchNormal::area,
          make_volume_stiffness(spec).calc_plate_offset(), spec.accuracy};
}

NormalLaw make_normal(const NormalSpec& spec) {
  if (spec.law == "linear") return NormalLinear{spec.stiffness.value_or(0), spec.damping};
  if (is_from_outside(spec)) return make_normal_user(spec);
  NormalPower law;
  law.exponent = spec.law == "power" ? spec.exponent : 1.5;
  law.stiffness = spec.stiffness.value_or(0);
  if (spec.law == "volume") {
    law.exponent = 1;
    law.stiffness = make_volume_stiffness(spec).of_pair();
  } else if (!spec.modulus.empty()) {
    law.effective_modulus =
        calc_effective_modulus({of_body(spec.modulus, 0, 0), of_body(spec.poisson, 0, usual_poisson)},
                               {of_body(spec.modulus, 1, 0), of_body(spec.poisson, 1, usual_poisson)});
  }
  law.restitution = spec.restitution.value_or(1);
  law.restitution_slope = spec.restitution_slope.value_or(0);
  law.rule = spec.damping_rule == "hunt_crossley"         ? DampingRule::hunt_crossley
             : spec.damping_rule == "lankarani_nikravesh" ? DampingRule::lankarani_nikravesh
                                                          : DampingRule::exact;
  law.small_velocity = spec.small_velocity;
  law.relaxation = spec.relaxation_time;
  return law;
}

PatchFriction make_patch_friction(const FrictionSpec& spec) {
  const ContensouRule rule = spec.contensou == "disc"      ? ContensouRule::disc
                             : spec.contensou == "polygon" ? ContensouRule::polygon
                                                           : ContensouRule::elliptic;
  return {rule, spec.spin_factor};
}

/// The rules of gonthier-thesis-2007, section 3.3.2, for what is left open. DEPARTURE: v_S = 1 mm/s as the thesis
/// suggests, but not below mu_C / sigma_1, where the bristles could feed energy (friction_bristle.h).
FrictionBristle make_bristle(const FrictionSpec& spec, double gravity) {
  FrictionBristle law;
  law.kinetic = spec.kinetic ? *spec.kinetic : spec.static_coefficient.value_or(0);
  law.static_coefficient = spec.static_coefficient.value_or(law.kinetic);
  law.stiffness = spec.stiffness ? *spec.stiffness
                                 : calc_bristle_stiffness(std::max(law.static_coefficient, 1e-6),
                                                          spec.presliding.value_or(usual_presliding));
  law.damping = spec.damping ? *spec.damping : calc_critical_bristle_damping(law.stiffness, gravity);
  law.viscous = spec.viscous;
  law.stribeck_velocity =
      spec.stribeck_velocity ? *spec.stribeck_velocity : std::max(usual_stribeck_velocity, law.kinetic / law.damping);
  law.dwell_time = spec.dwell_time ? *spec.dwell_time : usual_dwell_ratio * law.calc_bristle_time();
  law.tolerance = spec.tolerance_velocity ? *spec.tolerance_velocity : usual_tolerance_ratio * law.stribeck_velocity;
  law.patch = make_patch_friction(spec);
  return law;
}

FrictionLaw make_friction(const std::variant<double, FrictionSpec>& friction, double gravity) {
  if (const double* number = std::get_if<double>(&friction)) {
    if (*number == 0) return FrictionNone{};
    FrictionSpec spec;
    spec.kinetic = *number;
    return make_bristle(spec, gravity);
  }
  const FrictionSpec& spec = std::get<FrictionSpec>(friction);
  if (spec.law == "none") return FrictionNone{};
  if (is_from_outside(spec)) return make_friction_user(spec);
  if (spec.law == "coulomb")
    return FrictionCoulomb{spec.kinetic.value_or(0), spec.viscous,
                           spec.tolerance_velocity.value_or(usual_coulomb_tolerance), make_patch_friction(spec)};
  if (spec.law == "spring")
    return FrictionSpring{spec.kinetic.value_or(0), spec.stiffness.value_or(0),         spec.damping.value_or(0),
                          spec.torsional_stiffness, spec.torsional_damping.value_or(0), spec.radius.value_or(0)};
  return make_bristle(spec, gravity);
}

/// The mass that a table is about: the largest of the bodies it names, or of all bodies.
double find_usual_mass(const Draft& draft, const ContactSpec& spec) {
  double named = 0, any = 0;
  for (const BodyDraft& body : draft.bodies) {
    if (!body.spec || body.spec->fixed) continue;
    any = std::max(any, body.mass.mass);
    const auto is_named = [&](const std::string& side) { return side.substr(0, side.find('.')) == body.name; };
    if (is_named(spec.a) || is_named(spec.b)) named = std::max(named, body.mass.mass);
  }
  return named > 0 ? named : any > 0 ? any : 1;
}

double find_smallest_extent(const Shape& shape) {
  const Bounds bounds = calc_bounds(shape, {});
  return (bounds.upper - bounds.lower).minCoeff();
}

/// Can it lie on a face along a line or an area?
bool can_lie_flat(const Shape& shape) {
  const ShapeFeatures features = calc_features(shape);
  return features.faces || features.flats || find_half_space(shape);
}

/// The smallest extent of shapes that the table joins and that can lie flat on each other; 0: there are none [m].
double find_face_size(const System& system, std::size_t table) {
  const ContactModel& model = system.contact;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    const Shape& A = model.shapes[i].shape;
    if (!can_lie_flat(A)) continue;
    for (std::size_t j = i + 1; j < model.shapes.size(); ++j) {
      const Shape& B = model.shapes[j].shape;
      if (!can_lie_flat(B) || model.find_rule(static_cast<int>(i), static_cast<int>(j)) != static_cast<int>(table))
        continue;
      smallest = std::min({smallest, find_smallest_extent(A), find_smallest_extent(B)});
    }
  }
  return std::isfinite(smallest) ? smallest : 0;
}

/// A hollow shape of the table that holds bodies with edges or flats, such as a bore with a peg; "": there is none.
std::string find_bore(const System& system, std::size_t table) {
  const ContactModel& model = system.contact;
  const auto is_hollow = [](const Shape& shape) { return !is_bounded(shape) && !find_half_space(shape); };
  const auto has_edges = [](const Shape& shape) {
    const ShapeFeatures features = calc_features(shape);
    return is_bounded(shape) && (features.faces || features.edges || features.flats);
  };
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    if (!is_hollow(model.shapes[i].shape)) continue;
    for (std::size_t j = 0; j < model.shapes.size(); ++j) {
      if (has_edges(model.shapes[j].shape) &&
          model.find_rule(static_cast<int>(std::min(i, j)), static_cast<int>(std::max(i, j))) ==
              static_cast<int>(table))
        return model.shapes[i].name;
    }
  }
  return {};
}

/// Of a positive number.
double round_to_one_digit(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  return std::round(value / power) * power;
}

/// An adaptive integrator. `cvode_bdf` takes long steps at rest, but one evaluation a state for its Jacobian. Measured
/// on rolling billiard balls, its CPU time against that of `dormand_prince`: 1 body 3 times, 4 bodies 8, 6 bodies 21
/// (0.15 s); a break of 16, 22 (0.02 s). Half of the limit: 1 body is 3 times faster and gains nothing at rest; double:
/// 4 bodies are 8 times slower.
std::string suggest_integrator(const Draft& draft) {
  constexpr int most_bodies = 2;
  const auto moves = [](const BodyDraft& body) { return body.spec && !body.spec->fixed; };
  return std::count_if(draft.bodies.begin(), draft.bodies.end(), moves) > most_bodies ? "dormand_prince" : "cvode_bdf";
}

/// A law that any body can take: pressed in by half a millimetre by its weight, a patch of the size of the faces by a
/// thousandth of that size; and stiff, so that the integrator has error control.
std::string suggest_normal_law(const Draft& draft, const System& system, std::size_t table, const ContactSpec& spec) {
  if (const std::string bore = find_bore(system, table); !bore.empty())
    return fmt::format(
        "inside of {} a body touches at several places, but a normal law of points has one contact a pair: use "
        "method.type = \"cone\", or build the bore of cells with law = \"volume\" as `stiction examples show "
        "peg_in_hole`",
        quote(bore));
  constexpr double stiffness_per_mass = 1e6, dead_restitution = 0.1, usual_restitution = 0.5, face_depth = 1e-3;
  const double e = !spec.restitution ? usual_restitution : *spec.restitution > 0 ? *spec.restitution : dead_restitution;
  const double mass = find_usual_mass(draft, spec);
  const double face_size = find_face_size(system, table);
  const bool faces = face_size > 0;
  const double stiffness =
      faces ? mass * standard_gravity / (face_depth * face_size * face_size * face_size) : stiffness_per_mass * mass;
  std::string text = fmt::format("{}{} normal = {{ law = \"{}\", stiffness = {}, restitution = {} }}",
                                 faces ? "bodies can lie flat on each other here: " : "",
                                 spec.restitution ? "replace restitution by" : "add", faces ? "volume" : "hertz",
                                 format_number(round_to_one_digit(stiffness)), format_number(e));
  if (!is_adaptive(draft.scene))
    text += fmt::format(" and set method.integrator = {}", quote(suggest_integrator(draft)));
  return text + (faces ? "; or use method.type = \"cone\", which takes piles many times faster"
                       : "; `stiction material` suggests parameters for a material");
}

double find_gravity(const Scene& scene) {
  const double g = scene.world.gravity.norm();
  return g > 0 ? g : standard_gravity;
}

FrictionEllipse make_ellipse(const ContactSpec& spec) {
  FrictionEllipse ellipse{.along = spec.ellipse[0], .across = spec.ellipse[1]};
  if (spec.ellipse.size() == 3) ellipse.spin_radius = spec.ellipse[2];
  if (!spec.direction.isZero()) ellipse.direction = spec.direction;
  return ellipse;
}

CompliantLaw make_compliant_law(const ContactSpec& spec, double gravity) {
  CompliantLaw law{make_normal(*spec.normal), make_friction(spec.friction, gravity)};
  if (const auto* friction = std::get_if<FrictionSpec>(&spec.friction)) law.initial_dwell = friction->initial_dwell;
  law.follow = spec.points == "followed";
  law.plane = spec.plane;
  if (!spec.ellipse.empty()) law.ellipse = make_ellipse(spec);
  if (spec.normal->law == "volume") law.volume = make_volume_settings(*spec.normal);
  return law;
}

/// What a law cannot do in compliant contact.
void check_friction_law(Draft& draft, const std::string& table, const ContactSpec& spec) {
  const auto* friction = std::get_if<FrictionSpec>(&spec.friction);
  if (!spec.ellipse.empty() && spec.normal->law == "volume")
    draft.fault(path_of(table) + ".ellipse",
                "a patch with volume has no friction ellipse: its laws integrate isotropic friction over the patch",
                "remove it, or take a normal law of points");
  if (spec.plane && spec.normal->law == "volume")
    draft.fault(path_of(table) + ".plane", "a patch with volume has its own plane",
                "remove it, or take a normal law of points");
  if (spec.ellipse.size() == 3 && spec.ellipse[2] > 0 && friction && friction->law == "spring")
    draft.fault(path_of(table) + ".ellipse", "the law \"spring\" has its own spin moment",
                "remove the third number, and give torsional_stiffness and radius");
  if (friction && friction->law == "coulomb" && (friction->static_coefficient || friction->dwell_time))
    draft.fault(
        path_of(table) + ".friction",
        "the law \"coulomb\" of method \"compliant\" has no static friction: it is regularised and never sticks",
        "take law = \"bristle\", or a rigid method");
}

/// Of bodies that move in x-y: balls that lie behind each other, along z, are one, in the plane.
std::vector<SupportBall> list_balls(const ContactShape& shape, bool planar) {
  std::vector<SupportBall> balls = list_support_balls(shape.shape);
  if (!planar) return balls;
  constexpr double rounding = 1e-12;  // of the shape's size: what turning a corner costs
  const Vec3 across = shape.X_BS.R.transpose().col(2);
  const double same = rounding * calc_reach(shape.shape);
  std::vector<SupportBall> flat;
  for (SupportBall ball : balls) {
    ball.centre -= across.dot(ball.centre) * across;
    if (std::none_of(flat.begin(), flat.end(), [&](const SupportBall& other) {
          return (other.centre - ball.centre).norm() <= same && other.radius == ball.radius;
        }))
      flat.push_back(ball);
  }
  return flat;
}

/// Bodies come to rest on a plane with what is flat of them; two bodies with flats seldom do on each other.
bool may_lie_flat(const Shape& A, const Shape& B) {
  return (find_half_space(A) && calc_features(B).flats) || (find_half_space(B) && calc_features(A).flats);
}

bool is_point(const Shape& shape) {
  return is_bounded(shape) && calc_reach(shape) == 0;
}

class SlotBuilder {
 public:
  SlotBuilder(Draft& draft, System& system) : draft_(draft), system_(system), model_(system.contact) {}

  void build() {
    for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
      for (std::size_t j = i + 1; j < model_.shapes.size(); ++j) add_pair(static_cast<int>(i), static_cast<int>(j));
    }
    // Touch modes behind those of springs, stick modes behind all that have a guard.
    const int n = static_cast<int>(model_.slots.size()), first = system_.n_modes;
    for (int i = 0; i < n; ++i) {
      CompliantSlot& slot = model_.slots[static_cast<std::size_t>(i)];
      slot.touch_mode = first + i;
      slot.stick_mode = first + n + i;
    }
    system_.n_modes += n;
    system_.initial.modes.resize(static_cast<std::size_t>(first + 2 * n), 0);
    const VecX z = system_.initial.z;
    system_.initial.z = VecX::Zero(system_.nz);
    system_.initial.z.head(z.size()) = z;
  }

 private:
  void add_pair(int i, int j) {
    const int rule = model_.find_rule(i, j);
    if (rule < 0) return;
    const ContactShape &a = shape(i), &b = shape(j);
    const CompliantLaw& law = *model_.rules[static_cast<std::size_t>(rule)].compliant;
    const std::string& table = model_.rules[static_cast<std::size_t>(rule)].name;
    if (needs_curvature(law)) check_curvature(a, b, table);
    if (law.follow && (!can_be_followed(a.shape) || !can_be_followed(b.shape))) {
      draft_.fault(path_of(table) + ".points",
                   fmt::format("the closest points of \"{}\" and \"{}\" cannot be followed", a.name, b.name),
                   "followed points are for spheres, ellipsoids, superquadrics and half-spaces");
    }
    CompliantSlot slot{.shape_a = i, .shape_b = j, .rule = rule};
    const ContactRule& named = model_.rules[static_cast<std::size_t>(rule)];
    slot.turned = (law.ellipse || law.plane) && !named.a.empty() && names(named.b, a) && !names(named.a, a);
    slot.planar = (a.planar || !a.moves_freely) && (b.planar || !b.moves_freely);
    if (law.volume) return add_volume(slot, law, table);
    const bool plane_is_a = find_half_space(a.shape) != nullptr;
    if (plane_is_a || find_half_space(b.shape)) {
      const std::vector<SupportBall> balls = list_balls(plane_is_a ? b : a, slot.planar);
      slot.kind = plane_is_a ? CompliantSlot::Kind::ball_of_b : CompliantSlot::Kind::ball_of_a;
      for (const SupportBall& ball : balls) {
        slot.centre = ball.centre, slot.radius = ball.radius;
        add(slot, false);
        ++slot.point;
      }
      if (!balls.empty()) return;
    }
    slot.kind = CompliantSlot::Kind::closest;
    add(slot, law.follow);
  }

  void add_volume(CompliantSlot slot, const CompliantLaw& law, const std::string& table) {
    const ContactShape &a = shape(slot.shape_a), &b = shape(slot.shape_b);
    if (!is_bounded(a.shape) && !is_bounded(b.shape)) {
      draft_.fault(path_of(table) + ".normal",
                   fmt::format("\"{}\" and \"{}\" are both unbounded: their common volume is infinite", a.name, b.name),
                   "give one of them a bounded shape, or write touch = false for the pair");
      return;
    }
    for (const ContactShape* point : {&a, &b}) {
      if (!is_point(point->shape)) continue;
      draft_.fault(path_of(table) + ".normal", fmt::format("\"{}\" is a point: it has no volume", point->name),
                   "give it a shape with a size, or take the law \"hertz\" with a stiffness");
      return;
    }
    slot.kind = CompliantSlot::Kind::closest;
    slot.volume = true;
    // The table's numbers are those of the bodies in its own order.
    const ContactRule& rule = model_.rules[static_cast<std::size_t>(slot.rule)];
    cut(slot.shape_a), cut(slot.shape_b);
    slot.turned = law.volume->plate_offset != 0 && !rule.a.empty() && names(rule.b, a) && !names(rule.a, a);
    add(slot, false);
  }
  /// Earlier parts of its body count where they overlap it.
  void cut(int index) {
    ContactShape& part = model_.shapes[static_cast<std::size_t>(index)];
    if (!is_bounded(part.shape) || !looked_at_.insert(index).second) return;
    std::vector<OtherPart> earlier;
    for (int i = 0; i < index; ++i) {
      const ContactShape& other = shape(i);
      if (other.body == part.body && other.body_name == part.body_name && is_bounded(other.shape))
        earlier.push_back({&other.shape, part.X_BS.inverse() * other.X_BS});
    }
    CutResult result = cut_shape(part.shape, earlier);
    if (result.status == CutStatus::cut || result.status == CutStatus::swallowed)
      part.cut = std::make_shared<const CutShape>(std::move(result.shape));
  }
  static bool names(const std::string& side, const ContactShape& shape) {
    return side == shape.name || side == shape.body_name || side == shape.material;
  }

  void check_curvature(const ContactShape& a, const ContactShape& b, const std::string& table) {
    const std::string path = path_of(table) + ".normal", hint = "give stiffness instead of modulus";
    if (is_point(a.shape) || is_point(b.shape)) {
      draft_.fault(path,
                   fmt::format("\"{}\" is a point, where the curvature that Hertz needs is infinite",
                               is_point(a.shape) ? a.name : b.name),
                   hint);
    } else if (calc_features(a.shape).edges || calc_features(b.shape).edges) {
      draft_.fault(
          path,
          fmt::format("\"{}\" or \"{}\" has edges, where the curvature that Hertz needs is infinite", a.name, b.name),
          hint);
    } else if (may_lie_flat(a.shape, b.shape)) {
      draft_.fault(
          path,
          fmt::format("\"{}\" and \"{}\" can lie flat on each other, where the curvature that Hertz needs is zero",
                      a.name, b.name),
          hint);
    }
  }

  void add(CompliantSlot slot, bool follow) {
    slot.z_start = system_.nz;
    const CompliantLaw& law = *model_.rules[static_cast<std::size_t>(slot.rule)].compliant;
    slot.layout = calc_state_layout(law);
    system_.nz += slot.layout.size();
    if (follow) slot.follow_start = system_.nz, system_.nz += 6;
    model_.slots.push_back(slot);
  }

  const ContactShape& shape(int i) const { return model_.shapes[static_cast<std::size_t>(i)]; }

  Draft& draft_;
  System& system_;
  ContactModel& model_;
  std::set<int> looked_at_;  ///< shapes whose overlap with other parts is known
};

/// Contacts that touch at the start begin there.
void begin_initial_contacts(System& system) {
  State& state = system.initial;
  Equations equations(system);
  equations.correct_contacts(state);
  VecX guards(system.n_modes);
  equations.calc_guards(0, state.q, state.v, state.z, guards);
  for (std::size_t i = 0; i < system.contact.slots.size(); ++i) {
    const CompliantSlot& slot = system.contact.slots[i];
    if (!(guards[slot.touch_mode] > 0)) continue;
    state.modes[static_cast<std::size_t>(slot.touch_mode)] = 1;
    equations.switch_contact(slot.touch_mode, state);
    const CompliantLaw& law = *system.contact.rules[static_cast<std::size_t>(slot.rule)].compliant;
    ContactState memory = read_slot_state(slot, state.z.data(), true);
    set_rested(law, memory);
    if (slot.volume) memory.elastic = equations.contacts().calc_start_energy(static_cast<int>(i));
    write_slot_state(slot, memory, state.z.data());
  }
  equations.evaluate(state);
  for (const CompliantContacts::Observed& seen : equations.contacts().observed()) {
    const CompliantSlot& slot = system.contact.slots[static_cast<std::size_t>(seen.slot)];
    state.modes[static_cast<std::size_t>(slot.stick_mode)] = seen.contact.response.sticks ? 1 : 0;
  }
  state.z.head(ledger_size).setZero();
}

}  // namespace

double find_kinetic_coefficient(const ContactSpec& spec) {
  if (const double* number = std::get_if<double>(&spec.friction)) return *number;
  const FrictionSpec& law = std::get<FrictionSpec>(spec.friction);
  if (law.law == "none") return 0;
  return law.kinetic ? *law.kinetic : law.static_coefficient.value_or(0);
}

void add_compliant_contacts(Draft& draft, System& system) {
  for (std::size_t i = 0; i < draft.scene.contacts.size(); ++i) {
    const auto& [name, spec] = draft.scene.contacts[i];
    if (!spec.touch) continue;
    if (!spec.normal) {
      draft.fault(path_of(name), "method \"compliant\" needs a normal law", suggest_normal_law(draft, system, i, spec));
      continue;
    }
    check_friction_law(draft, name, spec);
    if (!check_user_laws(draft, path_of(name), spec)) continue;
    system.contact.rules[i].compliant = make_compliant_law(spec, find_gravity(draft.scene));
  }
  if (!draft.faults.empty()) return;
  SlotBuilder(draft, system).build();
  if (draft.faults.empty()) begin_initial_contacts(system);
}

}  // namespace stiction
