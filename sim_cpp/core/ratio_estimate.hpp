// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace muster::core {

/// Quantile of Student's t for a two-sided confidence of 95 %, `freedom` >= 1 degrees of freedom;
/// within 0.001.
inline double student_t95(std::uint64_t freedom) {
  static constexpr std::array<double, 10> kSmall = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                                    2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
  if (freedom <= kSmall.size()) return kSmall[std::max<std::uint64_t>(freedom, 1) - 1];
  // Expansion around the normal quantile, Abramowitz and Stegun 26.7.5.
  const double z = 1.959964, v = static_cast<double>(freedom);
  const double z2 = z * z;
  const double g1 = z * (z2 + 1) / 4;
  const double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  const double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  return z + g1 / v + g2 / (v * v) + g3 / (v * v * v);
}

/// A mean pooled over all members of independent groups (messages of sessions), and how sure it
/// is: members of one group depend on each other, so the groups are the sample, and the mean is
/// the ratio of two sums over them. Exact for integers up to 2^53.
class RatioEstimate {
 public:
  /// A group of `members` whose values add up to `sum`.
  void add(double sum, double members) {
    groups_ += 1;
    x_ += sum;
    n_ += members;
    xx_ += sum * sum;
    xn_ += sum * members;
    nn_ += members * members;
  }

  /// None without a member.
  std::optional<double> mean() const {
    if (n_ == 0) return std::nullopt;
    return x_ / n_;
  }
  /// Half-width of the 95 % confidence interval; none for fewer than two groups or no member.
  std::optional<double> half_width() const {
    if (groups_ < 2 || n_ == 0) return std::nullopt;
    const double r = x_ / n_;
    // Sum over groups of (x - r n)^2; rounding may leave it slightly below 0.
    const double squares = std::max(0.0, xx_ - 2 * r * xn_ + r * r * nn_);
    const double error = std::sqrt(squares / (groups_ * (groups_ - 1))) / (n_ / groups_);
    return student_t95(static_cast<std::uint64_t>(groups_) - 1) * error;
  }
  double members() const { return n_; }

 private:
  double groups_ = 0, x_ = 0, n_ = 0, xx_ = 0, xn_ = 0, nn_ = 0;
};

}  // namespace muster::core
