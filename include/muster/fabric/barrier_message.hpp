// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "muster/fabric/formats.hpp"

namespace muster::fabric {

/// How the synchronization data of a group are combined; the number is that of the control word
/// (docs/reference/registers.md). Data are unsigned numbers.
enum class ReduceOp : std::uint8_t { kOr = 0, kXor = 1, kMax = 2, kSum = 3, kAnd = 4, kMin = 6 };

/// An operation by the name that `--op` has for it.
struct NamedReduceOp {
  const char* name;  ///< as typed
  ReduceOp op;       ///< that it means
};
/// All of them, in the order of `--help`.
inline constexpr std::array<NamedReduceOp, 6> kReduceOps{{{"or", ReduceOp::kOr},
                                                          {"and", ReduceOp::kAnd},
                                                          {"xor", ReduceOp::kXor},
                                                          {"min", ReduceOp::kMin},
                                                          {"max", ReduceOp::kMax},
                                                          {"sum", ReduceOp::kSum}}};

/// What two members' data of `width` bits make together; a SUM that does not fit is all ones.
inline Payload reduce(ReduceOp op, const Payload& a, const Payload& b, unsigned width) {
  const Wide x = wide(a), y = wide(b);
  const Wide most = (Wide{1} << width) - 1;
  switch (op) {
    case ReduceOp::kOr:
      return payload_of(x | y);
    case ReduceOp::kAnd:
      return payload_of(x & y);
    case ReduceOp::kXor:
      return payload_of(x ^ y);
    case ReduceOp::kMin:
      return payload_of(x < y ? x : y);
    case ReduceOp::kMax:
      return payload_of(x < y ? y : x);
    case ReduceOp::kSum:
      return payload_of(x + y > most ? most : x + y);
  }
  return {};
}

/// What `op` makes of any data is those data.
inline Payload neutral(ReduceOp op, unsigned width) {
  const bool ones = op == ReduceOp::kAnd || op == ReduceOp::kMin;
  return ones ? Formats::low_bits({~std::uint64_t{0}, 0xffff}, width) : Payload{};
}

/// A barrier message of switches whose registers repeat (docs/systems/retry-registers.md).
struct RetryMessage {
  MessageType type = MessageType::kReduction;  ///< reduction or distribution
  std::uint32_t gid = 0;                       ///< group, GidW bits
  bool phase = false;                          ///< of the barrier that it is about
  bool fail = false;                           ///< this barrier has failed; there are no data
  std::uint8_t epoch = 0;                      ///< of the group, 2 bits
  Payload data;                                ///< FlitW - 6 - GidW bits
  friend bool operator==(const RetryMessage&, const RetryMessage&) = default;
};

/// Bits of data in such a message.
constexpr unsigned retry_data_width(const Formats& formats) {
  return formats.data_width() - kRetryWidth;
}

/// What a barrier message says. REQUIRES: formats with at least 2 bits of data behind the head.
inline RetryMessage retry_message(const Formats& formats, const BarrierMessage& message) {
  const unsigned width = retry_data_width(formats);
  const auto head = static_cast<unsigned>(wide(message.data) >> width);
  return {message.type,
          message.gid,
          (head & 8) != 0,
          (head & 4) != 0,
          static_cast<std::uint8_t>(head & 3),
          Formats::low_bits(message.data, width)};
}

/// The barrier message that says so; fields are cut to their widths.
inline BarrierMessage barrier_message(const Formats& formats, const RetryMessage& message) {
  const unsigned width = retry_data_width(formats);
  const unsigned head =
      unsigned{message.phase} << 3 | unsigned{message.fail} << 2 | (unsigned{message.epoch} & 3u);
  const Wide data = wide(Formats::low_bits(message.data, width));
  return {message.type, message.gid, payload_of(Wide{head} << width | data)};
}

/// SwitchKind::sync_text of kinds whose sync flits are barrier messages in the common format, one
/// flit each: "reduction of group 5, data 0x3".
std::string barrier_message_text(std::vector<core::Flit>& flits, const Formats& formats);

}  // namespace muster::fabric
