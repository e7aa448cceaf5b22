// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>

#include "systems/esc/network.hpp"

namespace muster::esc {

/// Sum and number of the delays of one kind of message.
struct Delays {
  std::uint64_t sum = 0, messages = 0;
  friend bool operator==(const Delays&, const Delays&) = default;
};

struct SessionResult {
  Delays syn, background, hot;  ///< as defined in section 4.1
  std::uint64_t length = 0;     ///< of the active session, cycles
  std::uint64_t height = 0;     ///< of its saturation tree (section 4.3), sum over cycles
  std::uint64_t packets = 0;    ///< delivered, all kinds, copies of a broadcast each
  std::uint64_t cycles = 0;     ///< simulated
  std::uint64_t digest = 0;
  friend bool operator==(const SessionResult&, const SessionResult&) = default;
};

/// Counters beside the output buffers of one enabled stage: packets in each of them, kept from what
/// enters and leaves on the links. docs/systems/esc.md.
class BufferCounts {
 public:
  BufferCounts(const Cube& cube, const OuterStages& stages, unsigned stage)
      : cube_(cube),
        stage_(stage),
        base_(std::size_t{stage - stages.last()} * cube.pes()),
        fill_(cube.pes()) {}

  void start() { std::ranges::fill(fill_, 0); }
  /// Packets in the buffer of output link `link` at the beginning of the cycle.
  std::uint32_t fill(std::uint32_t link) const { return fill_[cube_.place(stage_, link)]; }
  /// The edge of the cycle.
  void clock(const CycleView& view) {
    for (std::uint32_t p = 0; p < fill_.size(); ++p) {
      if (view.tx[base_ + p] != 0) fill_[p] -= view.tx_ready[base_ + p];
      if (view.rx_ready[base_ + p] == 0) continue;
      const BoxPacket packet = view.rx[base_ + p];
      const std::uint32_t box = p & ~(cube_.size() - 1);
      if (broadcast_in(packet, stage_))
        for (std::uint32_t o = 0; o < cube_.size(); ++o) ++fill_[box + o];
      else
        ++fill_[box + cube_.digit(tag_of(packet), stage_)];
    }
  }

 private:
  Cube cube_;
  unsigned stage_;
  std::size_t base_;                 ///< first port of the stage in the bank
  std::vector<std::uint32_t> fill_;  ///< by port of the stage
};

/// The wires on which boxes tell PEs what their output buffers hold, docs/systems/esc.md: the
/// feedback wire of each coordinator under throttling, the fill counts of the input stage under the
/// adaptive choice. In a cycle: show(), the network settles, clock().
class Feedback {
 public:
  Feedback(const Spec& spec, const Cube& cube)
      : limit_(spec.reference == Reference::kThrottle ? spec.throttle_limit : 0),
        counts_(cube, spec.stages(), limit_ != 0 ? 0 : cube.input_stage()),
        wire_(spec.hot_spots) {}

  void start(const SessionPlan& plan) {
    plan_ = plan;
    counts_.start();
    std::ranges::fill(wire_, 0);
  }
  /// Writes busy, by PE, or fill, by link of the input stage; the other is left as it is.
  void show(std::span<std::uint8_t> busy, std::span<std::uint8_t> fill) const {
    if (limit_ != 0)
      for (std::uint32_t pe = 0; pe < busy.size(); ++pe) busy[pe] = wire_[plan_.group(pe)];
    else
      for (std::uint32_t link = 0; link < fill.size(); ++link)
        fill[link] = static_cast<std::uint8_t>(counts_.fill(link));
  }
  void clock(const CycleView& view) {
    for (std::uint32_t group = 0; limit_ != 0 && group < wire_.size(); ++group)
      wire_[group] = counts_.fill(plan_.hot[group]) >= limit_;
    counts_.clock(view);
  }

 private:
  std::uint32_t limit_;  ///< T; 0: not throttled
  BufferCounts counts_;  ///< of the stage that is looked at
  SessionPlan plan_;
  std::vector<std::uint8_t> wire_;  ///< by group: its coordinator is busy
};

/// One network with its PEs, on which sessions are run one after the other. Every session starts
/// from an empty network, so its result depends on the spec and its number only.
class SessionRunner {
 public:
  /// The spec is valid and the factory supports its boxes; both outlive the runner.
  SessionRunner(const Spec& spec, const BoxFactory& factory)
      : spec_(spec),
        cube_(spec.pes, spec.box.size),
        stages_(spec.stages()),
        network_(cube_, spec.stages(), spec.box, factory, spec.faults),
        routing_(cube_, stages_, spec.faults),
        background_(cube_, spec),
        sources_(background_, spec.pes),
        combining_(spec.reference == Reference::kCombining),
        offers_(spec.pes) {
    make_injections(factory);
    if (!spec.policy_acts() || spec.reference == Reference::kAdaptive) return;
    policies_ = factory.make_policies({.size = cube_.size(),
                                       .address_bits = cube_.address_bits(),
                                       .policy = spec.policy,
                                       .section_mask = section_mask(spec)},
                                      spec.pes);
  }

