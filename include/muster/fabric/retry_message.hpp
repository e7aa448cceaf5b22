// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/formats.hpp"

namespace muster::fabric {

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
  __extension__ using Wide = unsigned __int128;
  const unsigned width = retry_data_width(formats);
  const Wide all = Wide{message.data.hi} << 64 | message.data.lo;
  const auto head = static_cast<unsigned>(all >> width);
  return {message.type,
          message.gid,
          (head & 8) != 0,
          (head & 4) != 0,
          static_cast<std::uint8_t>(head & 3),
          Formats::low_bits(message.data, width)};
}

/// The barrier message that says so; fields are cut to their widths.
inline BarrierMessage barrier_message(const Formats& formats, const RetryMessage& message) {
  __extension__ using Wide = unsigned __int128;
  const unsigned width = retry_data_width(formats);
  const unsigned head =
      unsigned{message.phase} << 3 | unsigned{message.fail} << 2 | (unsigned{message.epoch} & 3u);
  const Payload data = Formats::low_bits(message.data, width);
  const Wide all = Wide{head} << width | Wide{data.hi} << 64 | data.lo;
  return {message.type,
          message.gid,
          {static_cast<std::uint64_t>(all), static_cast<std::uint16_t>(all >> 64)}};
}

}  // namespace muster::fabric
