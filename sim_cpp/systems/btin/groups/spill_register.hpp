// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "systems/btin/tree/register_image.hpp"

namespace muster::btin {

/// A message that a spill node has its switch send through a port.
struct SpillAnswer {
  std::uint32_t port = 0;
  fabric::BarrierMessage message;
};

/// The outcome of a message that a switch has handed over.
enum class SpillOutcome : std::uint8_t {
  kTaken,
  kMalformed,  ///< half of a message
  kUnknownGroup,
  kWrongPort,
  kOutOfPhase
};

/// A group at a switch, kept in a node because no barrier register was free: the fields of BTIN
/// Figure 4 and the rules of a register (docs/systems/barrier-switch.md, rule 4), but that what it
/// has to send is handed out at once; so no port is ever "still to serve".
class SpillRegister {
 public:
  SpillRegister(const RegisterImage& image, unsigned data_width);

  /// A message of the group that has come in at a port of the switch, valid only once commit() has
  /// been called. Appends what it makes the switch send, by port.
  SpillOutcome take(std::uint32_t port, const fabric::BarrierMessage& message,
                    std::vector<SpillAnswer>& answers);
  void commit() { committed_ = true; }
  bool committed() const { return committed_; }
  /// No barrier is under way here.
  bool at_rest() const { return arrived_ == 0 && !sent_; }
  /// It has been used, by name or by a message that was taken, since it was asked last.
  bool take_use() { return std::exchange(used_, false); }
  void use() { used_ = true; }
  std::uint16_t arrived() const { return arrived_; }  ///< ports

 private:
  SpillOutcome judge(std::uint32_t port, const fabric::BarrierMessage& message,
                     std::vector<SpillAnswer>& answers);
  void distribute(const fabric::Payload& data, std::vector<SpillAnswer>& answers);

  RegisterImage image_;
  unsigned width_;  ///< bits of the data
  bool committed_ = false, used_ = false;
  bool sent_ = false;  ///< the reduction message, the distribution is awaited
  std::uint16_t arrived_ = 0;
  fabric::Payload up_;
};

}  // namespace muster::btin
