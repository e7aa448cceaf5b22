// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "systems/esc/sources.hpp"

namespace muster::esc {

/// Packets in, less packets out, of every box: never negative, never more than n S, zero when the
/// network has been drained; and a box holds one if and only if it shows one at an output. A
/// broadcast counts n. Synchronization messages that are combined are counted as messages, apart.
class ConservationCheck final : public Check {
 public:
  explicit ConservationCheck(const Spec& spec)
      : n_(spec.box.size),
        capacity_(static_cast<std::int32_t>(n_ * spec.box.depth)),
        boxes_per_stage_(spec.pes / n_),
        last_stage_(spec.stages().last()),
        combining_(spec.reference == Reference::kCombining),
        held_(std::size_t{spec.stages().count(Cube(spec.pes, n_))} * boxes_per_stage_),
        messages_(held_.size()) {}
  std::string name() const override { return "conservation"; }
  void start(const SessionPlan& /*plan*/) override { clear_all(held_, messages_); }
  void observe(const CycleView& view) override {
    cycle_ = view.cycle;
    if (combining_) return count_messages(view);
    switch (n_) {
      case 2:
        return count<2>(view);
      case 4:
        return count<4>(view);
      default:
        return count<8>(view);
    }
  }
  void finish() override {
    for (std::uint32_t b = 0; b < held_.size(); ++b)
      if (held_[b] != 0 || messages_[b] != 0)
        violation(fmt::format("cycle {}: box {} of stage {} keeps {} packets", cycle_,
                              b % boxes_per_stage_, stage(b), held_[b] + messages_[b]));
  }

 private:
  template <std::uint32_t N>
  void count(const CycleView& view) {
    for (std::uint32_t b = 0; b < held_.size(); ++b) {
      const std::size_t k = std::size_t{b} * N;
      std::int32_t in = 0, out = 0, shown = 0;
      BoxPacket releases = 0;  // top bit: one of the packets is of kind 3
      for (std::size_t p = k; p < k + N; ++p) {
        const bool valid = view.tx[p] != 0;
        in += view.rx_ready[p];
        shown += valid;
        out += valid & view.tx_ready[p];
        releases |= view.rx[p] & (view.rx[p] << 1);
      }
      if (releases >> 63 != 0) in += copies(view, b);
      const std::int32_t before = held_[b], after = before + in - out;
      held_[b] = after;
      // One branch a box and cycle.
      if (((before > 0) != (shown > 0)) | (after < 0) | (after > capacity_))
        violation(fmt::format(
            "cycle {}: box {} of stage {} held {} packets, shows {}, takes {}, "
            "sends {}; it can hold {}",
            view.cycle, b % boxes_per_stage_, stage(b), before, shown, in, out, capacity_));
    }
    passed_ += held_.size();
  }
  void count_messages(const CycleView& view) {
    const auto combined = [](BoxPacket p) { return kind_of(p) == BoxKind::kSynchronization; };
    for (std::uint32_t b = 0; b < held_.size(); ++b) {
      const std::int32_t held = held_[b], messages = messages_[b];
      bool shown = false;
      for (std::size_t p = std::size_t{b} * n_; p < std::size_t{b + 1} * n_; ++p) {
        const BoxPacket in = view.rx_ready[p] != 0 ? view.rx[p] : 0;
        const BoxPacket out = view.tx_ready[p] != 0 ? view.tx[p] : 0;
        shown = shown || view.tx[p] != 0;
        if (combined(in))
          messages_[b] += static_cast<std::int32_t>(messages_of(in));
        else
          held_[b] += in != 0;
        if (combined(out))
          messages_[b] -= static_cast<std::int32_t>(messages_of(out));
        else
          held_[b] -= out != 0;
      }
      held_[b] += copies(view, b);
      if ((held + messages > 0) != shown || held_[b] < 0 || messages_[b] < 0 ||
          held_[b] > capacity_)
        violation(fmt::format(
            "cycle {}: box {} of stage {} held {} packets and {} messages, now {} and {}",
            view.cycle, b % boxes_per_stage_, stage(b), held, messages, held_[b], messages_[b]));
    }
    passed_ += held_.size();
  }
  /// Further copies of the packets that a box takes for a broadcast.
  std::int32_t copies(const CycleView& view, std::uint32_t b) const {
    std::int32_t more = 0;
    for (std::size_t p = std::size_t{b} * n_; p < std::size_t{b + 1} * n_; ++p)
      if (view.rx_ready[p] != 0 && broadcast_in(view.rx[p], stage(b))) more += n_ - 1;
    return more;
  }
  unsigned stage(std::uint32_t b) const { return last_stage_ + b / boxes_per_stage_; }

