// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/spill_register.hpp"

#include "muster/fabric/reduce_op.hpp"

namespace muster::btin {

using fabric::BarrierMessage;
using fabric::MessageType;
using fabric::Payload;

SpillRegister::SpillRegister(const RegisterImage& image, unsigned data_width)
    : image_(image), width_(data_width), up_(fabric::neutral(image.op, data_width)) {}

SpillOutcome SpillRegister::take(std::uint32_t port, const BarrierMessage& message,
                                 std::vector<SpillAnswer>& answers) {
  const SpillOutcome outcome = judge(port, message, answers);
  used_ |= outcome == SpillOutcome::kTaken;
  return outcome;
}

SpillOutcome SpillRegister::judge(std::uint32_t port, const BarrierMessage& message,
                                  std::vector<SpillAnswer>& answers) {
  if (message.type == MessageType::kDistribution) {
    if (image_.reflect || port != image_.parent_port) return SpillOutcome::kWrongPort;
    if (!sent_) return SpillOutcome::kOutOfPhase;
    distribute(message.data, answers);
    return SpillOutcome::kTaken;
  }
  const auto bit = static_cast<std::uint16_t>(1u << port);
  if ((image_.child_mask & bit) == 0) return SpillOutcome::kWrongPort;
  if ((arrived_ & bit) != 0) return SpillOutcome::kOutOfPhase;
  arrived_ |= bit;
  up_ = fabric::reduce(image_.op, up_, message.data, width_);
  if (arrived_ != image_.child_mask) return SpillOutcome::kTaken;
  if (image_.reflect) {
    distribute(up_, answers);
  } else {
    sent_ = true;
    answers.push_back({image_.parent_port, {MessageType::kReduction, image_.gid, up_}});
  }
  return SpillOutcome::kTaken;
}

/// `data` may be up_.
void SpillRegister::distribute(const Payload& data, std::vector<SpillAnswer>& answers) {
  for (std::uint32_t port = 0; image_.child_mask >> port != 0; ++port) {
    if ((image_.child_mask >> port & 1) == 0) continue;
    answers.push_back({port, {MessageType::kDistribution, image_.gid, data}});
  }
  arrived_ = 0;
  sent_ = false;
  up_ = fabric::neutral(image_.op, width_);
}

}  // namespace muster::btin
