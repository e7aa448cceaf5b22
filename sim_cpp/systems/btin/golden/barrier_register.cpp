// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/barrier_register.hpp"

namespace muster::golden {

using fabric::BarrierMessage;
using fabric::MessageType;

std::uint16_t BarrierRegister::requests(std::uint32_t ports) const {
  if (!valid) return 0;
  const bool reduction = full() && !reflect && !sent && parent < ports;
  return static_cast<std::uint16_t>(serve | (reduction ? 1u << parent : 0u));
}

BarrierMessage BarrierRegister::message(std::uint32_t port) const {
  if (has(serve, port)) return {MessageType::kDistribution, gid, down};
  return {MessageType::kReduction, gid, data.result()};
}

bool BarrierRegister::accepts(MessageType type, std::uint32_t port) const {
  if (type == MessageType::kReduction) return has(children, port) && !has(arrived | serve, port);
  return !reflect && port == parent && sent;
}

void BarrierRegister::edge(const Arrivals& accepted, std::uint16_t departed) {
  const bool was_full = full();
  // A message at an output that is served is a distribution, any other the reduction.
  const auto released = static_cast<std::uint16_t>(departed & serve);
  if (departed != released) sent = true;
  serve = static_cast<std::uint16_t>(serve & ~released);

  const bool folds = data.edge(accepted.reductions, accepted.data);
  arrived |= accepted.reductions;
  // It reflects with what completes the barrier: the last arrivals, or the last data.
  const bool reflects = reflect && full() && (data.at_once() ? accepted.reductions != 0 : folds);
  fresh =
      !data.serial && (accepted.distribution || accepted.reductions != 0 || (full() && !was_full));
  if (accepted.distribution || reflects) {
    down = accepted.distribution ? accepted.down : data.result();
    serve = children;
    arrived = 0;
    data.up = {};
    sent = false;
  }
}

void BarrierRegister::clear() {
  arrived = serve = 0;
  sent = fresh = false;
  data.clear();
  down = {};
}

}  // namespace muster::golden
