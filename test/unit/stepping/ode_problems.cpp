#include "ode_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace stiction::test {

std::vector<IntegratorInfo> select(const std::function<bool(const IntegratorInfo&)>& wanted) {
  std::vector<IntegratorInfo> selected;
  std::copy_if(integrators().begin(), integrators().end(), std::back_inserter(selected), wanted);
  return selected;
}

std::vector<OdeEvent> run(OdeIntegrator& integrator, double& t, VecX& y, double t_end, double interval,
                          const std::function<void(const OdeReport&)>& observe) {
  std::vector<OdeEvent> events;
  auto k = static_cast<long>(std::floor(t / interval + 1e-9));
  while (t < t_end) {
    const double t_limit = std::min(t_end, static_cast<double>(k + 1) * interval);
    const double t_before = t;
    const OdeReport& report = integrator.advance(t, y, t_limit);
    EXPECT_EQ(report.status, OdeStatus::ok);
    EXPECT_GT(t, t_before);
    EXPECT_LE(t, t_limit);
    if (report.status != OdeStatus::ok || !(t > t_before)) break;
    events.insert(events.end(), report.events.begin(), report.events.end());
    if (observe) observe(report);
    if (t >= t_limit) ++k;
  }
  return events;
}

}  // namespace stiction::test
