// SPDX-License-Identifier: Apache-2.0
#include "muster/run/checker_list.hpp"

#include <algorithm>

#include "fabric/checkers/bounded_waits.hpp"
#include "fabric/checkers/conservation.hpp"
#include "fabric/checkers/credits.hpp"
#include "fabric/checkers/delivery.hpp"
#include "fabric/checkers/fair_service.hpp"
#include "fabric/checkers/packets.hpp"
#include "fabric/checkers/register_packets.hpp"
#include "fabric/checkers/route_legality.hpp"

namespace muster::checkers {

CheckerList::CheckerList(const Subject& subject, const Bounds& bounds,
                         const std::function<void(CheckerList&)>& add_systems)
    : subject_(subject),
      bounds_(bounds),
      channels_(static_cast<core::ChannelId>(subject.layout.channels().size())),
      first_node_channel_(subject.layout.into_switch(0)) {
  add(std::make_unique<Packets>(subject), Concern::kLinks);
  add(std::make_unique<Credits>(subject), Concern::kLinks);
  add(std::make_unique<RouteLegality>(subject), Concern::kLinks);
  add(std::make_unique<Conservation>(subject), Concern::kLinks);
  const Delivery& delivery = add(std::make_unique<Delivery>(subject), Concern::kLinks);
  add(std::make_unique<RegisterPackets>(subject), Concern::kOtherPackets);
  auto waits = std::make_unique<BoundedWaits>(subject, bounds, delivery);
  waits_ = waits.get();
  add_systems(*this);
  add(std::make_unique<FairService>(subject));
  add(std::move(waits));
}

void CheckerList::insert(Entry entry) {
  if (entry.applies) show(*entry.checker);
  const auto after =
      std::upper_bound(entries_.begin(), entries_.end(), entry.concern,
                       [](Concern concern, const Entry& other) { return concern < other.concern; });
  entries_.insert(after, std::move(entry));
  cycles_.clear();
  for (const Entry& e : entries_)
    if (e.applies && e.checker->sees().cycles) cycles_.push_back(e.checker.get());
}

void CheckerList::show(LinkChecker& checker) {
  const Sees sees = checker.sees();
  const bool shapes[] = {sees.sync, sees.heads, sees.bodies};
  const bool places[] = {sees.channels == Sees::Channels::kAll, true};
  const bool wanted[] = {sees.virtual_channels != Sees::VirtualChannels::kWorms,
                         sees.virtual_channels != Sees::VirtualChannels::kOrdinary};
  for (std::size_t kind = 0; kind < kKinds; ++kind)
    if (shapes[kind % kOfNode] && places[kind / kOfNode % 2] && wanted[kind / kWorm])
      flits_[kind].push_back(&checker);
  if (sees.credits) credits_.push_back(&checker);
  if (sees.behind_pipe) behind_pipe_.push_back(&checker);
}

void CheckerList::watch(OwedMessages& owed) { waits_->watch(owed); }

void CheckerList::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                          std::span<const core::CreditEvent> credits) {
  for (const core::FlitEvent& event : flits) {
    if (event.channel < channels_) {
      for (LinkChecker* checker : flits_[kind_of(event)]) checker->flit(cycle, event);
    } else {
      const core::FlitEvent behind{event.channel - channels_, event.flit};
      for (LinkChecker* checker : behind_pipe_) checker->flit_behind_pipe(cycle, behind);
    }
  }
  for (const core::CreditEvent& event : credits) {
    if (event.channel < channels_) {
      for (LinkChecker* checker : credits_) checker->credit(cycle, event);
    } else {
      const core::CreditEvent behind{event.channel - channels_, event.credits};
      for (LinkChecker* checker : behind_pipe_) checker->credit_behind_pipe(cycle, behind);
    }
  }
  for (LinkChecker* checker : cycles_) checker->end_cycle(cycle);
}

void CheckerList::finish(std::uint64_t cycle, bool drained) {
  for (const Entry& entry : entries_) entry.checker->finish(cycle, drained);
}

void CheckerList::lose(std::uint64_t cycle, const Loss& loss) {
  for (const Entry& entry : entries_) entry.checker->lose(cycle, loss);
}

void CheckerList::mended() {
  for (const Entry& entry : entries_) entry.checker->mended();
}

std::vector<CheckerList::Total> CheckerList::totals() const {
  std::vector<Total> totals;
  for (const Entry& entry : entries_)
    totals.push_back({entry.checker->name(), entry.checker->checks()});
  return totals;
}

std::optional<std::uint64_t> CheckerList::slack(std::uint32_t group, std::uint32_t barrier) const {
  for (const Entry& entry : entries_)
    if (const auto slack = entry.checker->slack(group, barrier)) return slack;
  return std::nullopt;
}

}  // namespace muster::checkers
