// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/fabric/checkers/checker.hpp"
#include "systems/preempt/blocks/bsr_assembly.hpp"

namespace muster::checkers {

/// What one direction of a link between preempting switches may carry
/// (docs/systems/preempting-switches.md, The link), as far as its flits show it:
///
/// - A message is in one virtual channel, the one that is cut or, if none is, a free one; where
///   credits do not decide, the lowest that is free. At most one cycle is between two of its
///   flits, and nothing of its channel.
/// - A channel is cut in the middle of a packet, if none is free and none is cut. (On links that
///   are held at times, which is as if each channel had an owner, also outside of one.) It is
///   handed back behind at least one message. In between it carries only messages.
/// - Where messages take no credits of data, no data are between a request and its message.
class BsrLine {
 public:
  /// The next flit of the link. Returns what is wrong with it; nothing if it may be there.
  std::string fault(const Subject& subject, std::uint64_t cycle, const core::Flit& flit);
  /// The message that this flit has completed.
  const std::optional<preempt::BsrMessage>& message() const { return message_; }
  /// Nothing is in progress and nothing is cut.
  bool idle() const { return !assembly_.in_progress() && !cut_; }

 private:
  std::string data(const Subject& subject, const core::Flit& flit);
  std::string control(const Subject& subject, const core::Flit& flit);
  std::string first(const Subject& subject, const core::Flit& flit) const;
  std::string following(std::uint64_t cycle, const core::Flit& flit) const;

  preempt::BsrAssembly assembly_;
  std::optional<preempt::BsrMessage> message_;
  std::uint8_t channel_ = 0;         ///< of the message in progress
  std::uint64_t last_ = 0;           ///< cycle of its last flit so far
  std::optional<std::uint8_t> cut_;  ///< channel
  bool used_ = false;                ///< a message has gone in it since it was cut
  std::uint32_t under_way_ = 0;      ///< channels within a packet, a bit each
};

}  // namespace muster::checkers
