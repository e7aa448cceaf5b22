// SPDX-License-Identifier: Apache-2.0
#include "app/progress.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/context.hpp"

namespace muster::app {

std::string duration_text(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::llround(seconds));
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

std::string Progress::line(double seconds) const {
  constexpr std::uint64_t kWidth = 30;
  const std::uint64_t filled = total_ == 0 ? kWidth : kWidth * done_ / total_;
  std::string text = fmt::format("[{:#<{}}{:.<{}}] {} of {} {}", "", filled, "", kWidth - filled,
                                 done_, total_, parts_);
  if (failed_ != 0) text += fmt::format(", {} failed", failed_);
  // What was there before says nothing of the time that a part takes.
  if (const std::uint64_t measured = done_ - found_; measured != 0 && done_ < total_)
    text += fmt::format(", {} left", duration_text(seconds / static_cast<double>(measured) *
                                                   static_cast<double>(total_ - done_)));
  return text;
}

void StepProgress::operator()(const char* step, const char* parts, std::uint32_t done,
                              std::uint32_t total) {
  if (!shows_progress()) return;
  constexpr std::chrono::milliseconds kBetween{200};
  const auto now = Clock::now();
  if (step_ != step) {
    step_ = step;
    begin_ = shown_ = now;
  }
  if (now - shown_ < kBetween) return;
  shown_ = now;
  Progress progress(total, 0, parts);
  progress.reach(done);
  show_progress(fmt::format("{} {}", step,
                            progress.line(std::chrono::duration<double>(now - begin_).count())));
}

}  // namespace muster::app
