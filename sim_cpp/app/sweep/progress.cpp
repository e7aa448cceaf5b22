// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/progress.hpp"

#include <fmt/format.h>

#include <cmath>

namespace muster::app::sweep {

std::string duration_text(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::llround(seconds));
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

std::string Progress::line(double seconds) const {
  constexpr std::uint64_t kWidth = 30;
  const std::uint64_t filled = total_ == 0 ? kWidth : kWidth * done_ / total_;
  std::string text =
      fmt::format("[{:#<{}}{:.<{}}] {} of {} rows", "", filled, "", kWidth - filled, done_, total_);
  if (failed_ != 0) text += fmt::format(", {} failed", failed_);
  // What was there before says nothing of the time that a row takes.
  if (const std::uint64_t measured = done_ - found_; measured != 0 && done_ < total_)
    text += fmt::format(", {} left", duration_text(seconds / static_cast<double>(measured) *
                                                   static_cast<double>(total_ - done_)));
  return text;
}

}  // namespace muster::app::sweep