  std::uint32_t n_;
  std::int32_t capacity_;
  std::uint32_t boxes_per_stage_;
  unsigned last_stage_;
  std::uint64_t cycle_ = 0;
  bool combining_;
  std::vector<std::int32_t> held_;      ///< by block; none that are combined
  std::vector<std::int32_t> messages_;  ///< by block: combined synchronization messages
};

/// No packet is lost, duplicated, changed or misdelivered; packets of one source, destination and
/// path arrive in the order in which they were generated, under throttling those of background;
/// of synchronization messages that are combined, number and births are those that were sent;
/// every PE gets one copy of each release packet.
///
/// What enters and what leaves is compared as two multisets, by number and by a sum of
/// fingerprints, once the network has been drained. Order is followed for all sources as long as
/// their flows fit a table of 2^22 entries (N = 1024 with n = 4 and a policy), for every k-th
/// source in a larger network.
class DeliveryCheck final : public Check {
 public:
  explicit DeliveryCheck(const Spec& spec)
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
  std::string name() const override { return "delivery"; }
  void start(const SessionPlan& /*plan*/) override {
    entered_ = entered_sum_ = delivered_ = delivered_sum_ = 0;
    releases_ = 0;
    clear_all(sent_, got_, copies_, newest_);
  }
  void observe(const CycleView& view) override {
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
    if (releases >> 63 != 0 || combining_) set_apart(view);
  }
  void finish() override {
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

 private:
  static constexpr std::uint64_t kTable = 1u << 22;

  /// Sums of it differ for different multisets, except for one chance in 2^60 or so.
  static constexpr std::uint64_t fingerprint(BoxPacket p) {
    return (p + 0x9E3779B97F4A7C15u) * (p ^ (p >> 23) ^ 0xD6E8FEB86659FD93u);
  }
  /// Takes release packets, and synchronization packets that are combined, out of the sums.
  void set_apart(const CycleView& view) {
    for (std::uint32_t pe = 0; pe < copies_.size(); ++pe) {
      const BoxPacket packet = view.taken[pe] != 0 ? view.offers[pe] : 0;
      if (kind_of(packet) == BoxKind::kRelease)
        ++releases_;
      else if (combining_ && kind_of(packet) == BoxKind::kSynchronization)
        sent_[cube_.destination(tag_of(packet))].add(packet);
      else
        continue;
      --entered_;
      entered_sum_ -= fingerprint(packet);
    }
  }
  void arrive(std::uint64_t cycle, std::uint32_t pe, BoxPacket packet) {
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
    const std::uint32_t destination = cube_.destination(tag_of(packet));
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

  /// Messages, and the sum of their cycles of generation, for one coordinator.
  struct Combined {
    std::uint64_t messages = 0, births = 0;
    void add(BoxPacket packet) {
      messages += messages_of(packet);
      births = (births + birth_of(packet)) & ((1u << kBoxBirthBits) - 1);
    }
    friend bool operator==(const Combined&, const Combined&) = default;
  };

  Cube cube_;
  bool combining_;
  std::vector<Combined> sent_, got_;  ///< by coordinator, if messages are combined
  bool throttled_;                    ///< a synchronization message may wait beside its PE's queue
  std::uint32_t paths_;               ///< per pair
  std::uint32_t every_;  ///< order is followed for sources that are multiples of this power of 2
  std::uint64_t entered_ = 0, entered_sum_ = 0, delivered_ = 0, delivered_sum_ = 0;
  std::uint32_t releases_ = 0;           ///< release packets sent
  std::vector<std::uint32_t> copies_;    ///< release packets that each PE has got
  std::vector<std::uint32_t> arriving_;  ///< PEs that get a packet in this cycle
  std::vector<std::uint32_t> newest_;    ///< [source / every][destination][path]: order of the last
};

/// What the policies promise of the reserved boxes, those of stages m - 1 .. 1 whose links have
/// digit 0 = 0 (sections 4.2 to 4.4), for packets that left their PE's queue while its own flag was
/// set: under isolated background none enters one; under isolated hot spot only those for the PE's
/// hot spot; under hot section only those, and those for another section from input 0. And all
/// synchronization messages do. With a fault, what has no other way is exempt. The links into stage
/// m - 1 are watched: no later stage changes digit 0.
class PurityCheck final : public Check {
 public:
  explicit PurityCheck(const Spec& spec)
      : cube_(spec.pes, spec.box.size),
        policy_(spec.policy),
        section_mask_(spec.sections_at_run_time ? spec.pes - 1 : section_mask(spec)),
        routing_(cube_, spec.stages(), spec.faults),
        flagged_(spec.pes) {
    const unsigned stage = cube_.input_stage() - 1;
    if (stage == 0 || !spec.policy_acts() || spec.policy == InputPolicy::kStraight) return;
    for (std::uint32_t link = 0; link < spec.pes; ++link)
      places_.push_back(stage * spec.pes + cube_.place(stage, link));
  }
  std::string name() const override { return "purity"; }
  void start(const SessionPlan& plan) override {
    plan_ = plan;
    clear_all(flagged_);
  }
  void observe(const CycleView& view) override {
    if (places_.empty()) return;
    for (std::uint32_t pe = 0; pe < flagged_.size(); ++pe) {
      if (view.taken[pe] == 0 || view.flags[pe] == 0) continue;
      if (kind_of(view.offers[pe]) != BoxKind::kBackground) continue;
      Flagged& flagged = flagged_[pe];
      flagged.from = std::min(flagged.from, birth_of(view.offers[pe]));
      flagged.to = birth_of(view.offers[pe]);
    }
    for (std::uint32_t link = 0; link < places_.size(); ++link) {
      const BoxPacket packet = view.rx[places_[link]];
      if (packet == 0 || view.rx_ready[places_[link]] == 0) continue;
      const bool reserved = cube_.digit(link, 0) == 0;
      const bool pure =
          kind_of(packet) == BoxKind::kSynchronization ? reserved : !reserved || allowed(packet);
      if (pure || has_no_other_way(packet)) {
        ++passed_;
      } else {
        violation(fmt::format("cycle {}: {:016x} from PE {} to PE {} enters stage {} on link {}",
                              view.cycle, packet, source_of(packet),
                              cube_.destination(tag_of(packet)), cube_.input_stage() - 1, link));
      }
    }
  }

 private:
  /// A queue is FIFO, so what left it under the flag is an interval of cycles of generation.
  struct Flagged {
    std::uint64_t from = kNever, to = 0;
  };
  /// In a reserved box, for what is no synchronization message.
  bool allowed(BoxPacket packet) const {
    if (kind_of(packet) != BoxKind::kBackground) return true;
    const std::uint32_t source = source_of(packet);
    const Flagged& flagged = flagged_[source];
    if (birth_of(packet) < flagged.from || birth_of(packet) > flagged.to) return true;
    const std::uint32_t destination = cube_.destination(tag_of(packet));
    const std::uint32_t hot = plan_.hot_of(source);
    if (policy_ == InputPolicy::kIsolatedBackground) return false;
    if (destination == hot) return true;
    return policy_ == InputPolicy::kHotSection && ((destination ^ hot) & section_mask_) != 0 &&
           cube_.digit(source, 0) == 0;
  }
  /// A fault is on the ways that the policy has for it.
  bool has_no_other_way(BoxPacket packet) const {
    const std::uint32_t destination = cube_.destination(tag_of(packet));
    const auto is_cut = [&](std::uint32_t x) {
      return routing_.is_cut(source_of(packet), destination, x);
    };
    if (kind_of(packet) == BoxKind::kSynchronization) return is_cut(0);
    bool cut = true;
    for (std::uint32_t x = 1; x < cube_.size(); ++x) cut = cut && is_cut(x);
    return cut;
  }

  Cube cube_;
  InputPolicy policy_;
  std::uint32_t section_mask_;
  FaultRouting routing_;
  std::vector<std::uint32_t> places_;  ///< rx of stage m - 1, by link; none if m = 1
  std::vector<Flagged> flagged_;       ///< background of each PE
  SessionPlan plan_;
};

}  // namespace muster::esc
