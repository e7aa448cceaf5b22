// SPDX-License-Identifier: Apache-2.0
#include "golden/barrier_register.hpp"

namespace muster::golden {

using network::BarrierMessage;
using network::MessageType;

std::uint16_t BarrierRegister::requests(std::uint32_t ports) const {
  if (!valid) return 0;
  const bool reduction = full() && !turn && !sent && parent < ports;
  return static_cast<std::uint16_t>(serve | (reduction ? 1u << parent : 0u));
}

BarrierMessage BarrierRegister::message(std::uint32_t port) const {
  if (has(serve, port)) return {MessageType::kDistribution, gid, down};
  return {MessageType::kReduction, gid, up};
}

Drop BarrierRegister::judge(MessageType type, std::uint32_t port) const {
  if (type == MessageType::kReduction) {
    if (!has(children, port)) return Drop::kWrongPort;
    return has(arrived | serve, port) ? Drop::kOutOfPhase : Drop::kNone;
  }
  if (turn || port != parent) return Drop::kWrongPort;
  return sent ? Drop::kNone : Drop::kOutOfPhase;
}

void BarrierRegister::edge(const Arrivals& accepted, std::uint16_t departed) {
  // A message at an output that is served is a distribution, any other the reduction.
  const auto released = static_cast<std::uint16_t>(departed & serve);
  if (departed != released) sent = true;
  serve = static_cast<std::uint16_t>(serve & ~released);

  arrived |= accepted.reductions;
  up = combine(up, accepted.data);
  if (accepted.distribution || (turn && full())) {
    down = accepted.distribution ? accepted.down : up;
    serve = children;
    arrived = 0;
    up = {};
    sent = false;
  }
}

void BarrierRegister::clear() {
  arrived = serve = 0;
  sent = false;
  up = down = {};
}

}  // namespace muster::golden
