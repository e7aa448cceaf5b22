// SPDX-License-Identifier: Apache-2.0
#include "muster/run/checker_list.hpp"

#include <algorithm>
#include <tuple>

#include "fabric/checkers/credits.hpp"
#include "fabric/checkers/delivery.hpp"
#include "fabric/checkers/fair_service.hpp"
#include "fabric/checkers/packets.hpp"
#include "fabric/checkers/register_packets.hpp"

namespace muster::checkers {

/// What a checker of links looks at, in the order in which breaches of a cycle are reported: the
/// last is service, which FairService finds in flits.
enum class When : std::uint8_t { kFlits, kCredits, kEnd, kService };
struct Found {
  When when;
  Breach breach;
};

/// The checkers that look at nearly everything, at all of the network or a partition of it. They
/// are called as what they are, not virtually, so that what is short is inlined and a flit is read
/// once for all of them.
class OfLinks {
 public:
  /// `own` takes the checkers that it makes, and what they are about.
  template <class Own>
  OfLinks(const Subject& looks_at, Own&& own)
      : subject(looks_at),
        channels_(static_cast<core::ChannelId>(subject.layout.channels().size())) {
    const auto make = [&]<class C>(C*& made, Concern concern) {
      auto checker = std::make_unique<C>(subject);
      made = checker.get();
      counts_.emplace_back(made, 0);
      own(std::move(checker), concern);
    };
    make(packets_, Concern::kLinks);
    make(credits_, Concern::kLinks);
    make(routes_, Concern::kLinks);
    make(conservation_, Concern::kLinks);
    make(fair_service_, Concern::kWaits);
  }

  Subject subject;
  std::vector<Found> found;  ///< in this cycle, in no order

  /// A cycle; see core::DividedObserver.
  void look(std::uint64_t cycle, std::span<const core::FlitEvent> sent,
            std::span<const core::FlitEvent> entering, std::span<const core::CreditEvent> credits) {
    found.clear();
    for (auto& [checker, checks] : counts_) checks = checker->checks();
    for (const core::FlitEvent& event : sent)
      during(When::kFlits,
             [&] { subject.receives(event.channel) ? flit(cycle, event) : leaving(cycle, event); });
    for (const core::FlitEvent& event : entering) during(When::kFlits, [&] { flit(cycle, event); });
    for (const core::CreditEvent& event : credits)
      during(When::kCredits, [&] { credit(cycle, event); });
    during(When::kEnd, [&] {
      routes_->end_cycle(cycle);
      conservation_->end_cycle(cycle);
    });
  }

  /// The checks of this cycle, which ends by a breach, are not counted: how many pass before it
  /// depends on the partitions.
  void count_no_more() {
    for (const auto& [checker, checks] : counts_) checker->count_again_from(checks);
  }

  // What a flit is, of three kinds: the last are bodies and tails.
  static bool is_message_or_worm(const core::Flit& flit, const Subject& subject) {
    return flit.sync() || flit.vc == subject.worm_channel;
  }
  static bool begins(const core::Flit& flit) { return flit.head() && !flit.cut(); }

 private:
  void flit(std::uint64_t cycle, const core::FlitEvent& event) {
    if (event.channel >= channels_) [[unlikely]]
      return flit_behind_pipe(cycle, {event.channel - channels_, event.flit});
    const SeenFlit seen(event, subject.vcs);
    if (is_message_or_worm(event.flit, subject)) [[unlikely]] {
      packets_->flit(cycle, event);
      credits_->flit(cycle, event);
      if (seen.vc != subject.worm_channel) fair_service_->flit(cycle, event);
    } else if (begins(event.flit)) {
      packets_->head(cycle, event);
      credits_->data(cycle, seen);
      routes_->flit(cycle, event);
      conservation_->head(seen);
      during(When::kService, [&] { fair_service_->head(cycle, event); });
    } else {
      packets_->body(cycle, seen);
      credits_->data(cycle, seen);
      conservation_->body(seen);
      if (subject.pipe == 0) fair_service_->body(seen);
    }
  }
  /// A flit for another partition, which checks everything except the sending switch. A virtual
  /// channel that does not exist is rejected there.
  void leaving(std::uint64_t cycle, const core::FlitEvent& event) {
    if (is_message_or_worm(event.flit, subject) || event.flit.vc >= subject.vcs) return;
    const SeenFlit seen(event, subject.vcs);
    if (!begins(event.flit)) return conservation_->body(seen);
    routes_->leaving(cycle, event);
    conservation_->head(seen);
    during(When::kService, [&] { fair_service_->leave(cycle, event); });
  }
  void flit_behind_pipe(std::uint64_t cycle, const core::FlitEvent& event) {
    credits_->flit_behind_pipe(cycle, event);
    conservation_->flit_behind_pipe(cycle, event);
    fair_service_->flit_behind_pipe(cycle, event);
  }
  void credit(std::uint64_t cycle, const core::CreditEvent& event) {
    if (event.channel >= channels_) [[unlikely]] {
      const core::CreditEvent behind{event.channel - channels_, event.credits};
      credits_->credit_behind_pipe(cycle, behind);
      return fair_service_->credit_behind_pipe(cycle, behind);
    }
    const unsigned fair = subject.pipe == 0 ? fair_service_->ordinary() : 0;
    credits_->credit(cycle, event, [&](unsigned kind, std::uint32_t place) {
      if (fair >> kind & 1) fair_service_->returned(cycle, event.channel, place);
    });
  }
  template <class Look>
  void during(When when, const Look& look) {
    try {
      look();
    } catch (const Breach& breach) {
      found.push_back({when, breach});
    }
  }

