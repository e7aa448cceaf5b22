// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/group_data.hpp"

#include <algorithm>

namespace muster::golden {

bool GroupData::edge(std::uint16_t ports, const fabric::Payload* data) {
  const bool folds = chosen != 0;
  if (folds) combine(latch[lowest(chosen)]);
  folding &= static_cast<std::uint16_t>(~chosen);
  chosen = static_cast<std::uint16_t>(folding & -folding);
  for_each_bit(ports, [&](std::uint32_t port) {
    if (at_once()) {
      combine(data[port]);
    } else {
      latch[port] = data[port];
      folding |= static_cast<std::uint16_t>(bit(port));
    }
  });
  return folds;
}

GroupData::Wide GroupData::complemented(const fabric::Payload& data) const {
  const Wide value = Wide{data.hi} << 64 | data.lo;
  return (op & 4) != 0 ? ones() ^ value : value;
}

void GroupData::combine(const fabric::Payload& data) {
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

fabric::Payload GroupData::result() const {
  const Wide value = complemented(up);
  return {static_cast<std::uint64_t>(value), static_cast<std::uint16_t>(value >> 64)};
}

void GroupData::clear() {
  folding = chosen = 0;
  up = {};
}

}  // namespace muster::golden
