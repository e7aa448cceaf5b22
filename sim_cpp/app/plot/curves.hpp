// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/plot/fields.hpp"

namespace muster::app::plot {

/// What is drawn, by whole names of fields.
struct Axes {
  std::string x, y;
  std::vector<std::string> by;  ///< a curve for each value of these
};

/// The rows of one curve with the same x.
struct CurvePoint {
  double x = 0.0, mean = 0.0;
  /// Of the 95 % interval of the mean; of one row that of the row itself, if its value is a mean.
  std::optional<double> half_width;
  double least = 0.0, greatest = 0.0;
  std::size_t rows = 0;
  std::size_t saturated = 0;  ///< of the rows
};

struct Curve {
  std::string name;
  std::vector<CurvePoint> points;  ///< by x
};

/// Throws InputError if a field is no number where one is needed, or rows of a point differ in
/// anything but seeds: their mean would mix what is not the same.
std::vector<Curve> curves_of(const std::vector<Fields>& rows, const Axes& axes);

/// For people: "latency, mean (us)" of "result.latency_us.mean".
std::string axis_label(const std::string& field);

}  // namespace muster::app::plot
