#pragma once

#include <string>
#include <vector>

#include "stiction/plot/canvas.h"
#include "stiction/plot/line_plot.h"

namespace stiction {

/// Colour and dashes of the series with that index. Colours: Okabe and Ito, "Color universal design" (2008), without
/// its yellow, which vanishes on white. Seven colours and five dash patterns: 35 different curves.
LineStyle series_style(std::size_t index);

/// The names of the curves beside their line samples, always outside the plotting area: at the right where the names
/// are short, else in columns below, where the picture grows as needed.
struct Legend {
  bool below = false;
  int columns = 1, rows = 0;        ///< rows 0: no legend (fewer than two series)
  double column_width = 0;          ///< [px]
  double width = 0, height = 0;     ///< [px]
  std::vector<std::string> labels;  ///< shortened where too long
};

/// `width`, `height`: the room there is beside and above [px].
Legend arrange_legend(const std::vector<Series>& series, double width, double height);

void draw_legend(const Legend& legend, PixelPoint corner, Canvas& canvas);

}  // namespace stiction
