// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/checkers/delivery_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "systems/esc/blocks/combined_packet.hpp"

namespace muster::esc {

namespace {

constexpr std::uint64_t kTable = 1u << 22;

/// Sums of it differ for different multisets, except for one chance in 2^60 or so.
constexpr std::uint64_t fingerprint(BoxPacket p) {
  return (p + 0x9E3779B97F4A7C15u) * (p ^ (p >> 23) ^ 0xD6E8FEB86659FD93u);
}

}  // namespace

DeliveryCheck::DeliveryCheck(const Spec& spec)
    : cube_(spec.pes, spec.box.size),
      combining_(spec.reference == Reference::kCombining),
      sent_(spec.pes),
      got_(spec.pes),
      throttled_(spec.reference == Reference::kThrottle),
      paths_(spec.stages().input ? cube_.size() : 1),
      every_(static_cast<std::uint32_t>(
          std::max<std::uint64_t>(1, std::uint64_t{spec.pes} * spec.pes * paths_ / kTable))),
      copies_(spec.pes),
      arriving_(spec.pes),
      newest_(std::size_t{(spec.pes + every_ - 1) / every_} * spec.pes * paths_) {}

void DeliveryCheck::start(const SessionPlan& /*plan*/) {
  entered_ = entered_sum_ = delivered_ = delivered_sum_ = 0;
  releases_ = 0;
  std::fill(sent_.begin(), sent_.end(), Combined{});
  std::fill(got_.begin(), got_.end(), Combined{});
  std::fill(copies_.begin(), copies_.end(), 0);
  std::fill(newest_.begin(), newest_.end(), 0);
}

void DeliveryCheck::observe(const CycleView& view) {
  // Those that get a packet, gathered without a branch: the processor can then read ahead in the
  // table of the flows.
  std::size_t arriving = 0;
  for (std::uint32_t pe = 0; pe < copies_.size(); ++pe) {
    arriving_[arriving] = pe;
    arriving += view.arrivals[pe] != 0;
  }
  for (std::size_t k = 0; k < arriving; ++k)
    arrive(view.cycle, arriving_[k], view.arrivals[arriving_[k]]);

  BoxPacket releases = 0;  // top bit: one of the packets is of kind 3
  for (std::uint32_t pe = 0; pe < copies_.size(); ++pe) {
    const BoxPacket entering = view.offers[pe] & (0 - BoxPacket{view.taken[pe]});
    entered_ += view.taken[pe];
    entered_sum_ += fingerprint(view.offers[pe]) & (0 - std::uint64_t{view.taken[pe]});
    releases |= entering & (entering << 1);
  }
  if (releases >> 63 != 0) enter_releases(view);
  if (combining_) enter_combined(view);
}

void DeliveryCheck::Combined::add(BoxPacket packet) {
  messages += esc::messages_of(packet);
  births = (births + birth_of(packet)) & ((1u << esc::kBoxBirthBits) - 1);
}

/// Takes the synchronization packets out of the sums.
void DeliveryCheck::enter_combined(const CycleView& view) {
  for (std::uint32_t pe = 0; pe < copies_.size(); ++pe) {
    const BoxPacket packet = view.offers[pe];
    if (view.taken[pe] == 0 || kind_of(packet) != BoxKind::kSynchronization) continue;
    sent_[tag_of(packet) & (cube_.pes() - 1)].add(packet);
    --entered_;
    entered_sum_ -= fingerprint(packet);
  }
}

/// Takes the release packets out of the sums.
void DeliveryCheck::enter_releases(const CycleView& view) {
  for (std::uint32_t pe = 0; pe < copies_.size(); ++pe) {
    if (view.taken[pe] == 0 || kind_of(view.offers[pe]) != BoxKind::kRelease) continue;
    ++releases_;
    --entered_;
    entered_sum_ -= fingerprint(view.offers[pe]);
  }
}

void DeliveryCheck::arrive(std::uint64_t cycle, std::uint32_t pe, BoxPacket packet) {
  if (kind_of(packet) == BoxKind::kRelease) {
    if (++copies_[pe] > releases_)
      violation(fmt::format("cycle {}: PE {} gets a second copy of a release packet", cycle, pe));
    return;
  }
  if (combining_ && kind_of(packet) == BoxKind::kSynchronization) {
    got_[pe].add(packet);
    return;
  }
  ++delivered_;
  delivered_sum_ += fingerprint(packet);
  const std::uint32_t source = source_of(packet);
  const std::uint32_t destination = tag_of(packet) & (cube_.pes() - 1);
  if (destination != pe || source >= cube_.pes()) {
    violation(fmt::format("cycle {}: PE {} gets {:016x}, from PE {} to PE {}", cycle, pe, packet,
                          source, destination));
    return;
  }
  ++passed_;
  if ((source & (every_ - 1)) != 0) return;
  if (throttled_ && kind_of(packet) == BoxKind::kSynchronization) return;
  const std::uint32_t path = paths_ == 1 ? 0 : cube_.digit(tag_of(packet), cube_.input_stage());
  // A synchronization message goes before background of the same cycle; 0 is none so far.
  const std::uint32_t order = static_cast<std::uint32_t>(birth_of(packet)) * 2 + 1 +
                              (kind_of(packet) == BoxKind::kBackground ? 1 : 0);
  std::uint32_t& newest =
      newest_[(std::size_t{source >> std::countr_zero(every_)} * cube_.pes() + destination) *
                  paths_ +
              path];
  if (order <= newest)
    violation(fmt::format("cycle {}: PE {} gets {:016x} from PE {} after a later one", cycle, pe,
                          packet, source));
  newest = order;
}

void DeliveryCheck::finish() {
  if (entered_ != delivered_)
    violation(fmt::format("{} packets entered the network and {} arrived", entered_, delivered_));
  else if (entered_sum_ != delivered_sum_)
    violation(fmt::format("the {} packets that arrived are not those that entered", delivered_));
  for (std::uint32_t pe = 0; combining_ && pe < got_.size(); ++pe)
    if (got_[pe] != sent_[pe])
      violation(fmt::format("PE {} got {} synchronization messages of {}, births {} of {}", pe,
                            got_[pe].messages, sent_[pe].messages, got_[pe].births,
                            sent_[pe].births));
  for (std::uint32_t pe = 0; pe < copies_.size(); ++pe)
    if (copies_[pe] != releases_)
      violation(fmt::format("PE {} got {} of {} release packets", pe, copies_[pe], releases_));
}

}  // namespace muster::esc