  core::ChannelId channels_;
  Packets* packets_;
  Credits* credits_;
  RouteLegality* routes_;
  Conservation* conservation_;
  FairService* fair_service_;
  std::vector<std::pair<LinkChecker*, std::uint64_t>> counts_;  ///< checks before this cycle
};

CheckerList::CheckerList(const Subject& subject, const Bounds& bounds,
                         const std::function<void(CheckerList&)>& add_systems)
    : subject_(subject),
      bounds_(bounds),
      channels_(static_cast<core::ChannelId>(subject.layout.channels().size())),
      first_node_channel_(subject.layout.into_switch(0)),
      data_(std::size_t{channels_} * subject.vcs, 0) {
  std::unique_ptr<LinkChecker> fair_service;
  links_.emplace_back(subject, [&](auto checker, Concern concern) {
    if (concern == Concern::kWaits)
      fair_service = std::move(checker);
    else
      insert(std::move(checker), concern, false);
  });
  auto delivery = std::make_unique<Delivery>(subject);
  delivery_ = delivery.get();
  insert(std::move(delivery), Concern::kLinks, false);
  auto register_packets = std::make_unique<RegisterPackets>(subject);
  register_packets_ = register_packets.get();
  insert(std::move(register_packets), Concern::kOtherPackets, false);
  auto waits = std::make_unique<BoundedWaits>(subject, bounds, *delivery_);
  waits_ = waits.get();
  add_systems(*this);
  insert(std::move(fair_service), Concern::kWaits, false);
  add(std::move(waits));
}

CheckerList::~CheckerList() = default;

void CheckerList::insert(std::unique_ptr<LinkChecker> checker, Concern concern, bool applies) {
  Entry entry{.checkers = {}, .concern = concern, .applies = applies};
  entry.checkers.push_back(std::move(checker));
  const auto after = std::ranges::upper_bound(entries_, concern, {}, &Entry::concern);
  entries_.insert(after, std::move(entry));
  cycles_.clear();
  for (const Entry& e : entries_)
    if (e.applies && e.checkers.front()->sees().cycles) cycles_.push_back(e.checkers.front().get());
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
  if (sees.behind_pipe) behind_pipe_.push_back(&checker);
}

void CheckerList::watch(OwedMessages& owed) { waits_->watch(owed); }

bool CheckerList::divide(std::size_t partitions, std::span<const core::EndPartitions> ends) {
  if (subject_.pipe != 0) return false;
  ends_.assign(ends.begin(), ends.end());
  links_.clear();
  Subject subject = subject_;
  subject.ends = &ends_;
  for (subject.partition = 0; subject.partition < partitions; ++subject.partition)
    links_.emplace_back(subject, [&](std::unique_ptr<LinkChecker> checker, Concern) {
      const auto name_of = [](const Entry& entry) {
        return std::string_view(entry.checkers.front()->name());
      };
      Entry& entry = *std::ranges::find(entries_, std::string_view(checker->name()), name_of);
      if (subject.partition == 0) entry.checkers.clear();
      entry.checkers.push_back(std::move(checker));
    });
  return true;
}

void CheckerList::observe_partition(std::size_t partition, std::uint64_t cycle,
                                    std::span<const core::FlitEvent> sent,
                                    std::span<const core::FlitEvent> entering,
                                    std::span<const core::CreditEvent> credits) {
  links_[partition].look(cycle, sent, entering, credits);
}

/// Throws the first breach that the checkers of links have found in the cycle that is given, up to
/// `last`. Of one flit the receiver's checkers come before those of its sender.
void CheckerList::raise_first(When last, std::span<const core::FlitEvent> flits,
                              std::span<const core::CreditEvent> credits) {
  const auto place_in = [](const auto& events, core::ChannelId channel) {
    const auto channel_of = [](const auto& event) { return event.channel; };
    return std::ranges::find(events, channel, channel_of) - events.begin();
  };
  std::optional<std::tuple<When, std::ptrdiff_t, bool>> first;
  const Breach* reported = nullptr;
  for (const OfLinks& links : links_)
    for (const auto& [when, breach] : links.found) {
      const std::uint32_t place = breach.place();
      const bool flit = when == When::kFlits || when == When::kService;
      const std::tuple order(when,
                             flit                     ? place_in(flits, place)
                             : when == When::kCredits ? place_in(credits, place)
                                                      : std::ptrdiff_t{place},
                             flit && !links.subject.receives(place));
      if (when > last || (first && *first <= order)) continue;
      first = order;
      reported = &breach;
    }
  if (reported == nullptr) return;
  for (OfLinks& links : links_) links.count_no_more();
  throw Breach(*reported);
}

/// A body or tail of a packet, in no worm channel.
inline void CheckerList::show_body(std::uint64_t cycle, const core::FlitEvent& event) const {
  const unsigned data = data_[SeenFlit(event, subject_.vcs).place];
  if (event.channel < first_node_channel_) return others_.show(data, cycle, event);
  delivery_->flit(cycle, event);
  if (data == 0) register_packets_->flit(cycle, event);
  others_.show(kOfNode | data, cycle, event);
}

/// A head in no worm channel.
void CheckerList::show_head(std::uint64_t cycle, const core::FlitEvent& event) {
  const unsigned data = fabric::Formats::opcode(event.flit) == fabric::kOpcodeData ? kData : 0;
  data_[SeenFlit(event, subject_.vcs).place] = static_cast<std::uint8_t>(data);
  unsigned kind = kHead | data;
  if (event.channel >= first_node_channel_) {
    kind |= kOfNode;
    delivery_->flit(cycle, event);
    if (data == 0) register_packets_->flit(cycle, event);
  }
  others_.show(kind, cycle, event);
}

/// A barrier message, or a flit of a worm.
void CheckerList::show_other(std::uint64_t cycle, const core::FlitEvent& event) const {
  const bool worm = event.flit.vc == subject_.worm_channel;
  const unsigned shape = event.flit.cut() ? 0 : event.flit.kind >> 1;
  others_.show((shape & (kHead | kSync)) | (worm ? kWorm : 0) |
                   (event.channel >= first_node_channel_ ? kOfNode : 0),
               cycle, event);
}

inline void CheckerList::show_credits(std::uint64_t cycle, const core::CreditEvent& event) const {
  if (event.channel >= channels_) {
    const core::CreditEvent behind{event.channel - channels_, event.credits};
    for (LinkChecker* checker : behind_pipe_) checker->credit_behind_pipe(cycle, behind);
  } else {
    for (LinkChecker* checker : others_.credits) checker->credit(cycle, event);
  }
}

void CheckerList::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                          std::span<const core::CreditEvent> credits) {
  if (links_.size() == 1) links_.front().look(cycle, flits, {}, credits);
  raise_first(When::kEnd, flits, credits);
  const core::ChannelId first_of_bodies = bodies_ ? 0 : first_node_channel_;
  for (const core::FlitEvent& event : flits) {
    if (event.channel >= channels_) [[unlikely]] {
      const core::FlitEvent behind{event.channel - channels_, event.flit};
      for (LinkChecker* checker : behind_pipe_) checker->flit_behind_pipe(cycle, behind);
    } else if (OfLinks::is_message_or_worm(event.flit, subject_)) [[unlikely]] {
      show_other(cycle, event);
    } else if (OfLinks::begins(event.flit)) {
      show_head(cycle, event);
    } else if (event.channel >= first_of_bodies) {
      show_body(cycle, event);
    }
  }
  if (!others_.credits.empty() || !behind_pipe_.empty())
    for (const core::CreditEvent& event : credits) show_credits(cycle, event);
  for (LinkChecker* checker : cycles_) checker->end_cycle(cycle);
  raise_first(When::kService, flits, credits);
}

