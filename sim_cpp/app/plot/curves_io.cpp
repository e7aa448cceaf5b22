// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plot/curves.hpp"
#include "core/ratio_estimate.hpp"
#include "muster/core/error.hpp"

namespace muster::app::plot {

namespace {

struct PointRows {
  std::vector<double> values;
  const Fields* first = nullptr;
  std::size_t saturated = 0;
};

/// By curve, in the order in which they are found, and x.
using AllPoints = std::vector<std::pair<std::string, std::map<double, PointRows>>>;

/// None if the row does not have the field.
std::optional<double> number_in(const Fields& row, const std::string& field, const char* option) {
  const auto found = row.find(field);
  if (found == row.end()) return {};
  if (found->second.is_boolean()) return found->second.get<bool>() ? 1.0 : 0.0;
  if (!found->second.is_number())
    throw InputError(fmt::format(
        "{} '{}': is the text '{}'; choose a number, or draw a curve for each text with --by",
        option, short_name(field), word_of_field(row, field)));
  return found->second.get<double>();
}

std::string curve_name(const Fields& row, const Axes& axes) {
  if (axes.by.empty()) return short_name(axes.y);
  std::vector<std::string> words;
  for (const std::string& field : axes.by) {
    const auto found = row.find(field);
    const bool is_text = found != row.end() && found->second.is_string();
    const std::string word = word_of_field(row, field);
    words.push_back(is_text ? word : fmt::format("{} {}", short_name(field), word));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Of a run a truth value, of runs of `--repeat` how many were.
bool is_saturated(const Fields& row) {
  return number_in(row, "result.saturated", "saturated").value_or(0.0) > 0.0;
}

/// Of a mean that the row itself has, "latency_us.mean.mean", the half-width beside it.
std::optional<double> own_half_width(const Fields& row, const std::string& field) {
  const std::string mean = ".mean";
  if (!field.ends_with(mean)) return {};
  return number_in(row, field.substr(0, field.size() - mean.size()) + ".half_width", "--y");
}

bool is_averaged(const std::string& field) {
  return !field.starts_with("parameters.") || field.ends_with(".seed");
}

void check_mixed(const Fields& a, const Fields& b, const Axes& axes, const std::string& curve,
                 double x) {
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const auto& [field, value] : *one) {
      const bool drawn =
          field == axes.x || std::find(axes.by.begin(), axes.by.end(), field) != axes.by.end();
      const auto found = other->find(field);
      if (is_averaged(field) || drawn || (found != other->end() && found->second == value))
        continue;
      const std::string name = short_name(field), word = word_of_field(*one, field);
      const std::string quote = word.find(' ') == std::string::npos ? "" : "'";
      throw InputError(fmt::format(
          "rows at x = {0} of curve '{1}' differ in '{2}', {3} and {4}; add --by {2}, or choose "
          "one with --where {5}{2}={3}{5}",
          x, curve, name, word, word_of_field(*other, field), quote));
    }
}

CurvePoint point_of(double x, const PointRows& rows, const Axes& axes) {
  const std::vector<double>& values = rows.values;
  const auto n = static_cast<double>(values.size());
  CurvePoint point{.x = x, .half_width = {}, .rows = values.size(), .saturated = rows.saturated};
  for (const double value : values) point.mean += value / n;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  point.least = *least;
  point.greatest = *greatest;
  if (values.size() < 2) {
    point.half_width = own_half_width(*rows.first, axes.y);
    return point;
  }
  double squares = 0.0;
  for (const double value : values) squares += (value - point.mean) * (value - point.mean);
  point.half_width = core::student_t95(values.size() - 1) * std::sqrt(squares / (n - 1.0) / n);
  return point;
}

}  // namespace

std::vector<Curve> curves_of(const std::vector<Fields>& rows, const Axes& axes) {
  AllPoints all;
  for (const Fields& row : rows) {
    const auto x = number_in(row, axes.x, "--x"), y = number_in(row, axes.y, "--y");
    if (!x || !y) continue;
    const std::string name = curve_name(row, axes);
    auto curve = std::find_if(all.begin(), all.end(),
                              [&](const auto& other) { return other.first == name; });
    if (curve == all.end()) curve = all.insert(all.end(), {name, {}});
    PointRows& point = curve->second[*x];
    if (point.first == nullptr) point.first = &row;
    check_mixed(*point.first, row, axes, name, *x);
    point.values.push_back(*y);
    point.saturated += is_saturated(row);
  }
  std::vector<Curve> curves;
  for (const auto& [name, points] : all) {
    Curve curve{name, {}};
    for (const auto& [x, point] : points) curve.points.push_back(point_of(x, point, axes));
    curves.push_back(std::move(curve));
  }
  if (curves.empty())
    throw InputError(fmt::format("--x '{}', --y '{}': no row has both fields", short_name(axes.x),
                                 short_name(axes.y)));
  return curves;
}

}  // namespace muster::app::plot
