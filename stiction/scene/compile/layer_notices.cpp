#include <fmt/format.h>

#include "stiction/base/infinity.h"
#include "stiction/base/text.h"
#include "stiction/contact/pair_bound.h"
#include "stiction/scene/compile/notices.h"

namespace stiction {
namespace {

/// Of the box about each shape, the shortest edge [m].
std::vector<double> list_thicknesses(const ContactModel& model) {
  std::vector<double> thicknesses;
  for (const ContactShape& shape : model.shapes) {
    const ShapeBound bound = calc_shape_bound(shape.shape);
    thicknesses.push_back(bound.bounded ? 2 * bound.half.minCoeff() : infinity);
  }
  return thicknesses;
}

}  // namespace

void list_layer_notices(const System& system, std::vector<Notice>& notices) {
  const ContactModel& model = system.contact;
  if (!model.has_layers()) return;
  std::vector<char> is_told(model.rules.size(), 0);
  const std::vector<double> thicknesses = list_thicknesses(model);
  const int count = static_cast<int>(model.shapes.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const int rule = model.find_rule(i, j);
      if (rule < 0 || is_told[static_cast<std::size_t>(rule)]) continue;
      const PairLayers layers = model.find_layers(i, j, rule);
      if (layers.count == 0) continue;
      double thickness = 0;
      for (int k = 0; k < layers.count; ++k) thickness += layers.layer[static_cast<std::size_t>(k)]->thickness;
      // Where two bodies overlap deeper, the shortest way out is on the other side.
      const double deepest =
          0.5 * (thicknesses[static_cast<std::size_t>(i)] + thicknesses[static_cast<std::size_t>(j)]);
      if (thickness == infinity || thickness < deepest) continue;
      is_told[static_cast<std::size_t>(rule)] = 1;
      Notice& notice = notices.emplace_back();
      notice.kind = Notice::Kind::warning;
      notice.text = fmt::format(
          "{}/{}: layers of {} m are thicker than half of what both bodies are where they are thinnest, {} m: there "
          "the core is never reached, and they may be pushed through one another; make the layers thinner",
          model.shapes[static_cast<std::size_t>(i)].name, model.shapes[static_cast<std::size_t>(j)].name,
          format_number(thickness), format_number(deepest));
    }
  }
}

}  // namespace stiction
