// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/barrier_register.hpp"

#include <algorithm>

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
  return {MessageType::kReduction, gid, result()};
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

  const bool folds = chosen != 0;
  if (folds) combine(latch[lowest(chosen)]);
  folding &= static_cast<std::uint16_t>(~chosen);
  chosen = static_cast<std::uint16_t>(folding & -folding);
  arrived |= accepted.reductions;
  for_each_bit(accepted.reductions, [&](std::uint32_t port) {
    if (at_once()) {
      combine(accepted.data[port]);
    } else {
      latch[port] = accepted.data[port];
      folding |= static_cast<std::uint16_t>(bit(port));
    }
  });
  // It reflects with what completes the barrier: the last arrivals, or the last data.
  const bool reflects = reflect && full() && (at_once() ? accepted.reductions != 0 : folds);
  fresh = !serial && (accepted.distribution || accepted.reductions != 0 || (full() && !was_full));
  if (accepted.distribution || reflects) {
    down = accepted.distribution ? accepted.down : result();
    serve = children;
    arrived = 0;
    up = {};
    sent = false;
  }
}

BarrierRegister::Wide BarrierRegister::complemented(const fabric::Payload& data) const {
  const Wide value = Wide{data.hi} << 64 | data.lo;
  return (op & 4) != 0 ? ones() ^ value : value;
}

void BarrierRegister::combine(const fabric::Payload& data) {
  const Wide x = complemented(data), so_far = Wide{up.hi} << 64 | up.lo;
  Wide next = 0;
  switch (op & 3) {
    case 0:
      next = so_far | x;
      break;
    case 1:
      next = so_far ^ x;
      break;
    case 2:
      next = std::max(so_far, x);
      break;
    default:
      next = std::min(so_far + x, ones());
      break;
  }
  up = {static_cast<std::uint64_t>(next), static_cast<std::uint16_t>(next >> 64)};
}

fabric::Payload BarrierRegister::result() const {
  const Wide value = complemented(up);
  return {static_cast<std::uint64_t>(value), static_cast<std::uint16_t>(value >> 64)};
}

void BarrierRegister::clear() {
  arrived = serve = folding = chosen = 0;
  sent = fresh = false;
  up = down = {};
}

}  // namespace muster::golden