  /// Sees the cycles of all sessions from now on; outlives the runner.
  void attach(Observer& observer) { observers_.push_back(&observer); }
  /// Throws InternalError if the network makes no progress, a message does not arrive or
  /// models differ.
  SessionResult run(std::uint32_t session) {
    start(session);
    while (!done()) cycle(false);
    // What is still inside has no part in the result, but the checks want to see it arrive.
    while (!network_.empty()) cycle(true);
    for (Observer* observer : observers_) observer->finish();
    result_.length = last_ - plan_.first;
    result_.cycles = now_;
    result_.digest = network_.digest();
    return result_;
  }

  std::uint64_t comparisons() const {
    return network_.boxes().comparisons() + (policies_ ? policies_->comparisons() : 0) +
           (injections_ ? injections_->comparisons() : 0);
  }

 private:
  void start(std::uint32_t session) {
    plan_ = plan_session(spec_, session);
    result_ = {};
    now_ = 0;
    last_ = kNever;
    progress_ = surplus_ = 0;
    counted_inside_ = releases_due_ = 0;
    missing_.assign(plan_.hot.size(), 0);
    by_time_.clear();
    for (std::uint32_t pe = 0; pe < spec_.pes; ++pe) {
      if (plan_.time[pe] == kNever) continue;
      ++missing_[plan_.group(pe)];
      by_time_.push_back(pe);
      progress_ = std::max(progress_, plan_.time[pe]);
    }
    std::ranges::stable_sort(by_time_, {}, [this](std::uint32_t pe) { return plan_.time[pe]; });
    set_next_ = 0;
    background_.start(plan_.seed);
    sources_.start(plan_);
    network_.reset(plan_.box_seed);
    if (feedback_) feedback_->start(plan_);
    if (policies_ || injections_) reset_pes();
    for (Observer* observer : observers_) observer->start(plan_);
  }
  void reset_pes() {
    std::vector<std::uint16_t> seeds(spec_.pes);
    for (std::uint32_t pe = 0; pe < spec_.pes; ++pe)
      seeds[pe] = static_cast<std::uint16_t>(~std::uint32_t{plan_.box_seed} ^ (pe * 40503u));
    if (injections_) injections_->reset(seeds);
    if (!policies_) return;
    for (std::uint32_t pe = 0; pe < spec_.pes; ++pe) policies_->hot[pe] = plan_.hot_of(pe);
    policies_->reset(seeds);
  }
  /// One cycle; `closed`: no PE offers anything.
  void cycle(bool closed) {
    // Before the active session there is nothing to measure.
    const bool active = now_ >= plan_.first;
    const auto arrivals = network_.arrivals();
    if (active) {
      for (std::uint32_t pe = 0; pe < spec_.pes; ++pe)
        if (arrivals[pe] != 0) arrive(pe, arrivals[pe]);
    } else {
      for (const BoxPacket packet : arrivals) result_.packets += packet != 0;
    }
    offer(closed);
    network_.settle(now_, offers_);
    CycleView view;
    view.cycle = now_;
    view.offers = offers_;
    if (policies_) view.flags = policies_->flag;
    network_.show(view);
    for (Observer* observer : observers_) observer->observe(view);
    if (surplus_ != 0)
      throw InternalError("esc, cycle {}: {:016x} arrives, more than were sent", now_, surplus_);
    const auto taken = network_.taken();
    if (active && last_ == kNever) result_.height += network_.saturation_height(plan_.hot);
    if (active) {
      for (std::uint32_t pe = 0; pe < spec_.pes; ++pe) {
        const bool counts = counted(offers_[pe]);
        counted_inside_ += (taken[pe] != 0) & counts;
      }
    }
    edge(view, closed);
    ++now_;
    expect_progress();
  }
  void arrive(std::uint32_t pe, BoxPacket packet) {
    ++result_.packets;
    const bool measured = counted(packet);
    if (kind_of(packet) != BoxKind::kBackground || (measured && last_ != kNever))
      progress_ = std::max(progress_, now_);
    if (kind_of(packet) == BoxKind::kRelease) {
      take_one(releases_due_, packet);
      if (policies_ && plan_.hot_of(pe) == source_of(packet)) policies_->clear[pe] = 1;
      return;
    }
    if (combining_ && kind_of(packet) == BoxKind::kSynchronization) {
      arrive_combined(pe, packet);
      return;
    }
    const std::uint64_t delay = now_ - birth_of(packet) - stages_.count(cube_);
    const auto add = [delay](Delays& delays) {
      delays.sum += delay;
      ++delays.messages;
    };
    if (kind_of(packet) == BoxKind::kSynchronization) {
      add(result_.syn);
      const std::uint32_t group = plan_.group(source_of(packet));
      take_one(missing_[group], packet);
      if (missing_[group] == 0) respond(group);
    } else if (measured) {
      take_one(counted_inside_, packet);
      add(result_.background);
      if (std::ranges::find(plan_.hot, pe) != plan_.hot.end()) add(result_.hot);
    }
  }
  /// The births are those of the plan: they are taken from the sum when all have arrived.
  void arrive_combined(std::uint32_t pe, BoxPacket packet) {
    const std::uint32_t group = plan_.group(pe);
    for (std::uint32_t k = 0; k < messages_of(packet); ++k) {
      take_one(missing_[group], packet);
      result_.syn.sum += now_ - stages_.count(cube_);
      ++result_.syn.messages;
    }
    if (missing_[group] != 0) return;
    for (std::uint32_t j = group; j < spec_.pes; j += spec_.hot_spots)
      if (plan_.time[j] != kNever) result_.syn.sum -= plan_.time[j];
    respond(group);
  }
  /// One less to come. If none was to come, the error waits until the checks have seen the cycle.
  void take_one(std::uint64_t& due, BoxPacket packet) {
    if (due != 0)
      --due;
    else
      surplus_ = packet;
  }
  void offer(bool closed) {
    if (closed) {
      std::ranges::fill(offers_, 0);
      return;
    }
    sources_.advance(now_);
    std::ranges::copy(sources_.heads(), offers_.begin());
    for (BoxPacket& packet : offers_)
      if (combining_ && kind_of(packet) == BoxKind::kSynchronization) packet = one_message(packet);
    if (injections_) inject();
    if (policies_) ask_policies();
    if (!spec_.faults.empty()) avoid_faults();
  }
  void edge(const CycleView& view, bool closed) {
    if (injections_ && !closed) {
      std::ranges::copy(view.taken, injections_->taken.begin());
      if (policies_) {
        std::ranges::copy(policies_->flag, injections_->flag.begin());
        std::ranges::copy(policies_->digit, injections_->asked.begin());
      }
      injections_->clock(now_);
    }
    if (!closed) sources_.take(injections_ ? injections_->leaves : view.taken);
    if (feedback_) feedback_->clock(view);
    network_.clock(now_);
    if (policies_ && !closed) {
      policies_->clock(now_);
      std::ranges::fill(policies_->clear, 0);
    }
  }
  void make_injections(const BoxFactory& factory) {
    InjectionConfig config{.size = cube_.size(), .address_bits = cube_.address_bits()};
    if (spec_.reference == Reference::kThrottle)
      config.scheme = InjectionScheme::kThrottle;
    else if (spec_.reference == Reference::kAdaptive)
      config.scheme = InjectionScheme::kAdaptive;
    else if (spec_.sections_at_run_time && spec_.policy_acts())
      config.scheme = InjectionScheme::kSections;
    else
      return;
    injections_ = factory.make_injections(config, spec_.pes);
    if (spec_.reference != Reference::kNone) feedback_.emplace(spec_, cube_);
  }
  /// The injection blocks say what is offered, and under the adaptive choice on which way.
  void inject() {
    std::ranges::copy(offers_, injections_->head.begin());
    if (feedback_) feedback_->show(injections_->busy, injections_->fill);
    injections_->settle();
    std::ranges::copy(injections_->offer, offers_.begin());
    if (spec_.reference == Reference::kAdaptive) put_digits(injections_->digit);
  }
  void put_digits(std::span<const std::uint8_t> digit) {
    for (std::uint32_t pe = 0; pe < spec_.pes; ++pe)
      if (offers_[pe] != 0) offers_[pe] |= cube_.tag(0, digit[pe]);
  }
  void ask_policies() {
    std::vector<std::uint8_t>& set = policies_->set;
    std::ranges::fill(set, 0);
    for (; set_next_ < by_time_.size() && plan_.time[by_time_[set_next_]] == now_; ++set_next_)
      set[by_time_[set_next_]] = 1;
    std::ranges::copy(offers_, policies_->offer.begin());
    if (injections_) std::ranges::copy(injections_->sections, policies_->sections.begin());
    policies_->settle();
    put_digits(policies_->digit);
  }
  /// Gives every packet the tag of a way without a fault, which validate() has made sure of.
  void avoid_faults() {
    for (std::uint32_t pe = 0; pe < spec_.pes; ++pe) {
      const BoxPacket packet = offers_[pe];
      if (packet == 0) continue;
      if (kind_of(packet) == BoxKind::kRelease) {
        const Broadcast all = routing_.broadcast(pe).front();
        offers_[pe] = make_release(all.mask, pe, all.tag);
        continue;
      }
      const std::uint32_t destination = cube_.destination(tag_of(packet));
      const bool flag = policies_ && policies_->flag[pe] != 0;
      const std::uint32_t wanted = policies_ ? policies_->digit[pe] : cube_.digit(pe, 0);
      const std::uint32_t x = routing_.output(pe, destination, wanted, flag).value();
      offers_[pe] = make_packet(kind_of(packet), birth_of(packet), pe, cube_.tag(destination, x));
    }
  }
  /// All messages of the group have arrived in this cycle.
  void respond(std::uint32_t group) {
    if (std::ranges::all_of(missing_, [](std::uint32_t m) { return m == 0; })) last_ = now_;
    if (spec_.release == Release::kNetwork) {
      releases_due_ += spec_.pes;
      sources_.release(plan_.hot[group], now_ + 1,
                       make_release(broadcast_mask(cube_, stages_), plan_.hot[group], 0));
    } else if (policies_) {
      for (std::uint32_t pe = group; pe < spec_.pes; pe += spec_.hot_spots)
        policies_->clear[pe] = 1;
    }
  }
  bool counted(BoxPacket packet) const {
    return kind_of(packet) == BoxKind::kBackground && birth_of(packet) >= plan_.first &&
           birth_of(packet) <= last_;
  }
  bool done() const {
    return last_ != kNever && counted_inside_ == 0 && releases_due_ == 0 &&
           !sources_.may_hold(last_);
  }
  /// What the end of the session waits for stands at the front of the queues, and the last stage
  /// passes packets on in every cycle, so long before this one of them must have arrived.
  void expect_progress() const {
    const std::uint64_t longest =
        10000 + static_cast<std::uint64_t>(2 * spec_.mean) +
        std::uint64_t{64} * cube_.size() * spec_.box.depth * stages_.count(cube_);
    if (now_ <= progress_ + longest && now_ >> kBoxBirthBits == 0) return;
    const auto missing = std::accumulate(missing_.begin(), missing_.end(), std::uint64_t{0});
    throw InternalError(
        "esc: session of seed {:#x} does not end: in cycle {}, {} synchronization messages, {} "
        "background messages in the network and {} copies of a release have not arrived; none for "
        "{} cycles",
        plan_.seed, now_, missing, counted_inside_, releases_due_, now_ - progress_);
  }

