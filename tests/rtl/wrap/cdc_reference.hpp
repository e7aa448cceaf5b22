// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace muster::test::cdc {

/// What the other clock sees of a value: each edge takes it as it stood before the edge, and shows
/// it after `stages` edges.
template <class T>
class Delay {
 public:
  Delay(unsigned stages, const T& initial) : initial_(initial), values_(stages, initial) {}
  const T& seen() const { return values_.front(); }
  void edge(const T& value, bool reset) {
    values_.push_back(value);
    values_.pop_front();
    if (reset) std::fill(values_.begin(), values_.end(), initial_);
  }

 private:
  T initial_;
  std::deque<T> values_;
};

/// What a side shows the other one, as the header of cdc_session has it.
struct Shown {
  bool alive = false, asks = false, answers = false;
};

/// How far something has come since the reset that began a session of its side.
struct Progress {
  unsigned session = 0, count = 0;
};

struct Flit {
  std::uint32_t vc = 0, kind = 0, payload = 0;
  bool operator==(const Flit&) const = default;
};

/// The protocol of sessions at one side: nothing is alive before it was answered four times.
class Session {
 public:
  explicit Session(unsigned stages) : other_(stages, Shown{false, false, true}) {}
  bool up() const { return phase_ == Phase::kUp && other_.seen().alive; }
  bool broken() const {
    return phase_ == Phase::kBroken || (phase_ == Phase::kUp && !other_.seen().alive);
  }
  Shown shown() const {
    return {phase_ == Phase::kReady || phase_ == Phase::kUp, phase_ == Phase::kAsking, answer_};
  }
  void edge(const Shown& other, bool reset) {
    const Shown seen = other_.seen();
    answer_ = noticed_;
    noticed_ = seen.asks;
    phase_ = next(seen);
    other_.edge(other, reset);
    if (!reset) return;
    phase_ = Phase::kQuiet;
    questions_ = 0;
    answer_ = noticed_ = false;
  }

 private:
  enum class Phase { kQuiet, kAsking, kAsked, kReady, kUp, kBroken };
  Phase next(const Shown& seen) {
    switch (phase_) {
      case Phase::kQuiet:
        return seen.answers ? Phase::kQuiet : Phase::kAsking;
      case Phase::kAsking:
        return seen.answers ? Phase::kAsked : Phase::kAsking;
      case Phase::kAsked:
        if (seen.answers) return Phase::kAsked;
        return ++questions_ == 4 ? Phase::kReady : Phase::kAsking;
      case Phase::kReady:
        return seen.alive ? Phase::kUp : Phase::kReady;
      case Phase::kUp:
        return seen.alive ? Phase::kUp : Phase::kBroken;
      default:
        return Phase::kBroken;
    }
  }

  Delay<Shown> other_;
  Phase phase_ = Phase::kQuiet;
  unsigned questions_ = 0;
  bool noticed_ = false, answer_ = false;
};

/// A link_cdc as docs/systems/wrappers.md and the headers of its parts have it: what the outputs of
/// each side are in every cycle. Counts here have no end and flits lie in lists; there is no Gray
/// code and no memory that is used again.
class Reference {
 public:
  Reference(unsigned slots, unsigned stages, unsigned backs)
      : slots_(slots),
        a_(stages),
        b_(stages),
        flits_(1),
        written_seen_(stages + 1, {}),
        read_seen_(stages + 1, {}),
        returned_(backs),
        given_(backs),
        returned_seen_(backs, Delay<Progress>(stages + 1, {})) {}

  const Session& a() const { return a_; }
  const Session& b() const { return b_; }
  bool overflow() const { return overflow_; }
  std::uint32_t credits() const { return credits_; }
  bool valid() const { return valid_; }
  const Flit& flit() const { return flit_; }

  /// A flit finds a place at the next edge of a.
  bool room() const { return a_.up() && written_.count - read_seen_.seen().count < slots_; }
  /// Credits of a class that have come and that side a has not given yet.
  unsigned under_way(unsigned c) const { return returned_[c].count - given_[c]; }
  /// No side has seen two sessions of the other one while it was up.
  bool sessions_are_apart() const { return apart_; }

  /// Rising edges of one clock or both. That of a takes `flit`, null for none; that of b a credit
  /// of each class in `returns`.
  void edge(bool a, bool b, bool a_reset, bool b_reset, const Flit* flit, std::uint32_t returns) {
    const Crossing before{a_.shown(), b_.shown(), written_, read_, returned_};
    if (a) edge_of_a(before, a_reset, flit);
    if (b) edge_of_b(before, b_reset, returns);
  }

 private:
  /// What the sides see of one another, as it was before an edge.
  struct Crossing {
    Shown a, b;
    Progress written, read;
    std::vector<Progress> returned;
  };

  void edge_of_a(const Crossing& before, bool reset, const Flit* flit) {
    if (!a_.up()) b_session_ = read_seen_.seen().session;
    apart_ = apart_ && b_session_ == read_seen_.seen().session;
    if (flit != nullptr && room()) {
      flits_.back().push_back(*flit);
      ++written_.count;
    } else if (flit != nullptr && !a_.broken()) {
      overflow_ = true;
    }
    credits_ = 0;
    for (unsigned c = 0; c < given_.size(); ++c) {
      if (a_.up() && returned_seen_[c].seen().count > given_[c]) {
        ++given_[c];
        credits_ |= 1u << c;
      }
      returned_seen_[c].edge(before.returned[c], reset);
    }
    read_seen_.edge(before.read, reset);
    a_.edge(before.b, reset);
    if (!reset) return;
    flits_.emplace_back();
    written_ = {static_cast<unsigned>(flits_.size()) - 1, 0};
    overflow_ = false;
    credits_ = 0;
    std::fill(given_.begin(), given_.end(), 0);
  }

  void edge_of_b(const Crossing& before, bool reset, std::uint32_t returns) {
    const Progress written = written_seen_.seen();
    if (!b_.up()) a_session_ = written.session;
    apart_ = apart_ && a_session_ == written.session;
    valid_ = b_.up() && written.count > read_.count;
    if (valid_) flit_ = flits_[written.session][read_.count++];
    for (unsigned c = 0; c < returned_.size(); ++c) returned_[c].count += returns >> c & 1;
    written_seen_.edge(before.written, reset);
    b_.edge(before.a, reset);
    if (!reset) return;
    valid_ = false;
    read_ = {read_.session + 1, 0};
    for (Progress& count : returned_) count = {read_.session, 0};
  }

  unsigned slots_;
  Session a_, b_;
  std::vector<std::vector<Flit>> flits_;  // that side a has taken, by its session
  Progress written_, read_;
  Delay<Progress> written_seen_, read_seen_;
  std::vector<Progress> returned_;  // credits that have come, by class
  std::vector<unsigned> given_;
  std::vector<Delay<Progress>> returned_seen_;
  std::uint32_t credits_ = 0;
  bool overflow_ = false, valid_ = false, apart_ = true;
  unsigned a_session_ = 0, b_session_ = 0;  // of the other side, that a side that is up sees
  Flit flit_;
};

}  // namespace muster::test::cdc
