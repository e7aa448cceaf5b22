// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace muster {

/// What the two below have in common.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// The text as fmt::format() has it.
  template <class First, class... More>
  Error(fmt::format_string<First, More...> text, First&& first, More&&... more)
      : std::runtime_error(
            fmt::format(text, std::forward<First>(first), std::forward<More>(more)...)) {}
};

/// The user gave something that cannot be used. `what()` is one line that names the file or
/// option, the place in it, the reason, and how to fix it. The command ends with status 2.
class InputError : public Error {
  using Error::Error;
};

/// The simulation contradicts itself: a model, a checker or lockstep found a violation. `what()`
/// names cycle, instance and state. The command ends with status 1.
class InternalError : public Error {
  using Error::Error;
};

/// An InternalError of one block of hardware: a failed assertion, or a lockstep difference.
class BlockError : public InternalError {
 public:
  /// `instance`: the block's name in the waveform, `sw12`. The error shows after the rising edge of
  /// `cycle`, or in that cycle if it is one of a settled output.
  BlockError(const std::string& text, std::uint64_t cycle, std::string instance)
      : InternalError(text), cycle_(cycle), instance_(std::move(instance)) {}
  std::uint64_t cycle() const { return cycle_; }             ///< in which it shows
  const std::string& instance() const { return instance_; }  ///< the block, `sw12`

 private:
  std::uint64_t cycle_;
  std::string instance_;
};

}  // namespace muster
