// SPDX-License-Identifier: Apache-2.0
#include "mutants.hpp"

#include <bit>

#include "tampering.hpp"

namespace muster::checkers {

namespace {

constexpr auto kFlipBit = [](Strike& s, Flit& f) {
  f.lo ^= std::uint64_t{1} << s.rng.below(s.formats.flit_width());
};
constexpr auto kFlipData = [](Strike& s, Flit& f) {
  f.lo ^= std::uint64_t{1} << s.rng.below(s.formats.data_width());
};
constexpr auto kFlipGroup = [](Strike& s, Flit& f) {
  f.lo ^= std::uint64_t{1} << (s.formats.data_width() + s.rng.below(s.formats.gid_width()));
};
constexpr auto kFlipType = [](Strike& s, Flit& f) {
  f.lo ^= std::uint64_t{1} << (s.formats.data_width() + s.formats.gid_width() + s.rng.below(2));
};
constexpr auto kNextVc = [](Strike& s, Flit& f) {
  f.vc = static_cast<std::uint8_t>((f.vc + 1) % s.vcs);
};
constexpr auto kLoseHeadBit = [](Strike&, Flit& f) { f.kind &= ~Flit::kHead; };

/// The second of two body flits leaves before the first.
void swap_flits(Strike& s, std::uint64_t cycle, MutantBank& out) {
  if (s.held.empty()) {
    for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
      if (!body(f) || !now(s, cycle, b, p)) return;
      s.recording = true;
      s.held.push_back(out.delay(b, p));
    });
    return;
  }
  if (s.recording) {
    if (!out.busy(s.block, s.port)) return;
    s.recording = false;
    const Flit &first = s.held.front(), &second = out.tx(s.block, s.port);
    if (body(second) && second.vc == first.vc && second != first) return;  // this one goes first
    s.struck = false;  // the order would not show: send them as they come, and try again
  }
  queue_port(s, out);
  send_held(s, out);
}

/// A packet leaves twice, the copy behind the original.
void repeat_packet(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (kHeads(s, b, p, f) && now(s, cycle, b, p)) {
      s.recording = true;
      s.vc = f.vc;
    }
    if (!s.recording || b != s.block || p != s.port || f.sync() || f.vc != s.vc) return;
    s.held.push_back(f);
    s.recording = !f.tail();
  });
  if (s.struck && !s.recording) add_held(s, out);
}

/// A packet is swallowed whole.
void lose_packet(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (kHeads(s, b, p, f) && now(s, cycle, b, p)) {
      s.recording = true;
      s.vc = f.vc;
    }
    if (!s.recording || b != s.block || p != s.port || f.sync() || f.vc != s.vc) return;
    s.recording = !f.tail();
    out.lose(b, p);
  });
}

/// A head goes into a virtual channel in which another packet is under way.
void interleave(Strike& s, std::uint64_t cycle, MutantBank& out) {
  s.open.resize(std::size_t{out.blocks()} * out.ports() * 4, 0);
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (f.sync()) return;
    std::uint8_t* open = &s.open[(std::size_t{b} * out.ports() + p) * 4];
    open[f.vc] = !f.tail();
    const auto other = static_cast<std::uint8_t>((f.vc + 1) % s.vcs);
    if (!f.head() || !open[other] || !now(s, cycle, b, p)) return;
    Flit changed = f;
    changed.vc = other;
    out.lose(b, p);
    out.add(b, p, changed);
  });
}

/// All that leaves by a port makes no progress for a long time.
void stall_port(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (body(f)) now(s, cycle, b, p);
  });
  if (!s.struck) return;
  queue_port(s, out);
  if (cycle > s.struck_at + kHold) send_held(s, out);
}

/// Between two packets an input queue is forgotten: what comes then is never served. At a node,
/// which is sure to send more.
void forget_queue(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for (std::uint32_t b = 0; b < out.blocks(); ++b) {
    for (std::uint32_t p = 0; p < s.graph.ports(b); ++p) {
      const Flit& last = out.rx(b, p);
      if (!(out.received(b) >> p & 1) || !to_node(s, b, p) || !kTails(s, b, p, last)) continue;
      if (now(s, cycle, b, p)) out.shut(b, p, last.vc);
    }
  }
}

void lose_credit(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for (std::uint32_t b = 0; b < out.blocks(); ++b)
    for (std::uint32_t p = 0; p < out.ports(); ++p)
      if ((out.wires(b).rx_back >> (4 * p) & 15) && now(s, cycle, b, p))
        out.wires(b).rx_back &= ~(std::uint64_t{15} << (4 * p));
}

