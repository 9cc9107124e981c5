#pragma once

#include <string>
#include <vector>

#include "stiction/multibody/system.h"
#include "stiction/scene/scene.h"

namespace stiction {

/// Something a user should know of a scene that is no fault: one sentence.
struct Notice {
  /// remark: what is in effect, and what the chosen method takes of a table that serves others, too. warning: the
  /// motion may not be the one that the scene describes.
  enum class Kind { remark, warning };
  Kind kind = Kind::remark;
  std::string text;
};

/// All of them, for `stiction check`.
std::vector<Notice> list_notices(const Scene& scene, const System& system);
/// The texts of the warnings among them, for every run.
std::vector<std::string> list_warnings(const Scene& scene, const System& system);

/// The parts of list_notices that fill files of their own.
/// angle_notices.cpp: angles of joints, motors and springs that look like degrees and count as rad.
void list_angle_notices(const Scene& scene, std::vector<Notice>& notices);
/// step_notices.cpp: is a fixed explicit step too long for the damping there is?
void list_step_notices(const Scene& scene, const System& system, std::vector<Notice>& notices);
/// tolerance_notices.cpp: do the tolerances of an adaptive integrator resolve sticking?
void list_tolerance_notices(const Scene& scene, const System& system, std::vector<Notice>& notices);
/// layer_notices.cpp: are layers too thick for their bodies?
void list_layer_notices(const System& system, std::vector<Notice>& notices);
/// record_notices.cpp: where the record differs from what one may expect of [time] and [record].
void list_record_notices(const Scene& scene, const System& system, std::vector<Notice>& notices);

}  // namespace stiction
