#include <fmt/format.h>

#include <cmath>

#include "stiction/base/text.h"
#include "stiction/results/contact_groups.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/complete.h"
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

void list_record_notices(const Scene& scene, const System& system, std::vector<Notice>& notices) {
  if (ContactGroups(system.contact, {}).is_by_body())
    remark_on_recording(
        notices,
        fmt::format("more than {} pairs of bodies can touch under [contact.default]: its contact signals are one "
                    "set a body (contact.BODY.force and so on); a pair is recorded where record.signals names "
                    "it (\"contact.A/B.*\"), or under a table of its own",
                    ContactGroups::most_default_pairs));
  const TimeSpec& time = scene.time;
  if (time.output && !is_adaptive(scene) && !is_whole_number(*time.output / time.step))
    remark_on_recording(
        notices,
        fmt::format("time.output {} s is not a whole number of steps of {} s: each sample is that of the first "
                    "step which ends at its recording time or after it",
                    format_number(*time.output), format_number(time.step)));
}

}  // namespace stiction
