#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/text.h"
#include "stiction/report/collect_contact_sums.h"
#include "stiction/report/collect_contacts.h"
#include "stiction/report/collect_faults.h"
#include "stiction/report/collect_frames.h"
#include "stiction/report/collect_shapes.h"
#include "stiction/report/collect_signals.h"
#include "stiction/report/page_data.h"
#include "stiction/report/share_budget.h"
#include "stiction/results/run_model.h"

namespace stiction {
namespace {

// The bodies' tracks; those that were not recorded stand where the scene puts them.
void add_tracks(const RunModel& model, TrackReader& reader, PageData& page) {
  std::vector<std::string> missing;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    PageBody& body = page.bodies[b];
    if (b > 0) body.track = reader.read(body.name);
    if (!body.track.empty()) continue;
    const Transform& X_WB = model.bodies[b].X_WB;
    body.track = {{X_WB.p}, {calc_quaternion(X_WB.R)}};
    if (!body.fixed) missing.push_back(body.name);
  }
  if (!missing.empty()) {
    const std::size_t count = missing.size();
    if (count > 5) missing.resize(5), missing.push_back("others");
    page.notes.push_back(fmt::format("The motion of {} was not recorded: {} shown at the start.", join_words(missing),
                                     count == 1 ? "it is" : "they are"));
  }
}

// Of the bodies that have a size or move, at all frames; where a run flies apart, near its start.
void set_bounds(PageData& page) {
  Eigen::AlignedBox3d all, start;
  for (std::size_t b = 1; b < page.bodies.size(); ++b) {
    const PageBody& body = page.bodies[b];
    if (body.radius == 0 && body.fixed) continue;
    const Vec3 margin = Vec3::Constant(body.radius);
    for (const Vec3& p : body.track.positions) all.extend(p - margin), all.extend(p + margin);
    start.extend(body.track.positions.front() - margin), start.extend(body.track.positions.front() + margin);
  }
  if (all.isEmpty()) return;
  const double at_start = 0.5 * start.diagonal().norm();
  const bool flies_apart = at_start > 0 && 0.5 * all.diagonal().norm() > 50 * at_start;
  const Eigen::AlignedBox3d& shown = flies_apart ? start : all;
  page.center = shown.center();
  const double size = 0.5 * shown.diagonal().norm() * (flies_apart ? 3 : 1);
  if (size > 0) page.size = size;
}

// Does nothing that moves leave the plane normal to this axis, the same for all bodies up to their size?
bool moves_in_plane(const PageData& page, int axis) {
  double low = std::numeric_limits<double>::infinity(), high = -low, radius = 0;
  for (const PageBody& body : page.bodies) {
    if (body.track.positions.size() < 2) continue;
    const double level = body.track.positions.front()[axis];
    low = std::min(low, level), high = std::max(high, level), radius = std::max(radius, body.radius);
    for (const Vec3& p : body.track.positions) {
      if (std::abs(p[axis] - level) > 1e-9 * page.size) return false;
    }
    for (const Quaternion& q : body.track.orientations) {
      for (int k = 0; k < 3; ++k) {
        if (k != axis && std::abs(q.vec()[k]) > 1e-9) return false;
      }
    }
  }
  return high - low <= 2 * radius + 1e-9 * page.size;
}

void add_pair_facts(const ContactModel& model, PageData& page) {
  const std::vector<ContactShape>& shapes = model.shapes;
  const auto find = [&](const std::string& name) {
    const auto at = std::find_if(shapes.begin(), shapes.end(), [&](const ContactShape& s) { return s.name == name; });
    return at == shapes.end() ? -1 : static_cast<int>(at - shapes.begin());
  };
  for (PagePair& pair : page.contacts.pairs) {
    const int a = find(pair.a), b = find(pair.b);
    if (a < 0 || b < 0) continue;
    pair.body_a = shapes[static_cast<std::size_t>(a)].body;
    pair.body_b = shapes[static_cast<std::size_t>(b)].body;
    const int rule = model.find_rule(a, b);
    if (rule >= 0) pair.friction = model.rules[static_cast<std::size_t>(rule)].law.friction;
  }
}

// What `check` warns of, and a run at its start: of what may happen, so that it is told and not judged.
void add_description(const RunDescription& description, PageData& page) {
  page.title = description.title;
  page.paper = description.paper;
  page.expected = description.expected;
  page.because = description.because;
  page.parameters = description.parameters;
  if (description.rigid_contact || description.compliant_contact) page.step = description.step;
  for (const std::string& warning : description.warnings)
    page.notes.push_back("Warned of before the run: " + warning + ".");
}

std::vector<double> list_wanted_times(const RunReader& run, const PageData& page) {
  std::vector<double> wanted;
  for (const StepEvent& event : thin_events(page.events, 2000)) wanted.push_back(event.t);
  if (const double peak = find_peak_time(run); peak >= 0) wanted.push_back(peak);
  return wanted;
}

// Times must ascend for anything to be placed by them.
std::vector<double> read_times(const RunReader& run, PageData& page) {
  std::vector<double> times = run.times();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isfinite(times[i]) && (i == 0 || times[i] > times[i - 1])) continue;
    page.notes.push_back(
        fmt::format("The recorded times do not increase after sample {}: later samples are not shown.", i));
    page.verdict.add({.measure = "times",
                      .trust = Trust::do_not_trust,
                      .time = i > 0 ? times[i - 1] : -1,
                      .text = fmt::format("they do not increase after sample {}", i),
                      .remedy = spoilt_file_remedy});
    times.resize(i);
  }
  return times;
}

