// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "muster/core/rng.hpp"
#include "systems/esc/spec.hpp"

namespace muster::esc {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// What is drawn before a session begins.
struct SessionPlan {
  std::uint64_t seed = 0;
  std::uint16_t box_seed = 0;       ///< seed_i of esc_network
  std::vector<std::uint32_t> hot;   ///< coordinator of group g
  std::vector<std::uint64_t> time;  ///< cycle of each PE's synchronization message; kNever for
                                    ///< coordinators
  std::uint64_t first = 0;          ///< earliest of them: the active session begins

  std::uint32_t group(std::uint32_t pe) const {
    return pe & (static_cast<std::uint32_t>(hot.size()) - 1);
  }
  std::uint32_t hot_of(std::uint32_t pe) const { return hot[group(pe)]; }
};

/// Standard normal, by Box and Muller.
inline double normal(Rng& rng) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - rng.uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * rng.uniform());
}

/// A function of the spec's seed, workload and the session's number: the policy, the boxes and the
/// rate do not enter, so that policies are compared on the same arrivals.
inline SessionPlan plan_session(const Spec& spec, std::uint32_t session) {
  SessionPlan plan;
  Rng rng(spec.seed, session);
  plan.seed = rng.next();
  plan.box_seed = static_cast<std::uint16_t>(rng.next());
  for (std::uint32_t g = 0; g < spec.hot_spots; ++g) {
    const std::uint64_t drawn = rng.below(spec.pes / spec.hot_spots);
    plan.hot.push_back(spec.hot ? *spec.hot
                                : static_cast<std::uint32_t>(drawn * spec.hot_spots + g));
  }
  plan.time.resize(spec.pes);
  plan.first = kNever;
  for (std::uint32_t pe = 0; pe < spec.pes; ++pe) {
    const double time = spec.mean + spec.sigma * normal(rng);
    plan.time[pe] = plan.hot_of(pe) == pe
                        ? kNever
                        : static_cast<std::uint64_t>(std::llround(std::max(0.0, time)));
    plan.first = std::min(plan.first, plan.time[pe]);
  }
  return plan;
}

/// The background messages of a session, as a function: what PE `pe` generates in cycle `cycle`
/// can be asked at any time, in any order, and is stored nowhere.
class Background {
 public:
  Background(const Cube& cube, const Spec& spec)
      : cube_(cube),
        pattern_(spec.pattern),
        threshold_(threshold(spec.rate)),
        changes_(spec.rate_change ? spec.rate_change->cycle : kNever),
        threshold_then_(spec.rate_change ? threshold(spec.rate_change->rate) : threshold_),
        keys_(cube.pes()) {}

  void start(std::uint64_t session_seed) {
    for (std::uint32_t pe = 0; pe < keys_.size(); ++pe) keys_[pe] = mix64(mix64(session_seed) ^ pe);
  }

  static constexpr std::uint32_t kNone = ~0u;
  /// Destination of the message, or kNone.
  std::uint32_t at(std::uint32_t pe, std::uint64_t cycle) const {
    const std::uint64_t draw = mix64(keys_[pe] + cycle);
    if ((draw >> 32) >= (cycle < changes_ ? threshold_ : threshold_then_)) return kNone;
    return pattern_ == Pattern::kUniform ? static_cast<std::uint32_t>(draw) & (cube_.pes() - 1)
                                         : fixed_destination(pe);
  }

 private:
  static std::uint64_t threshold(double rate) {
    return static_cast<std::uint64_t>(rate * 0x1.0p32);
  }
  std::uint32_t fixed_destination(std::uint32_t pe) const {
    const unsigned bits = cube_.address_bits();
    if (pattern_ == Pattern::kTranspose)
      return (pe >> (bits / 2)) | (pe << (bits / 2) & (cube_.pes() - 1));
    std::uint32_t reversed = 0;
    for (unsigned b = 0; b < bits; ++b) reversed |= (pe >> b & 1u) << (bits - 1 - b);
    return reversed;
  }

  Cube cube_;
  Pattern pattern_;
  std::uint64_t threshold_;       ///< of the upper 32 bits of a draw
  std::uint64_t changes_;         ///< cycle from which another holds
  std::uint64_t threshold_then_;  ///< that one
  std::vector<std::uint64_t> keys_;
};

/// The infinite FIFO queues in front of the network, one for each PE. A queue is not stored: it is
/// the cycle up to which its reader has come in the streams of its PE, and the packet at its head.
class Sources {
 public:
  explicit Sources(const Background& background, std::uint32_t pes)
      : background_(background), heads_(pes), next_(pes), own_(pes), hot_(pes), sent_(pes) {}

  void start(const SessionPlan& plan) {
    clear_all(heads_, next_, sent_);
    own_ = plan.time;
    for (std::uint32_t pe = 0; pe < hot_.size(); ++pe) hot_[pe] = plan.hot_of(pe);
  }
  /// The coordinator generates a release packet in cycle `cycle`, at the earliest the next one.
  void release(std::uint32_t pe, std::uint64_t cycle, BoxPacket packet) {
    own_[pe] = cycle;
    sent_[pe] = packet;
  }

