// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/bounded_waits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::checkers {

BoundedWaits::BoundedWaits(const Subject& subject, const Bounds& bounds, const Delivery& delivery)
    : LinkChecker("bounded waits", subject), bounds_(bounds), delivery_(delivery) {}

void BoundedWaits::end_cycle(std::uint64_t cycle) {
  const PacketTable& table = delivery_.travelling();
  if (const PacketTable::Handle h = table.oldest(); h != PacketTable::kNone) {
    const Travelling& packet = table[h];
    const std::uint64_t age = cycle - packet.injected;
    require(age <= bounds_.packet, cycle, subject_.layout.into_switch(packet.source), [&] {
      return fmt::format(
          "packet {} to n{} in virtual channel {} in flight for {} cycles, at most {}",
          packet.sequence, packet.destination, Delivery::vc_of(packet.category), age,
          bounds_.packet);
    });
    longest_packet_ = std::max(longest_packet_, age);
  }
  for (OwedMessages* owed : owed_) {
    const std::optional<OwedMessage> oldest = owed->oldest_owed();
    if (!oldest) continue;
    const std::uint64_t age = cycle - oldest->since;
    require_at(age <= bounds_.barrier, cycle, oldest->sw, [&] {
      return owed->describe_oldest() +
             fmt::format(" for {} cycles, at most {}", age, bounds_.barrier);
    });
    longest_barrier_ = std::max(longest_barrier_.value_or(0), age);
  }
}

}  // namespace muster::checkers