void add_events(const RunReader& run, const PageLimits& limits, PageData& page) {
  page.events = run.events();
  page.event_count = static_cast<std::int64_t>(page.events.size());
  if (page.event_count <= limits.events) return;
  page.events = thin_events(page.events, static_cast<std::size_t>(limits.events));
  page.notes.push_back(
      fmt::format("{1} of {0} events are listed, spread over the whole run; all events of rare kinds are kept.",
                  page.event_count, page.events.size()));
}

// The samples that the replay shows.
std::vector<std::size_t> add_frames(const RunReader& run, const std::vector<double>& times, int moving_bodies,
                                    const PageLimits& limits, PageData& page) {
  const auto most = static_cast<std::size_t>(
      std::clamp<std::int64_t>(limits.pose_numbers / (7 * std::max(moving_bodies, 1)), 300, limits.frames));
  const bool thinned = times.size() > most;
  std::vector<std::size_t> frames =
      choose_frames(times, most, thinned ? list_wanted_times(run, page) : std::vector<double>{});
  for (const std::size_t frame : frames) page.times.push_back(times[frame]);
  if (thinned) {
    page.notes.push_back(
        fmt::format("The replay shows {} of {} samples; plots keep every peak.", frames.size(), times.size()));
  }
  return frames;
}

void add_contacts(const RunReader& run, const std::vector<double>& times, const PageLimits& limits, PageData& page) {
  PageContacts& contacts = page.contacts = collect_contacts(run, page.times, limits);
  contacts.sums = collect_contact_sums(run, times, contacts, page.step, limits);
  if (contacts.shown < contacts.at_frames) {
    page.notes.push_back(
        fmt::format("{1} of {0} contacts are drawn: the largest at each time.", contacts.at_frames, contacts.shown));
  }
  // Four curves each, of all contacts first.
  const std::size_t counted = contacts.sums.signals.size() / 4;
  if (counted > 0) {
    page.notes.push_back(fmt::format(
        "Curves of all contacts{} include every recorded contact{}.",
        counted > 1 ? fmt::format(" and of {} pair{}", counted - 1, counted == 2 ? "" : "s") : "",
        counted <= contacts.pairs.size() ? "; curves of other pairs include the drawn contacts only, and say so" : ""));
  }
}

void add_broken_pose(const BrokenPose& broken, double time, PageData& page) {
  page.notes.push_back(
      fmt::format("At {:.6g} s {}: such samples show the body at its last valid pose.", time, broken.words));
  page.verdict.add(
      {.measure = "poses",
       .trust = broken.level,
       .time = time,
       .text = broken.words,
       .remedy = "Take a smaller time.step; where the run ended well, its file was changed: run the scene again"});
}

std::string describe_status(const RunReader& run, RunStatus status) {
  if (status != RunStatus::running) return name_of(status);
  return run.is_being_written() ? "running" : "killed";
}

}  // namespace

PageData collect_page(const RunReader& run, const std::string& name, const PageLimits& limits) {
  PageData page;
  page.name = name;
  page.version = run.program_version();
  page.summary = run.summary();
  page.status = describe_status(run, page.summary.status);
  page.scene = run.scene();
  const RunDescription description = run.description();
  add_description(description, page);
  add_events(run, limits, page);

  const std::vector<double> times = read_times(run, page);
  page.samples = static_cast<std::int64_t>(times.size());
  const RunModel model = run.model();
  TrackReader tracks(run, add_frames(run, times, static_cast<int>(model.bodies.size()) - 1, limits, page));
  page.up = model.up;
  page.bodies = list_bodies(model);
  add_tracks(model, tracks, page);
  set_bounds(page);
  add_shapes(model, 1.6 * page.size, page);
  if (const auto& broken = tracks.broken()) add_broken_pose(*broken, times[broken->sample], page);
  for (int axis = 2; axis >= 0 && page.planar_axis < 0; --axis) {
    if (moves_in_plane(page, axis)) page.planar_axis = axis;
  }
  page.signals = collect_signals(run, times, limits);
  add_contacts(run, times, limits, page);
  add_pair_facts(model.contact, page);
  add_faults(run, times, page);
  for (Judgement& judgement : judge(page.summary, description).judgements) page.verdict.add(std::move(judgement));
  return page;
}

}  // namespace stiction
