// SPDX-License-Identifier: Apache-2.0
#include "app/context.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "core/record.hpp"

namespace muster::app {
namespace {

thread_local Captured* captured = nullptr;

/// "1 h 02 min", "3 min 20 s", "12 s".
std::string duration_text(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::llround(seconds));
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

/// How far long work is after so many seconds: a bar, the `parts` that are done, time left.
std::string progress_line(std::uint64_t done, std::uint64_t total, const char* parts,
                          double seconds) {
  constexpr std::uint64_t kWidth = 30;
  const std::uint64_t filled = total == 0 ? kWidth : kWidth * done / total;
  std::string text = fmt::format("[{:#<{}}{:.<{}}] {} of {} {}", "", filled, "", kWidth - filled,
                                 done, total, parts);
  if (done != 0 && done < total)
    text += fmt::format(", {} left", duration_text(seconds / static_cast<double>(done) *
                                                   static_cast<double>(total - done)));
  return text;
}

}  // namespace

Captured::Captured() : outer_(captured) { captured = this; }

Captured::~Captured() { captured = outer_; }

void deliver(const CommonOptions& options, Outputs& outputs,
             const std::function<std::string()>& json, const std::function<std::string()>& text,
             bool failed) {
  clear_progress();
  if (!options.json.empty() && options.json != "-") outputs.put(options.json, json());
  std::string shown;
  if (options.json == "-")
    shown = json();
  else if (!options.quiet || failed)
    shown = text();
  outputs.commit();
  print(shown);
}

void deliver(const CommonOptions& options, Outputs& outputs,
             const std::function<void(core::Record&)>& fields,
             const std::function<std::string()>& text, bool failed) {
  deliver(
      options, outputs, [&] { return core::json_text(fields); }, text, failed);
}

void print(const std::string& text) {
  if (captured != nullptr) {
    captured->out += text;
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw InputError("standard output: cannot be written: {}", std::strerror(errno));
}

void complain(const std::string& text) {
  if (captured != nullptr)
    captured->err += text;
  else
    fmt::print(stderr, "{}", text);
}

bool shows_progress() { return captured == nullptr && isatty(STDERR_FILENO) != 0; }

void show_progress(const std::string& line) {
  if (!shows_progress()) return;
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

void clear_progress() {
  if (shows_progress()) fmt::print(stderr, "\r\033[K");
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
  const std::chrono::duration<double> taken = now - begin_;
  show_progress(fmt::format("{} {}", step, progress_line(done, total, parts, taken.count())));
}

}  // namespace muster::app