  /// In cycle `cycle`: brings a packet to the head of every queue that holds one. Then heads() are
  /// the offers of that cycle, tags being destinations; 0 for an empty queue.
  void advance(std::uint64_t cycle) {
    for (std::uint32_t pe = 0; pe < heads_.size(); ++pe)
      if (heads_[pe] == 0) fill(pe, cycle);
  }
  std::span<const BoxPacket> heads() const { return heads_; }
  /// The heads of the PEs with a 1 leave.
  void take(std::span<const std::uint8_t> taken) {
    for (std::size_t pe = 0; pe < heads_.size(); ++pe) heads_[pe] &= BoxPacket{taken[pe]} - 1;
  }

  /// False if no queue holds a message, other than a release, that was generated in cycle `last` or
  /// before. While a stream has not been read that far it may.
  bool may_hold(std::uint64_t last) const {
    for (std::uint32_t pe = 0; pe < heads_.size(); ++pe) {
      if (next_[pe] <= last) return true;  // not read so far
      if (heads_[pe] == 0 || kind_of(heads_[pe]) == BoxKind::kRelease) continue;
      if (birth_of(heads_[pe]) <= last) return true;
    }
    return false;
  }

 private:
  void fill(std::uint32_t pe, std::uint64_t cycle) {
    std::uint64_t t = next_[pe];
    for (; t <= cycle; ++t) {
      if (own_[pe] == t) {  // before the background of the same cycle, which is read next time
        heads_[pe] =
            sent_[pe] != 0 ? sent_[pe] : make_packet(BoxKind::kSynchronization, t, pe, hot_[pe]);
        own_[pe] = kNever;
        break;
      }
      const std::uint32_t destination = background_.at(pe, t);
      if (destination != Background::kNone) {
        heads_[pe] = make_packet(BoxKind::kBackground, t, pe, destination);
        ++t;
        break;
      }
    }
    next_[pe] = t;
  }

  const Background& background_;
  std::vector<BoxPacket> heads_;
  std::vector<std::uint64_t> next_;  ///< first cycle whose background has not been read
  std::vector<std::uint64_t> own_;   ///< cycle of the next own message, kNever for none
  std::vector<std::uint32_t> hot_;   ///< where it goes
  std::vector<BoxPacket> sent_;      ///< a release packet that waits, else 0
};

/// Messages generated in each cycle since the active session began, summed over sessions; a session
/// has none after its end.
struct Generated {
  std::vector<std::uint64_t> synchronization, hot_background;
};

/// Of the first sessions of a spec, by the lengths of their active sessions.
inline Generated count_generated(const Spec& spec, std::span<const std::uint64_t> lengths) {
  Generated all;
  Background background(Cube(spec.pes, spec.box.size), spec);
  for (std::uint32_t session = 0; session < lengths.size(); ++session) {
    const std::uint64_t length = lengths[session];
    const SessionPlan plan = plan_session(spec, session);
    background.start(plan.seed);
    all.synchronization.resize(std::max<std::size_t>(all.synchronization.size(), length + 1));
    all.hot_background.resize(all.synchronization.size());
    for (std::uint32_t pe = 0; pe < spec.pes; ++pe) {
      if (plan.time[pe] != kNever) ++all.synchronization[plan.time[pe] - plan.first];
      for (std::uint64_t t = 0; t <= length; ++t) {
        const std::uint32_t destination = background.at(pe, plan.first + t);
        all.hot_background[t] +=
            destination != Background::kNone && plan.hot_of(destination) == destination;
      }
    }
  }
  return all;
}

/// Everything that is on the links in one cycle, after all readies have settled and before the
/// rising edge. Boxes are in the order of their bank: enabled stages only, block
/// (stage - last stage) * N/n + box, port p of a block at [block * n + p].
struct CycleView {
  std::uint64_t cycle = 0;
  std::span<const BoxPacket> offers;    ///< by PE, with the tag it travels with; 0: none
  std::span<const std::uint8_t> taken;  ///< by PE: the offer leaves the queue
  std::span<const std::uint8_t> flags;  ///< by PE: local hot spot flag; empty for bypass
  std::span<const BoxPacket> arrivals;  ///< by PE; always accepted
  std::span<const BoxPacket> rx, tx;    ///< of the boxes
  std::span<const std::uint8_t> rx_ready, tx_ready;
};

/// Sees every cycle of a session. It sees no model.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void start(const SessionPlan& /*plan*/) {}
  virtual void observe(const CycleView& view) = 0;
  /// After the last cycle, when the network has been drained.
  virtual void finish() {}
};

/// A property of the links, over any number of sessions.
class Check : public Observer {
 public:
  virtual std::string name() const = 0;

  std::uint64_t passed() const { return passed_; }
  std::uint64_t violations() const { return violations_; }
  const std::vector<std::string>& texts() const { return texts_; }  ///< of the first violations

 protected:
  static constexpr std::size_t kTexts = 5;
  void violation(const std::string& text) {
    ++violations_;
    if (texts_.size() < kTexts) texts_.push_back(name() + ": " + text);
  }
  std::uint64_t passed_ = 0;

 private:
  std::uint64_t violations_ = 0;
  std::vector<std::string> texts_;
};

}  // namespace muster::esc
