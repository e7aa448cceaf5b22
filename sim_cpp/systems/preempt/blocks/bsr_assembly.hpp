// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "systems/preempt/blocks/bsr_message.hpp"

namespace muster::preempt {

/// Puts the barrier messages of one link together, flit by flit. A first flit begins a message, the
/// others follow; what belongs to none is ignored.
class BsrAssembly {
 public:
  /// The message that this flit completes. REQUIRES: a sync flit, no pad, no link control.
  std::optional<BsrMessage> add(const core::Flit& flit) {
    if (flit.kind == core::Flit::kFirst) flits_.clear();
    if (flits_.empty() && !begins_bsr_message(flit)) return std::nullopt;
    flits_.push_back(flit);
    if (flits_.size() < bsr_length(bsr_type(flits_.front()))) return std::nullopt;
    const BsrMessage message = bsr_message(flits_);
    flits_.clear();
    return message;
  }
  /// A message has begun and is not whole.
  bool in_progress() const { return !flits_.empty(); }

 private:
  std::vector<core::Flit> flits_;
};

}  // namespace muster::preempt
