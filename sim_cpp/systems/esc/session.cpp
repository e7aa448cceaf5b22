// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "muster/core/error.hpp"
#include "systems/esc/box_bank.hpp"

namespace muster::esc {

BufferCounts::BufferCounts(const Cube& cube, const OuterStages& stages, unsigned stage)
    : cube_(cube),
      stage_(stage),
      base_(std::size_t{stage - stages.last()} * cube.pes()),
      fill_(cube.pes()) {}

void BufferCounts::start() { std::fill(fill_.begin(), fill_.end(), 0); }

void BufferCounts::clock(const CycleView& view) {
  for (std::uint32_t p = 0; p < fill_.size(); ++p) {
    if (view.tx[base_ + p] != 0) fill_[p] -= view.tx_ready[base_ + p];
    if (view.rx_ready[base_ + p] == 0) continue;
    const BoxPacket packet = view.rx[base_ + p];
    const std::uint32_t box = p & ~(cube_.size() - 1);
    if (esc::broadcast_in(packet, stage_))
      for (std::uint32_t o = 0; o < cube_.size(); ++o) ++fill_[box + o];
    else
      ++fill_[box + cube_.digit(esc::tag_of(packet), stage_)];
  }
}

Feedback::Feedback(const Spec& spec, const Cube& cube)
    : limit_(spec.reference == Reference::kThrottle ? spec.throttle_limit : 0),
      counts_(cube, spec.stages(), limit_ != 0 ? 0 : cube.input_stage()),
      wire_(spec.hot_spots) {}

void Feedback::start(const SessionPlan& plan) {
  plan_ = plan;
  counts_.start();
  std::fill(wire_.begin(), wire_.end(), 0);
}

void Feedback::show(std::span<std::uint8_t> busy, std::span<std::uint8_t> fill) const {
  if (limit_ != 0) {
    for (std::uint32_t pe = 0; pe < busy.size(); ++pe) busy[pe] = wire_[plan_.group(pe)];
  } else {
    for (std::uint32_t link = 0; link < fill.size(); ++link)
      fill[link] = static_cast<std::uint8_t>(counts_.fill(link));
  }
}

void Feedback::clock(const CycleView& view) {
  for (std::uint32_t group = 0; limit_ != 0 && group < wire_.size(); ++group)
    wire_[group] = counts_.fill(plan_.hot[group]) >= limit_;
  counts_.clock(view);
}

SessionRunner::SessionRunner(const Spec& spec, const BoxFactory& factory)
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

void SessionRunner::make_injections(const BoxFactory& factory) {
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

void SessionRunner::start(std::uint32_t session) {
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
  std::stable_sort(by_time_.begin(), by_time_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return plan_.time[a] < plan_.time[b];
  });
  set_next_ = 0;
  background_.start(plan_.seed);
  sources_.start(plan_);
  network_.reset(plan_.box_seed);
  if (feedback_) feedback_->start(plan_);
  if (policies_ || injections_) reset_pes();
  for (Observer* observer : observers_) observer->start(plan_);
}

void SessionRunner::reset_pes() {
  std::vector<std::uint16_t> seeds(spec_.pes);
  for (std::uint32_t pe = 0; pe < spec_.pes; ++pe)
    seeds[pe] = static_cast<std::uint16_t>(~std::uint32_t{plan_.box_seed} ^ (pe * 40503u));
  if (injections_) injections_->reset(seeds);
  if (!policies_) return;
  for (std::uint32_t pe = 0; pe < spec_.pes; ++pe) policies_->hot()[pe] = plan_.hot_of(pe);
  policies_->reset(seeds);
}

SessionResult SessionRunner::run(std::uint32_t session) {
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

bool SessionRunner::done() const {
  return last_ != kNever && counted_inside_ == 0 && releases_due_ == 0 && !sources_.may_hold(last_);
}

/// One cycle; `closed`: no PE offers anything.
void SessionRunner::cycle(bool closed) {
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
  if (policies_) view.flags = policies_->flag();
  network_.show(view);
  for (Observer* observer : observers_) observer->observe(view);
  if (surplus_ != 0)
    throw InternalError(
        fmt::format("esc, cycle {}: {:016x} arrives, more than were sent", now_, surplus_));
  const auto taken = network_.taken();
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

void SessionRunner::edge(const CycleView& view, bool closed) {
  if (injections_ && !closed) {
    std::ranges::copy(view.taken, injections_->taken().begin());
    if (policies_) {
      std::ranges::copy(policies_->flag(), injections_->flag().begin());
      std::ranges::copy(policies_->digit(), injections_->asked().begin());
    }
    injections_->clock(now_);
  }
  if (!closed) sources_.take(injections_ ? injections_->leaves() : view.taken);
  if (feedback_) feedback_->clock(view);
  network_.clock(now_);
  if (policies_ && !closed) {
    policies_->clock(now_);
    std::fill(policies_->clear().begin(), policies_->clear().end(), 0);
  }
}

/// What the end of the session waits for stands at the front of the queues, and the last stage
/// passes packets on in every cycle, so long before this one of them must have arrived.
void SessionRunner::expect_progress() const {
  const std::uint64_t longest =
      10000 + static_cast<std::uint64_t>(2 * spec_.mean) +
      std::uint64_t{64} * cube_.size() * spec_.box.depth * stages_.count(cube_);
  if (now_ <= progress_ + longest && now_ >> esc::kBoxBirthBits == 0) return;
  const auto missing = std::accumulate(missing_.begin(), missing_.end(), std::uint64_t{0});
  throw InternalError(fmt::format(
      "esc: session of seed {:#x} does not end: in cycle {}, {} synchronization messages, {} "
      "background messages in the network and {} copies of a release have not arrived; none for "
      "{} cycles",
      plan_.seed, now_, missing, counted_inside_, releases_due_, now_ - progress_));
}

void SessionRunner::offer(bool closed) {
  if (closed) {
    std::fill(offers_.begin(), offers_.end(), 0);
    return;
  }
  sources_.advance(now_);
  const auto heads = sources_.heads();
  std::copy(heads.begin(), heads.end(), offers_.begin());
  if (combining_) {
    for (BoxPacket& packet : offers_)
      if (kind_of(packet) == BoxKind::kSynchronization) packet = esc::one_message(packet);
  }
  if (injections_) inject();
  if (policies_) ask_policies();
  if (!spec_.faults.empty()) avoid_faults();
}

/// The injection blocks say what is offered, and under the adaptive choice on which way.
void SessionRunner::inject() {
  std::ranges::copy(offers_, injections_->head().begin());
  if (feedback_) feedback_->show(injections_->busy(), injections_->fill());
  injections_->settle();
  std::ranges::copy(injections_->offer(), offers_.begin());
  if (spec_.reference == Reference::kAdaptive) put_digits(injections_->digit());
}

void SessionRunner::put_digits(std::span<const std::uint8_t> digit) {
  for (std::uint32_t pe = 0; pe < spec_.pes; ++pe)
    if (offers_[pe] != 0) offers_[pe] |= cube_.tag(0, digit[pe]);
}

void SessionRunner::ask_policies() {
  const auto set = policies_->set();
  std::fill(set.begin(), set.end(), 0);
  for (; set_next_ < by_time_.size() && plan_.time[by_time_[set_next_]] == now_; ++set_next_)
    set[by_time_[set_next_]] = 1;
  std::copy(offers_.begin(), offers_.end(), policies_->offer().begin());
  if (injections_) std::ranges::copy(injections_->sections(), policies_->sections().begin());
  policies_->settle();
  put_digits(policies_->digit());
}

/// Gives every packet the tag of a way without a fault, which validate() has made sure of.
void SessionRunner::avoid_faults() {
  for (std::uint32_t pe = 0; pe < spec_.pes; ++pe) {
    const BoxPacket packet = offers_[pe];
    if (packet == 0) continue;
    if (kind_of(packet) == BoxKind::kRelease) {
      const Broadcast all = routing_.broadcast(pe).front();
      offers_[pe] = esc::make_release(all.mask, pe, all.tag);
      continue;
    }
    const std::uint32_t destination = esc::tag_of(packet) & (spec_.pes - 1);
    const bool flag = policies_ && policies_->flag()[pe] != 0;
    const std::uint32_t wanted = policies_ ? policies_->digit()[pe] : cube_.digit(pe, 0);
    const std::uint32_t x = routing_.output(pe, destination, wanted, flag).value();
    offers_[pe] =
        esc::make_packet(kind_of(packet), birth_of(packet), pe, cube_.tag(destination, x));
  }
}

std::uint64_t SessionRunner::comparisons() const {
  return network_.boxes().comparisons() + (policies_ ? policies_->comparisons() : 0) +
         (injections_ ? injections_->comparisons() : 0);
}

// What packets that arrive do: they are measured, and the last of a group is answered.

bool SessionRunner::counted(BoxPacket packet) const {
  return kind_of(packet) == BoxKind::kBackground && birth_of(packet) >= plan_.first &&
         birth_of(packet) <= last_;
}

void SessionRunner::arrive(std::uint32_t pe, BoxPacket packet) {
  ++result_.packets;
  const bool measured = counted(packet);
  if (kind_of(packet) != BoxKind::kBackground || (measured && last_ != kNever))
    progress_ = std::max(progress_, now_);
  if (kind_of(packet) == BoxKind::kRelease) {
    take_one(releases_due_, packet);
    if (policies_ && plan_.hot_of(pe) == source_of(packet)) policies_->clear()[pe] = 1;
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
    if (std::find(plan_.hot.begin(), plan_.hot.end(), pe) != plan_.hot.end()) add(result_.hot);
  }
}

/// The births are those of the plan: they are taken from the sum when all have arrived.
void SessionRunner::arrive_combined(std::uint32_t pe, BoxPacket packet) {
  const std::uint32_t group = plan_.group(pe);
  for (std::uint32_t k = 0; k < esc::messages_of(packet); ++k) {
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
void SessionRunner::take_one(std::uint64_t& due, BoxPacket packet) {
  if (due != 0)
    --due;
  else
    surplus_ = packet;
}

/// All messages of the group have arrived in this cycle.
void SessionRunner::respond(std::uint32_t group) {
  if (std::all_of(missing_.begin(), missing_.end(), [](std::uint32_t m) { return m == 0; }))
    last_ = now_;
  if (spec_.release == Release::kNetwork) {
    releases_due_ += spec_.pes;
    sources_.release(plan_.hot[group], now_ + 1,
                     esc::make_release(broadcast_mask(cube_, stages_), plan_.hot[group], 0));
  } else if (policies_) {
    for (std::uint32_t pe = group; pe < spec_.pes; pe += spec_.hot_spots)
      policies_->clear()[pe] = 1;
  }
}

}  // namespace muster::esc
