#include <fmt/format.h>

#include <cmath>

#include "stiction/base/text.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/notices.h"

namespace stiction {
namespace {

/// Up to rounding.
bool is_whole_number(double ratio) {
  return std::abs(ratio - std::round(ratio)) < 1e-9 * ratio && std::round(ratio) >= 1;
}

void remark_on_recording(std::vector<Notice>& notices, const std::string& text) {
  Notice& notice = notices.emplace_back();
  notice.kind = Notice::Kind::remark;
  notice.text = text;
}

}  // namespace

void list_record_notices(const Scene& scene, const System&, std::vector<Notice>& notices) {
  const TimeSpec& time = scene.time;
  if (time.output && !is_adaptive(scene) && !is_whole_number(*time.output / time.step))
    remark_on_recording(
        notices, fmt::format("time.output {} s is not a whole number of steps of {} s: each sample is that of the first "
                             "step which ends at its recording time or after it",
                             format_number(*time.output), format_number(time.step)));
}

}  // namespace stiction
