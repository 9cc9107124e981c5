#pragma once

#include "test/unit/multibody/element_systems.h"

namespace stiction {

/// Linkages in the x-y plane with known geometry, built in several ways.
enum class LinkageForm {
  tree,           ///< revolute chain; the loop closed by all rows of a spatial joint
  planar_tree,    ///< the same with only the rows that act in the plane
  free_bodies,    ///< spatial bodies, every joint as constraints: the loop is redundant
  planar_bodies,  ///< planar bodies, every joint as constraints in the plane
};

/// A bar between two pins; the body's origin is the first pin, its x axis points to the second, its mass centre is
/// midway.
struct Link {
  double length = 1;
  double mass = 1;
  double inertia = 0.1;  ///< about z at the centre
  double angle = 0;      ///< of the x axis against the world's
  double rate = 0;       ///< of the angle
};

struct Linkage {
  System system;
  State state;
};

/// Links pinned one to the next about z, the first to the world at the origin, the last to the world where its end
/// stands. The angles say how they stand, the rates how they move; the loop closes if they fit.
Linkage make_closed_chain(const std::vector<Link>& links, LinkageForm form);

/// Crank, coupler and rocker of a four-bar with ground pins at the origin and at (2, 0, 0), at a crank angle and rate;
/// the other angles from the triangle of coupler, rocker and diagonal, the other rates from the closed loop's velocity.
std::vector<Link> make_four_bar(double crank_angle, double crank_rate);

/// Crank (pinned at the origin), rod, and a piston that slides along x, pinned to the rod's end.
struct SliderCrank {
  Link crank{0.5, 1.5, 0.05, 0.7, 3};
  Link rod{1.3, 0.8, 0.12};  ///< its angle and rate follow from the crank's
  double piston_mass = 2;
};
/// Bodies 1, 2, 3 = crank, rod, piston as a tree; the pin of rod and piston as constraint. `driven`: the crank's angle
/// is prescribed, at constant rate.
Linkage make_slider_crank(const SliderCrank& given, bool driven, bool planar_rows);

}  // namespace stiction