void CheckerList::finish(std::uint64_t cycle, bool drained) {
  for (const Entry& entry : entries_) {
    std::optional<Breach> first;
    std::vector<std::uint64_t> counts;
    for (const auto& checker : entry.checkers) {
      counts.push_back(checker->checks());
      try {
        checker->finish(cycle, drained);
      } catch (const Breach& breach) {
        if (!first || breach.place() < first->place()) first = breach;
      }
    }
    if (!first) continue;
    for (std::size_t p = 0; p < counts.size(); ++p) entry.checkers[p]->count_again_from(counts[p]);
    throw Breach(*first);
  }
}

void CheckerList::lose(std::uint64_t cycle, const Loss& loss) {
  for (const Entry& entry : entries_)
    for (const auto& checker : entry.checkers) checker->lose(cycle, loss);
}

void CheckerList::recovered() {
  for (const Entry& entry : entries_)
    for (const auto& checker : entry.checkers) checker->recovered();
}

std::vector<CheckerList::Total> CheckerList::totals() const {
  std::vector<Total> totals;
  for (const Entry& entry : entries_) {
    totals.push_back({entry.checkers.front()->name(), 0});
    for (const auto& checker : entry.checkers) totals.back().checks += checker->checks();
  }
  return totals;
}

std::optional<std::uint64_t> CheckerList::slack(std::uint32_t group, std::uint32_t barrier) const {
  for (const Entry& entry : entries_)
    if (const auto slack = entry.checkers.front()->slack(group, barrier)) return slack;
  return std::nullopt;
}

}  // namespace muster::checkers
