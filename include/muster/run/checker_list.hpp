// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/core/pointers.hpp"
#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

class BoundedWaits;
class Delivery;
class OfLinks;
enum class When : std::uint8_t;
class RegisterPackets;

/// What a checker is about. The totals of a run are in this order, and so are the ends of cycles
/// and of the run.
enum class Concern : std::uint8_t {
  kLinks,            ///< flits and packets of any kind
  kBarrierMessages,  ///< barriers by messages of the switches
  kBarrierPackets,   ///< barriers by packets between nodes
  kOtherPackets,     ///< packets that the checkers of links leave to another
  kWaits,            ///< how long anything takes
};

/// All checkers of a run, as one observer of its network: the first breach ends the run with
/// Breach. A checker is shown the flits of a cycle after those of links, and each of them after
/// those that were added before it, and may rely on what they reject; breaches of FairService,
/// which rejects packets for the order in which they go, are reported last.
///
/// Of Packets, Credits, RouteLegality, Conservation and FairService, called those of links, each
/// partition of a divided engine has its own, unless there are delay pipes or link ends. Results do
/// not depend on it.
class CheckerList : public core::Observer, public core::DividedObserver {
 public:
  /// Has the checkers of links; `add_systems` adds those of systems between these and the checkers
  /// of waits.
  CheckerList(const Subject& subject, const Bounds& bounds,
              const std::function<void(CheckerList&)>& add_systems);
  ~CheckerList() override;

  const Subject& subject() const { return subject_; }  ///< what its checkers know
  const Bounds& bounds() const { return bounds_; }     ///< of the run

  /// One that does not apply to the run is in the totals, and is told the end of the run only.
  /// REQUIRES: before the first cycle.
  template <class C>
  C& add(std::unique_ptr<C> checker, Concern concern = Concern::kWaits, bool applies = true) {
    C& added = *checker;
    if (applies) show(added);
    insert(std::move(checker), concern, applies);
    return added;
  }
  /// Messages that BoundedWaits is to watch too. `owed` outlives the last cycle.
  void watch(OwedMessages& owed);

  /// The checker of class C; nullptr if there is none. Of those of links, that of the first
  /// partition, valid from the first cycle on.
  template <class C>
  C* find() const {
    for (const Entry& entry : entries_)
      if (C* const checker = core::as<C>(entry.checkers.front().get())) return checker;
    return nullptr;
  }
  /// The checker of bounded waits.
  const BoundedWaits& waits() const { return *waits_; }

  /// Shows the events to the checkers. Throws the first Breach.
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;
  DividedObserver* divided() override { return this; }
  bool divide(std::size_t partitions, std::span<const core::EndPartitions> ends) override;
  void observe_partition(std::size_t partition, std::uint64_t cycle,
                         std::span<const core::FlitEvent> sent,
                         std::span<const core::FlitEvent> entering,
                         std::span<const core::CreditEvent> credits) override;
  void finish(std::uint64_t cycle, bool drained) override;
  /// See LinkChecker.
  void lose(std::uint64_t cycle, const Loss& loss);
  void recovered();  ///< see LinkChecker

  /// How often one checker's property held.
  struct Total {
    const char* name;      ///< of the checker
    std::uint64_t checks;  ///< passed
  };
  std::vector<Total> totals() const;  ///< one for each checker
  /// See LinkChecker::slack; of the checker that bounds the barrier.
  std::optional<std::uint64_t> slack(std::uint32_t group, std::uint32_t barrier) const;

 private:
  struct Entry {
    std::vector<std::unique_ptr<LinkChecker>> checkers;  ///< one; of links one a partition
    Concern concern;
    bool applies;  ///< it is in `others_`; the others are shown the run by name, or not at all
  };
  /// Flits by what Sees distinguishes: sync, head (a cut mark is none), whether at a node, whether
  /// in the worm channel, whether of a packet of data.
  static constexpr unsigned kHead = 1, kSync = 2, kOfNode = 4, kWorm = 8, kData = 16, kKinds = 32;
  using Shown = std::vector<LinkChecker*>;  ///< in the order in which they were added
  /// Who is shown what, by a virtual call each.
  struct Audience {
    unsigned kinds = 0;  ///< of flits that one of them sees, a bit each
    std::array<Shown, kKinds> flits;
    Shown credits;

    void show(unsigned kind, std::uint64_t cycle, const core::FlitEvent& event) const {
      if (kinds >> kind & 1)
        for (LinkChecker* checker : flits[kind]) checker->flit(cycle, event);
    }
  };

  void insert(std::unique_ptr<LinkChecker> checker, Concern concern, bool applies);
  void show(LinkChecker& checker);
  static unsigned kinds_of(const Sees& sees);
  void raise_first(When last, std::span<const core::FlitEvent> flits,
                   std::span<const core::CreditEvent> credits);
  // One flit, by what it is.
  void show_head(std::uint64_t cycle, const core::FlitEvent& event);
  void show_body(std::uint64_t cycle, const core::FlitEvent& event) const;
  void show_other(std::uint64_t cycle, const core::FlitEvent& event) const;
  void show_credits(std::uint64_t cycle, const core::CreditEvent& event) const;

  Subject subject_;
  Bounds bounds_;
  core::ChannelId channels_, first_node_channel_;
  std::vector<Entry> entries_;  ///< by concern, then as added
  BoundedWaits* waits_ = nullptr;
  std::vector<core::EndPartitions> ends_;  ///< by channel, if there are several partitions
  std::vector<OfLinks> links_;             ///< by partition
  Delivery* delivery_ = nullptr;
  RegisterPackets* register_packets_ = nullptr;
  Audience others_;      ///< but these
  bool bodies_ = false;  ///< one of them sees bodies between switches
  /// By channel and virtual channel: kData if the packet that is passing is of data.
  std::vector<std::uint8_t> data_;
  Shown behind_pipe_;
  Shown cycles_;  ///< by concern, as entries_, but those of links
};

}  // namespace muster::checkers
