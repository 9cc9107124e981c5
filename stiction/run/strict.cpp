#include "stiction/run/strict.h"

#include <optional>

#include "stiction/results/verdict.h"

namespace stiction {
namespace {

std::string format_cause(const Judgement& cause) {
  return std::string(strict_prefix) + format_judgement(cause) + ". " + cause.remedy;
}

}  // namespace

std::string find_cause_at_step(const Recorder& recorder, const RunDescription& description) {
  const std::optional<TrustMeasure> cause = find_cause(recorder.extremes(), description);
  if (!cause) return {};
  const RunMeasures measures = recorder.measures();
  const MeasuredWorst& worst = measures.worst.at(info_of(*cause).name);
  return format_cause(judge_measure(*cause, worst, measures.exchanged, description, true));
}

std::string find_cause_at_end(const Recorder& recorder, const RunDescription& description) {
  RunSummary summary;
  summary.status = RunStatus::completed;
  summary.measures = recorder.measures();
  const std::vector<Judgement> reasons = judge(summary, description).reasons();
  return reasons.empty() ? std::string() : format_cause(reasons.front());
}

}  // namespace stiction
