// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "protocol/protocol.hpp"

namespace muster::protocol {
namespace {

/// Writes fields into a key, or reads them from one.
template <bool kWrites>
struct Bits {
  std::conditional_t<kWrites, Key&, const Key&> key;
  unsigned words = 0, used = 64;

  template <typename T>
  T field(T value, unsigned width) {
    if (width == 0) return value;
    if (used + width > 64) {
      if (words == key.size()) throw std::length_error("key");
      ++words;
      used = 0;
    }
    auto& word = key[words - 1];
    const unsigned at = std::exchange(used, used + width);
    if constexpr (kWrites) {
      const auto bits = static_cast<std::uint64_t>(value);
      if (bits >> width != 0) throw std::out_of_range("a field of a state");
      word |= bits << at;
      return value;
    } else {
      return static_cast<T>(word >> at & ((1u << width) - 1));
    }
  }
};

}  // namespace

Packer::Packer(const Tree& tree, const Rules& rules, const Surroundings& surroundings,
               bool symmetry)
    : tree_(tree), rules_(rules), changes_(surroundings.changes != 0) {
  Renaming r{};
  std::iota(r.begin(), r.end(), std::uint8_t{0});
  do {
    if (keeps_tree(r, surroundings)) renamings_.push_back(r);
  } while (symmetry && std::next_permutation(r.begin(), r.begin() + tree.nodes()));
}

bool Packer::keeps_tree(const Renaming& r, const Surroundings& surroundings) const {
  for (unsigned v = 0; v < tree_.nodes(); ++v) {
    if (tree_.is_member(v) != tree_.is_member(r[v])) return false;
    for (const unsigned mask : {surroundings.aborts, surroundings.resets, surroundings.changes})
      if ((mask >> v & 1) != (mask >> r[v] & 1)) return false;
    if ((v == 0) != (r[v] == 0)) return false;
    if (v != 0 && r[tree_.parent[v]] != tree_.parent[r[v]]) return false;
  }
  return true;
}

State Packer::renamed(const State& s, const Renaming& r) const {
  const auto renamed_set = [&](std::uint8_t set) {
    unsigned to = 0;
    for (unsigned v = tree_.switches; v < tree_.nodes(); ++v)
      if (set >> (v - tree_.switches) & 1) to |= 1u << (r[v] - tree_.switches);
    return static_cast<std::uint8_t>(to);
  };
  State to = s;
  for (unsigned v = 0; v < tree_.nodes(); ++v) {
    to.node[r[v]] = s.node[v];
    to.edge[r[v]] = s.edge[v];
  }
  for_each_word(to, tree_.nodes(), [&](Word& w) { w.members = renamed_set(w.members); });
  for (auto& set : to.took) set = renamed_set(set);
  return to;
}

template <typename Fields>
void Packer::transfer(Word& w, Fields& bits) const {
  w.age = bits.field(w.age, 3);
  if (w.age != Word::kNone && w.age < Word::kFailure)
    w.members = bits.field(w.members, tree_.members());
}

template <typename Fields>
void Packer::transfer(Channel& c, Fields& bits) const {
  c.size = bits.field(c.size, 4);
  for (unsigned i = 0; i < c.size; ++i) {
    Message& m = c.at[i];
    m.phase = bits.field(m.phase, rules_.phase_bits);
    m.epoch = bits.field(m.epoch, rules_.epoch_bits);
    m.fail = bits.field(m.fail, 1);
    if (!m.fail) transfer(m.word, bits);
  }
}

template <typename Fields>
void Packer::transfer(State& s, Fields& bits) const {
  s.stage = bits.field(s.stage, 2);
  const unsigned ahead_bits = rules_.abort_is_final ? 1 : 2;
  for (unsigned i = 0; i < 1u << ahead_bits; ++i)
    s.took[i] = bits.field(s.took[i], tree_.members());
  if (changes_) s.left_ahead = bits.field(s.left_ahead, ahead_bits);
  for (unsigned v = 0; v < tree_.nodes(); ++v) {
    Node& n = s.node[v];
    if (s.stage != Stage::kRunning) n.done = bits.field(n.done, 1);
    n.enabled = bits.field(n.enabled, 1);
    if (n.enabled) {
      n.phase = bits.field(n.phase, rules_.phase_bits);
      n.epoch = bits.field(n.epoch, rules_.epoch_bits);
      n.failed = bits.field(n.failed, 1);
    }
    if (tree_.is_member(v)) {
      n.status = bits.field(n.status, 2);
      n.ahead = bits.field(n.ahead, ahead_bits);
      if (rules_.recover_after_release) n.released = bits.field(n.released, 1);
    } else if (n.enabled) {
      n.sent = bits.field(n.sent, 1);
      transfer(n.up, bits);
      transfer(n.stored, bits);
    }
    if (v == 0) continue;
    Edge& e = s.edge[v];
    if (changes_) e.live = bits.field(e.live, 1);
    e.arrived = bits.field(e.arrived, 1);
    e.serve = bits.field(e.serve, 1);
    if (!rules_.fail_resent) e.serve_fail = bits.field(e.serve_fail, 1);
    transfer(e.up, bits);
    transfer(e.down, bits);
  }
}

Key Packer::pack_as_is(State s) const {
  Key key{};
  Bits<true> bits{key};
  transfer(s, bits);
  return key;
}

Key Packer::pack(const State& s) const {
  Key least = pack_as_is(s);
  for (std::size_t i = 1; i < renamings_.size(); ++i)
    least = std::min(least, pack_as_is(renamed(s, renamings_[i])));
  return least;
}

State Packer::unpack(const Key& key) const {
  State s;
  for (auto& n : s.node) n.enabled = false;
  Bits<false> bits{key};
  transfer(s, bits);
  return s;
}

}  // namespace muster::protocol
