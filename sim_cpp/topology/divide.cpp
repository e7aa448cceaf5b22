// SPDX-License-Identifier: Apache-2.0
#include "topology/divide.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "muster/core/rng.hpp"

namespace muster::topology {
namespace {

constexpr int kTries = 8;
constexpr double kSlack = 0.007;  // of a half, by which it may be larger: 3 % over four bisections

/// A division of some switches, the members, into two halves.
class Bisection {
 public:
  Bisection(const Graph& graph, const std::vector<SwitchId>& members, std::uint32_t size, Rng& rng)
      : graph_(graph),
        members_(members),
        size_(size),
        slack_(static_cast<std::int64_t>(
            kSlack * std::min<double>(size, static_cast<double>(members.size()) - size))),
        rng_(rng),
        member_(graph.switches(), 0),
        half_(graph.switches(), 0),
        gain_(graph.switches(), 0) {
    for (const SwitchId s : members) member_[s] = 1;
  }

  /// The half of the fewest cut links.
  std::vector<std::uint8_t> best() {
    std::optional<std::pair<std::int64_t, std::vector<std::uint8_t>>> best;
    for (int i = 0; i < kTries; ++i) {
      grow();
      while (refine() > 0) {
      }
      const std::int64_t links = cut();
      if (!best || links < best->first) best.emplace(links, half_);
    }
    return std::move(best->second);
  }

 private:
  /// Gain, a random number that decides ties, the switch. The largest comes first.
  using Entry = std::tuple<std::int64_t, std::uint64_t, SwitchId>;
  using Heap = std::priority_queue<Entry>;

  template <class F>
  void for_neighbours(SwitchId s, F&& f) const {
    for (const Peer& peer : graph_.peers(s))
      if (peer.kind == Peer::Kind::kSwitch && member_[peer.id]) f(peer.id);
  }
  void push(Heap& heap, SwitchId s) { heap.emplace(gain_[s], rng_.next(), s); }

  /// `size_` of the members: a connected half unless what is left around it is too small.
  void grow() {
    std::fill(half_.begin(), half_.end(), 0);
    std::fill(gain_.begin(), gain_.end(), 0);  // links into the half
    Heap heap;
    for (count_ = 0; count_ < size_;) {
      SwitchId s = 0;
      if (heap.empty()) {
        do s = members_[rng_.below(members_.size())];
        while (half_[s]);
      } else {
        s = std::get<SwitchId>(heap.top());
        heap.pop();
        if (half_[s]) continue;
      }
      half_[s] = 1;
      ++count_;
      for_neighbours(s, [&](SwitchId to) {
        if (half_[to]) return;
        ++gain_[to];
        push(heap, to);
      });
    }
  }

  /// Its cut links less those into its own half.
  void look_at(SwitchId s) {
    gain_[s] = 0;
    for_neighbours(s, [&](SwitchId to) { gain_[s] += half_[to] != half_[s] ? 1 : -1; });
  }
  std::int64_t off_size(std::int64_t change) const {
    return std::abs(count_ + change - std::int64_t{size_});
  }

  /// One pass; returns the links gained.
  std::int64_t refine() {
    Heap heaps[2];  // of switches outside and inside, with those that have changed since
    std::vector<std::uint8_t> waits(graph_.switches(), 0);
    for (const SwitchId s : members_) {
      look_at(s);
      waits[s] = 1;
      push(heaps[half_[s]], s);
    }
    std::vector<SwitchId> moved;
    std::int64_t gained = 0, best = 0;
    std::size_t kept = 0;
    for (;;) {
      Heap* from = nullptr;
      for (int inside = 0; inside < 2; ++inside) {
        Heap& heap = heaps[inside];
        while (!heap.empty() && stale(heap.top(), waits, inside)) heap.pop();
        if (heap.empty() || off_size(inside ? -1 : 1) > std::max<std::int64_t>(slack_, 1)) continue;
        if (from == nullptr || heap.top() > from->top()) from = &heap;
      }
      if (from == nullptr) break;
      const SwitchId s = std::get<SwitchId>(from->top());
      from->pop();
      gained += gain_[s];
      waits[s] = 0;
      flip(s);
      moved.push_back(s);
      for_neighbours(s, [&](SwitchId to) {
        if (!waits[to]) return;
        look_at(to);
        push(heaps[half_[to]], to);
      });
      if (gained > best && off_size(0) <= slack_) {
        best = gained;
        kept = moved.size();
      }
    }
    for (std::size_t i = moved.size(); i > kept; --i) flip(moved[i - 1]);
    return best;
  }
  bool stale(const Entry& entry, const std::vector<std::uint8_t>& waits, int inside) const {
    const auto& [gain, random, s] = entry;
    return !waits[s] || gain != gain_[s] || half_[s] != inside;
  }
  void flip(SwitchId s) {
    half_[s] ^= 1;
    count_ += half_[s] ? 1 : -1;
  }
  std::int64_t cut() const {
    std::int64_t links = 0;
    for (const SwitchId s : members_)
      if (half_[s]) for_neighbours(s, [&](SwitchId to) { links += !half_[to]; });
    return links;
  }

  const Graph& graph_;
  const std::vector<SwitchId>& members_;
  std::uint32_t size_;
  std::int64_t slack_;
  Rng& rng_;
  std::vector<std::uint8_t> member_, half_;  ///< flags by switch
  std::vector<std::int64_t> gain_;
  std::int64_t count_ = 0;  ///< in the half
};

void split(const Graph& graph, const std::vector<SwitchId>& members,
           std::span<const std::uint32_t> sizes, std::uint32_t first, Rng& rng,
           std::vector<std::uint32_t>& part) {
  if (sizes.size() == 1) {
    for (const SwitchId s : members) part[s] = first;
    return;
  }
  const std::size_t left = sizes.size() / 2;
  const auto size = std::accumulate(sizes.begin(), sizes.begin() + left, std::uint32_t{0});
  const auto all = std::accumulate(sizes.begin(), sizes.end(), std::uint32_t{0});
  // The halves above may be a little larger or smaller than they should.
  const auto wanted =
      all == 0 ? 0
               : static_cast<std::uint32_t>((std::uint64_t{size} * members.size() + all / 2) / all);
  const std::vector<std::uint8_t> half = Bisection(graph, members, wanted, rng).best();
  std::vector<SwitchId> halves[2];
  for (const SwitchId s : members) halves[half[s] ? 0 : 1].push_back(s);
  split(graph, halves[0], sizes.first(left), first, rng, part);
  split(graph, halves[1], sizes.subspan(left), first + static_cast<std::uint32_t>(left), rng, part);
}

}  // namespace

std::vector<std::uint32_t> divide(const Graph& graph, std::span<const std::uint32_t> sizes) {
  std::vector<SwitchId> members(graph.switches());
  std::iota(members.begin(), members.end(), 0);
  std::vector<std::uint32_t> part(members.size(), 0);
  Rng rng(1);
  split(graph, members, sizes, 0, rng, part);
  return part;
}

}  // namespace muster::topology
