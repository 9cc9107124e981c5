#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "stiction/geometry/shape/tessellation.h"
#include "stiction/results/run_store.h"
#include "stiction/results/verdict.h"

namespace stiction {

/// What the report page shows of one run, as plain data: read from the run folder, never simulated again. Whatever a
/// run does not record is left empty, and the page does not offer it. SI units, world axes unless stated.

/// Where a body is, frame by frame; one entry where it never moves, none where that was not recorded.
struct PageTrack {
  std::vector<Vec3> positions;
  std::vector<Quaternion> orientations;
  bool empty() const { return positions.empty(); }
};

struct PageBody {
  std::string name;
  bool fixed = false;
  double radius = 0;  ///< of its bounded shapes about its origin [m]; 0: none
  PageTrack track{};
};

/// A mesh in its place on a body: X_BS, with the mesh scaled by `scale` along its own axes.
struct PageInstance {
  enum class Kind {
    solid,
    hollow,  ///< seen from within: drawn as glass
    plane    ///< a half-space: z is its outward normal, no mesh
  };
  Kind kind = Kind::solid;
  int body = 0;
  std::string part;  ///< BODY, or BODY.PART
  int mesh = -1;
  Transform X_BS;
  Vec3 scale = Vec3::Ones();
};

struct PageJoint {
  std::string name, kind;
  int parent = 0, child = 0;  ///< into PageData::bodies
  Transform X_PF;             ///< the axis of the joint is z of F
};

/// A line between two points of bodies.
struct PageSpring {
  std::string name;
  int a = 0, b = 0;
  Vec3 at_a = Vec3::Zero(), at_b = Vec3::Zero();
};

/// One signal at the instants of PageSignals::times; a single value where it is constant.
struct PageSignal {
  SignalInfo info;
  std::vector<double> values;
};

/// Up to a few thousand instants: the samples themselves, or of each of as many intervals the least and the greatest
/// value, in their order, so that no peak is lost.
struct PageSignals {
  std::vector<double> times;
  std::vector<PageSignal> signals;
  bool thinned = false;
};

/// Two shapes that touched.
struct PagePair {
  std::string a, b;              ///< names of the shapes
  int body_a = -1, body_b = -1;  ///< -1: unknown to the run
  double friction = -1;          ///< mu [-]; < 0: unknown
};

struct PageContact {
  int pair = 0;
  ContactRecord record;
};

struct PageContacts {
  std::vector<PagePair> pairs;
  std::vector<std::vector<PageContact>> frames;  ///< by frame; empty: none recorded
  double peak_impulse = 0;                       ///< of all recorded contacts, also those left out [N s]
  std::int64_t recorded = 0, at_frames = 0, shown = 0;
  PageSignals sums;  ///< over all recorded contacts (collect_contact_sums.h); empty: all are shown
  /// What is wrong with the first recorded contact that cannot be, in words, and when that is; empty: all can be.
  std::string fault;
  double fault_time = -1;
};

struct PageData {
  std::string name;  ///< of the run folder
  std::string title, paper, version, status;
  RunSummary summary;
  SceneText scene;
  std::map<std::string, std::string> parameters;  ///< in effect, by their key in the scene
  std::vector<std::string> notes;                 ///< what is not shown, or only in part, and why

  Vec3 up = Vec3::UnitZ();
  int planar_axis = -1;  ///< 0, 1, 2: everything moves normal to x, y or z; -1: in space
  double step = 0;       ///< over which contact impulses act; 0: unknown [s]
  double size = 1;       ///< of what is shown: half the diagonal of its bounds [m]
  Vec3 center = Vec3::Zero();

  std::vector<double> times;  ///< of the frames
  std::int64_t samples = 0;   ///< recorded
  std::vector<PageBody> bodies;
  std::vector<Tessellation> meshes;
  std::vector<PageInstance> instances;
  std::vector<PageJoint> joints;
  std::vector<PageSpring> springs;
  PageSignals signals;
  PageContacts contacts;
  std::vector<StepEvent> events;
  std::int64_t event_count = 0;   ///< recorded
  Verdict verdict;                ///< what reading the run found first, then the verdict of the run itself
  std::string expected, because;  ///< what the scene expects of it
};

/// How much of a run a page holds.
struct PageLimits {
  std::int64_t pose_numbers = 4'000'000;  ///< frames times moving bodies times 7
  std::int64_t signal_numbers = 6'000'000;
  int frames = 20'000, signal_points = 8192;
  std::int64_t contacts = 400'000;
  std::int64_t contact_sum_numbers = 2'000'000;
  int events = 20'000;
};

/// Reads a run; its scene is shown as text and not read. IoError if it is damaged.
PageData collect_page(const RunReader& run, const std::string& name, const PageLimits& limits = {});

}  // namespace stiction
