// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/packet_table.hpp"

namespace muster::checkers {

PacketTable::Handle PacketTable::add(std::uint32_t source, std::uint32_t destination,
                                     std::uint8_t category, std::uint64_t cycle) {
  Flow& flow = flows_[source][index(destination, category)];
  Handle h = free_;
  if (h == kNone) {
    h = static_cast<Handle>(slots_.size());
    slots_.emplace_back();
  } else {
    free_ = slots_[h].next_of_flow;
  }
  slots_[h] = {
      {cycle, 0, 0, source, destination, flow.sent++, category, false}, kNone, youngest_, kNone};
  (flow.youngest == kNone ? flow.oldest : slots_[flow.youngest].next_of_flow) = h;
  flow.youngest = h;
  (youngest_ == kNone ? oldest_ : slots_[youngest_].younger) = h;
  youngest_ = h;
  ++size_;
  return h;
}

PacketTable::Handle PacketTable::oldest_of(std::uint32_t source, std::uint32_t destination,
                                           std::uint8_t category) const {
  const Flow* const flow = flows_[source].find(index(destination, category));
  return flow == nullptr ? kNone : flow->oldest;
}

void PacketTable::remove_oldest(std::uint32_t source, std::uint32_t destination,
                                std::uint8_t category) {
  Flow& flow = flows_[source][index(destination, category)];
  const Handle h = flow.oldest;
  Slot& slot = slots_[h];
  flow.oldest = slot.next_of_flow;
  if (flow.oldest == kNone) flow.youngest = kNone;
  if (!slot.packet.may_be_lost) unlink(slot);
  slot.next_of_flow = free_;
  free_ = h;
}

void PacketTable::forgive(Handle h) {
  unlink(slots_[h]);
  slots_[h].packet.may_be_lost = true;
}

void PacketTable::unlink(const Slot& slot) {
  (slot.older == kNone ? oldest_ : slots_[slot.older].younger) = slot.younger;
  (slot.younger == kNone ? youngest_ : slots_[slot.younger].older) = slot.older;
  --size_;
}

}  // namespace muster::checkers
