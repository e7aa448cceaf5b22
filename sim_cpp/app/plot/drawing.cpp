// SPDX-License-Identifier: Apache-2.0
#include "app/plot/drawing.hpp"

#include <fmt/format.h>

#include <utility>

#include "muster/core/error.hpp"
#include "topology/files/quote.hpp"

namespace muster::app::plot {

namespace {

void check_logarithms(const CurvePoint& point, const Drawing& drawing) {
  if (drawing.log_x && point.x <= 0.0)
    throw InputError(
        fmt::format("--log-x: x = {} has no logarithm; leave it out with --where '{}>0', or "
                    "draw without --log-x",
                    point.x, short_name(drawing.axes.x)));
  if (drawing.log_y && point.mean <= 0.0)
    throw InputError(fmt::format("--log-y: y = {} at x = {} has no logarithm; draw without --log-y",
                                 point.mean, point.x));
}

/// Every point of a curve has an interval, of width 0 if it is of one row, or none has.
figures::Series series_of(const Curve& curve, const Drawing& drawing) {
  bool has_intervals = false;
  for (const CurvePoint& point : curve.points) has_intervals |= point.half_width.has_value();
  figures::Series series{curve.name, {}};
  for (const CurvePoint& point : curve.points) {
    check_logarithms(point, drawing);
    figures::Point drawn{point.x, point.mean, point.half_width};
    if (has_intervals && !drawn.half_width) drawn.half_width = 0.0;
    series.points.push_back(drawn);
  }
  return series;
}

/// Above saturation a value may be of the length of the run as much as of the network.
figures::Series saturated_points(const std::vector<Curve>& curves) {
  figures::Series series{"saturated", {}, true};
  for (const Curve& curve : curves)
    for (const CurvePoint& point : curve.points)
      if (point.saturated != 0) series.points.push_back({point.x, point.mean, {}});
  return series;
}

constexpr std::size_t kTitleLength = 70;  ///< characters that a panel is wide enough for

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

figures::FigureData figure_of(const std::vector<Curve>& curves, const Drawing& drawing) {
  figures::FigureData data;
  data.title = topology::printable(one_line(drawing.title), kTitleLength);
  figures::Panel panel;
  panel.x_label = axis_label(drawing.axes.x);
  panel.y_label = axis_label(drawing.axes.y);
  panel.log2_x = drawing.log_x;
  panel.log10_y = drawing.log_y;
  for (const Curve& curve : curves) panel.series.push_back(series_of(curve, drawing));
  if (figures::Series saturated = saturated_points(curves); !saturated.points.empty())
    panel.series.push_back(std::move(saturated));
  data.panels.push_back(std::move(panel));
  return data;
}

std::string curves_to_dat(const std::vector<Curve>& curves, const Drawing& drawing) {
  std::string text = fmt::format(
      "# {}\n# {}\n# columns: {}; {}: mean, half-width of its 95 % interval, least, greatest; "
      "rows; saturated ones\n",
      one_line(drawing.command), one_line(drawing.title), axis_label(drawing.axes.x),
      axis_label(drawing.axes.y));
  for (std::size_t k = 0; k < curves.size(); ++k) {
    text += fmt::format("{}# {}\n", k == 0 ? "" : "\n\n", one_line(curves[k].name));
    for (const CurvePoint& p : curves[k].points)
      text += fmt::format("{} {} {} {} {} {} {}\n", p.x, p.mean,
                          p.half_width ? fmt::format("{}", *p.half_width) : "NaN", p.least,
                          p.greatest, p.rows, p.saturated);
  }
  return text;
}

}  // namespace muster::app::plot
