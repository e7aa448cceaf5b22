// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace muster::core {

/// Quantile of Student's t for a two-sided confidence of 95 %, `freedom` >= 1 degrees of freedom;
/// within 0.001.
double student_t95(std::uint64_t freedom);

/// A mean pooled over all members of independent groups (messages of sessions), and how sure it
/// is: members of one group depend on each other, so the groups are the sample, and the mean is
/// the ratio of two sums over them. Exact for integers up to 2^53.
class RatioEstimate {
 public:
  /// A group of `members` whose values add up to `sum`.
  void add(double sum, double members);

  std::optional<double> mean() const;  ///< none without a member
  /// Half-width of the 95 % confidence interval; none for fewer than two groups or no member.
  std::optional<double> half_width() const;
  double members() const { return n_; }

 private:
  double groups_ = 0, x_ = 0, n_ = 0, xx_ = 0, xn_ = 0, nn_ = 0;
};

}  // namespace muster::core