  const Spec& spec_;
  Cube cube_;
  OuterStages stages_;
  Network network_;
  std::unique_ptr<PolicyBank> policies_;       ///< null if no policy acts
  std::unique_ptr<InjectionBank> injections_;  ///< null if no scheme needs them
  std::optional<Feedback> feedback_;           ///< of the schemes that look at buffers
  FaultRouting routing_;
  Background background_;
  Sources sources_;
  std::vector<Observer*> observers_;

  const bool combining_;  ///< synchronization packets are those of systems/esc/box_bank.hpp
  SessionPlan plan_;
  SessionResult result_;
  std::uint64_t now_ = 0;
  std::uint64_t last_ = kNever;         ///< last synchronization message has arrived
  std::uint64_t progress_ = 0;          ///< a message that is measured arrived, or will start
  BoxPacket surplus_ = 0;               ///< arrived, though none was due
  std::uint64_t counted_inside_ = 0;    ///< messages to be measured, in the network
  std::uint64_t releases_due_ = 0;      ///< copies of release packets to come
  std::vector<std::uint64_t> missing_;  ///< synchronization messages to come, by group
  std::vector<std::uint32_t> by_time_;  ///< PEs in the order of their messages
  std::size_t set_next_ = 0;            ///< the first of them whose flag has not been set
  std::vector<BoxPacket> offers_;       ///< with complete tags
};

}  // namespace muster::esc