/// A credit for a port at which every flit has been credited.
void forge_credit(Strike& s, std::uint64_t cycle, MutantBank& out) {
  s.uncredited.resize(std::size_t{out.blocks()} * out.ports(), 0);
  for (std::uint32_t b = 0; b < out.blocks(); ++b) {
    for (std::uint32_t p = 0; p < s.graph.ports(b); ++p) {
      int& uncredited = s.uncredited[std::size_t{b} * out.ports() + p];
      const auto back = static_cast<unsigned>(out.wires(b).rx_back >> (4 * p) & 15);
      const bool takes_credit = (out.received(b) >> p & 1) && !out.rx(b, p).sync();
      uncredited += static_cast<int>(takes_credit) - std::popcount(back);
      if (uncredited == 0 && back == 0 && connected(s, b, p) && now(s, cycle, b, p))
        out.wires(b).rx_back |= std::uint64_t{1} << (4 * p + s.rng.below(s.vcs));
    }
  }
}

/// A message that nothing has caused.
template <MessageType Type, bool ToNode>
void forge(Strike& s, std::uint64_t cycle, MutantBank& out) {
  if (s.struck || cycle < 8) return;
  const auto b = static_cast<std::uint32_t>(s.rng.below(out.blocks()));
  const auto p = static_cast<std::uint32_t>(s.rng.below(s.graph.ports(b)));
  if (!connected(s, b, p) || out.busy(b, p) || to_node(s, b, p) != ToNode) return;
  if (!now(s, cycle, b, p)) return;
  const std::uint32_t gid = s.gids[s.rng.below(s.gids.size())];
  out.add(b, p, s.formats.barrier_flit({Type, gid, {}}, 0));
}

}  // namespace

const std::vector<Mutant>& mutants() {
  static const std::vector<Mutant> list{
      {"loses a head", lose<kHeads>, {"packets"}},
      {"loses a body flit", lose<kBodies>, {"delivery"}},
      {"loses a tail", lose<kTails>, {"packets", "delivery", "bounded waits"}},
      {"loses a packet", lose_packet, {"conservation", "delivery", "bounded waits"}},
      {"repeats a head", repeat<kHeads>, {"packets", "routes", "credits"}},
      {"repeats a body flit", repeat<kBodies>, {"delivery", "packets", "conservation", "credits"}},
      {"repeats a packet", repeat_packet, {"routes", "packets", "credits"}},
      {"swaps two flits", swap_flits, {"delivery"}},
      {"flips a bit of a head",
       change<kHeads, kFlipBit>,
       {"routes", "packets", "register packets", "conservation"}},
      {"flips a bit of a body flit", change<kBodies, kFlipBit>, {"delivery"}},
      {"flips a bit of a tail", change<kTails, kFlipBit>, {"delivery"}},
      {"a head becomes a body flit", change<kHeads, kLoseHeadBit>, {"packets"}},
      {"sends a head to the wrong port", divert<kHeads>, {"routes", "packets", "credits"}},
      {"changes the virtual channel of a head",
       change<kHeads, kNextVc>,
       {"routes", "packets", "credits"}},
      {"changes the virtual channel of a body flit",
       change<kBodies, kNextVc>,
       {"packets", "conservation", "delivery", "credits"}},
      {"interleaves two packets", interleave, {"packets", "credits"}},
      {"stalls a port", stall_port, {"bounded waits", "conservation"}},
      {"forgets an input queue", forget_queue, {"fair service", "bounded waits", "credits"}},
      {"loses a credit", lose_credit, {"credits"}},
      {"forges a credit", forge_credit, {"credits"}},
      {"releases a member early", forge<MessageType::kDistribution, true>, {"barriers", "credits"}},
      {"sends the distribution on early",
       forge<MessageType::kDistribution, false>,
       {"barriers", "credits"}},
      {"sends the reduction on early",
       forge<MessageType::kReduction, false>,
       {"barriers", "credits"}},
      {"notifies the root node early",
       forge<MessageType::kReduction, true>,
       {"barriers", "credits"}},
      {"releases a member twice", repeat<kReleases>, {"barriers", "credits"}},
      {"sends the distribution on twice", repeat<kInnerDistributions>, {"barriers", "credits"}},
      {"sends the reduction on twice", repeat<kReductions>, {"barriers", "credits"}},
      {"holds back a release", hold<kReleases>, {"bounded waits"}},
      {"holds back a reduction", hold<kReductions>, {"bounded waits"}},
      {"loses a distribution", lose<kInnerDistributions>, {"bounded waits"}},
      {"sends a barrier message to the wrong port", divert<kMessages>, {"barriers", "credits"}},
      {"flips a bit of the data of a barrier", change<kMessages, kFlipData>, {"barriers"}},
      {"flips a bit of a group identifier", change<kMessages, kFlipGroup>, {"barriers"}},
      {"flips a bit of a message type", change<kMessages, kFlipType>, {"barriers"}},
      {"names a virtual channel of a message", change<kMessages, kNextVc>, {"packets"}},
  };
  return list;
}

}  // namespace muster::checkers
