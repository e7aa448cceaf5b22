// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "core/flit.hpp"

namespace muster::verif {

/// The last inputs of a block, for the report of a difference.
template <class Seen, std::uint32_t kRemembered>
class LastInputs {
 public:
  void add(const Seen& seen) { ring_[count_++ % kRemembered] = seen; }
  /// A line for each, the oldest first, as `text_of` writes it.
  template <class Text>
  std::string lines(Text&& text_of) const {
    std::string text;
    for (std::uint32_t i = count_ - std::min(count_, kRemembered); i < count_; ++i) {
      text += "\n    ";
      text += text_of(ring_[i % kRemembered]);
    }
    return text;
  }

 private:
  std::array<Seen, kRemembered> ring_;
  std::uint32_t count_ = 0;
};

/// "head vc 1 payload 0x8005".
std::string show(const core::Flit& flit);

/// Throws InternalError: where and what differs, the states of both, what came in.
[[noreturn]] void report_difference(const std::string& what, const std::string& golden,
                                    const std::string& rtl, const std::string& inputs);

}  // namespace muster::verif
