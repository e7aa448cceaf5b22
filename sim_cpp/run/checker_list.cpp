// SPDX-License-Identifier: Apache-2.0
#include "muster/run/checker_list.hpp"

#include <algorithm>

#include "fabric/checkers/credits.hpp"
#include "fabric/checkers/delivery.hpp"
#include "fabric/checkers/fair_service.hpp"
#include "fabric/checkers/packets.hpp"
#include "fabric/checkers/register_packets.hpp"

namespace muster::checkers {

/// Those that look at nearly everything. They are called as what they are, not virtually, so that
/// what is short is inlined and a flit is read once for all of them. Which of them are called for
/// what is in the functions show_*, and must be what they say that they see.
struct OfLinks {
  Packets* packets = nullptr;
  Credits* credits = nullptr;
  RouteLegality* routes = nullptr;
  Conservation* conservation = nullptr;
  Delivery* delivery = nullptr;
  RegisterPackets* register_packets = nullptr;
  FairService* fair_service = nullptr;
};

CheckerList::CheckerList(const Subject& subject, const Bounds& bounds,
                         const std::function<void(CheckerList&)>& add_systems)
    : subject_(subject),
      bounds_(bounds),
      channels_(static_cast<core::ChannelId>(subject.layout.channels().size())),
      first_node_channel_(subject.layout.into_switch(0)),
      of_links_(std::make_unique<OfLinks>()),
      data_(std::size_t{channels_} * subject.vcs, 0) {
  const auto know = [&]<class C>(C*& known, Concern concern) -> C& {
    auto checker = std::make_unique<C>(subject);
    known = checker.get();
    insert({std::move(checker), concern, true});
    return *known;
  };
  know(of_links_->packets, Concern::kLinks);
  know(of_links_->credits, Concern::kLinks);
  know(of_links_->routes, Concern::kLinks);
  know(of_links_->conservation, Concern::kLinks);
  const Delivery& delivery = know(of_links_->delivery, Concern::kLinks);
  know(of_links_->register_packets, Concern::kOtherPackets);
  auto waits = std::make_unique<BoundedWaits>(subject, bounds, delivery);
  waits_ = waits.get();
  add_systems(*this);
  know(of_links_->fair_service, Concern::kWaits);
  add(std::move(waits));
}

CheckerList::~CheckerList() = default;

void CheckerList::insert(Entry entry) {
  if (entry.applies && entry.checker->sees().behind_pipe)
    behind_pipe_.push_back(entry.checker.get());
  const auto after =
      std::upper_bound(entries_.begin(), entries_.end(), entry.concern,
                       [](Concern concern, const Entry& other) { return concern < other.concern; });
  entries_.insert(after, std::move(entry));
  cycles_.clear();
  for (const Entry& e : entries_)
    if (e.applies && e.checker->sees().cycles) cycles_.push_back(e.checker.get());
}

/// The kinds of flits that it wants, a bit each.
unsigned CheckerList::kinds_of(const Sees& sees) {
  const bool shapes[] = {sees.bodies, sees.heads, sees.sync, sees.sync};
  const bool places[] = {sees.channels == Sees::Channels::kAll, true};
  const bool wanted[] = {sees.virtual_channels != Sees::VirtualChannels::kWorms,
                         sees.virtual_channels != Sees::VirtualChannels::kOrdinary};
  const bool packets[] = {true, sees.data};
  unsigned kinds = 0;
  for (unsigned kind = 0; kind < kKinds; ++kind)
    if (shapes[kind % kOfNode] && places[kind / kOfNode % 2] && wanted[kind / kWorm % 2] &&
        packets[kind / kData])
      kinds |= 1u << kind;
  return kinds;
}

void CheckerList::show(LinkChecker& checker) {
  const Sees sees = checker.sees();
  const unsigned kinds = kinds_of(sees);
  others_.kinds |= kinds;
  bodies_ = bodies_ || (kinds & (1u | 1u << kData)) != 0;
  for (unsigned kind = 0; kind < kKinds; ++kind)
    if (kinds >> kind & 1) others_.flits[kind].push_back(&checker);
  if (sees.credits) others_.credits.push_back(&checker);
}

void CheckerList::watch(OwedMessages& owed) { waits_->watch(owed); }

/// A body or tail of a packet, in no worm channel; most are between switches.
template <bool kAtNode>
inline void CheckerList::show_body(std::uint64_t cycle, const SeenFlit& seen) const {
  of_links_->packets->body(cycle, seen);
  of_links_->credits->data(cycle, seen);
  of_links_->conservation->body(seen);
  if constexpr (kAtNode) {
    of_links_->delivery->flit(cycle, seen.event);
    if (data_[seen.place] == 0) of_links_->register_packets->flit(cycle, seen.event);
    others_.show(kOfNode | data_[seen.place], cycle, seen.event);
  } else if (bodies_) {
    others_.show(data_[seen.place], cycle, seen.event);
  }
  if (subject_.pipe == 0) of_links_->fair_service->body(seen);
}

/// A head in no worm channel.
void CheckerList::show_head(std::uint64_t cycle, const core::FlitEvent& event) {
  const SeenFlit seen(event, subject_.vcs);
  of_links_->packets->head(cycle, event);
  of_links_->credits->data(cycle, seen);
  of_links_->routes->flit(cycle, event);
  of_links_->conservation->head(seen);
  const unsigned data = fabric::Formats::opcode(event.flit) == fabric::kOpcodeData ? kData : 0;
  data_[seen.place] = static_cast<std::uint8_t>(data);
  unsigned kind = kHead | data;
  if (seen.channel >= first_node_channel_) {
    kind |= kOfNode;
    of_links_->delivery->flit(cycle, event);
    if (data == 0) of_links_->register_packets->flit(cycle, event);
  }
  others_.show(kind, cycle, event);
  of_links_->fair_service->head(cycle, event);
}

/// A barrier message, or a flit of a worm.
void CheckerList::show_other(std::uint64_t cycle, const core::FlitEvent& event) const {
  const bool worm = event.flit.vc == subject_.worm_channel;
  const unsigned shape = event.flit.cut() ? 0 : event.flit.kind >> 1;
  const unsigned kind = (shape & (kHead | kSync)) | (worm ? kWorm : 0) |
                        (event.channel >= first_node_channel_ ? kOfNode : 0);
  of_links_->packets->flit(cycle, event);
  of_links_->credits->flit(cycle, event);
  others_.show(kind, cycle, event);
  if (!worm) of_links_->fair_service->flit(cycle, event);
}

void CheckerList::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                          std::span<const core::CreditEvent> credits) {
  for (const core::FlitEvent& event : flits) {
    if (event.channel >= channels_) [[unlikely]] {
      const core::FlitEvent behind{event.channel - channels_, event.flit};
      for (LinkChecker* checker : behind_pipe_) checker->flit_behind_pipe(cycle, behind);
      continue;
    }
    const unsigned shape = event.flit.kind & (core::Flit::kSync | core::Flit::kHead);
    if (event.flit.vc == subject_.worm_channel || (shape & core::Flit::kSync) != 0) [[unlikely]]
      show_other(cycle, event);
    else if (shape != 0 && !event.flit.cut())
      show_head(cycle, event);
    else if (event.channel < first_node_channel_)
      show_body<false>(cycle, SeenFlit(event, subject_.vcs));
    else
      show_body<true>(cycle, SeenFlit(event, subject_.vcs));
  }
  Credits& counted = *of_links_->credits;
  FairService& fair_service = *of_links_->fair_service;
  const unsigned fair = subject_.pipe == 0 ? fair_service.ordinary() : 0;
  for (const core::CreditEvent& event : credits) {
    if (event.channel >= channels_) [[unlikely]] {
      const core::CreditEvent behind{event.channel - channels_, event.credits};
      for (LinkChecker* checker : behind_pipe_) checker->credit_behind_pipe(cycle, behind);
      continue;
    }
    // FairService objects to no credit, so that it may see one before other checkers do.
    counted.credit(cycle, event, [&](unsigned kind, std::uint32_t place) {
      if (fair >> kind & 1) fair_service.returned(cycle, event.channel, place);
    });
    for (LinkChecker* checker : others_.credits) checker->credit(cycle, event);
  }
  for (LinkChecker* checker : cycles_) checker->end_cycle(cycle);
}

void CheckerList::finish(std::uint64_t cycle, bool drained) {
  for (const Entry& entry : entries_) entry.checker->finish(cycle, drained);
}

void CheckerList::lose(std::uint64_t cycle, const Loss& loss) {
  for (const Entry& entry : entries_) entry.checker->lose(cycle, loss);
}

void CheckerList::recovered() {
  for (const Entry& entry : entries_) entry.checker->recovered();
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
