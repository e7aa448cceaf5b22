// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/graph.hpp"
#include "sim_cpp/fabric/checkers/checked_network.hpp"
#include "support/mutant_bank.hpp"
#include "support/seed.hpp"
#include "systems/btin/checkers/barrier_safety.hpp"

namespace muster::checkers {

/// One defect, tried once: it lets `skip` opportunities pass and strikes at the next.
struct Strike {
  const topology::Graph& graph;
  fabric::Formats formats;
  std::uint32_t vcs;
  std::vector<std::uint32_t> gids;
  std::uint32_t skip;
  Rng rng;

  bool struck = false;
  std::uint64_t struck_at = 0;
  std::uint32_t block = 0, port = 0;  ///< where
  std::uint8_t vc = 0;
  bool recording = false;
  std::deque<core::Flit> held{};     ///< flits kept back, or to be sent again
  std::vector<int> uncredited{};     ///< by switch and port
  std::vector<std::uint8_t> open{};  ///< by switch, port, virtual channel: inside a packet
};

/// A way to break a switch.
struct Mutant {
  const char* name;
  /// Called in every cycle with the outputs that the switches are about to drive.
  void (*act)(Strike& strike, std::uint64_t cycle, MutantBank& outputs);
  /// The checkers that may be the first to object; the first one must be in some trial.
  std::vector<std::string> caught_by;
};

const std::vector<Mutant>& mutants();

/// What mutants are made of: choices of flits, and things to do with a flit that was chosen.

using core::Flit;
using fabric::MessageType;

/// How long a held flit is kept, cycles; more than the bounds of the test.
inline constexpr std::uint64_t kHold = 5000;

inline bool now(Strike& s, std::uint64_t cycle, std::uint32_t block, std::uint32_t port) {
  if (s.struck) return false;
  if (s.skip > 0) {
    --s.skip;
    return false;
  }
  s.struck = true;
  s.struck_at = cycle;
  s.block = block;
  s.port = port;
  return true;
}

/// Calls `visit(block, port, flit)` for all flits about to be driven.
template <class Visit>
void for_flits(MutantBank& out, Visit&& visit) {
  for (std::uint32_t b = 0; b < out.blocks(); ++b)
    for (std::uint32_t p = 0; p < out.ports(); ++p)
      if (out.wires(b).tx_valid >> p & 1) visit(b, p, out.tx(b, p));
}

/// Delayed flits, in order, as the port is free.
inline void send_held(Strike& s, MutantBank& out) {
  if (s.held.empty() || out.busy(s.block, s.port)) return;
  out.send(s.block, s.port, s.held.front());
  s.held.pop_front();
}
/// Copies, in order, as the port is free.
inline void add_held(Strike& s, MutantBank& out) {
  if (s.held.empty() || out.busy(s.block, s.port)) return;
  out.add(s.block, s.port, s.held.front());
  s.held.pop_front();
}
/// Everything that leaves by the port goes through the queue of held flits.
inline void queue_port(Strike& s, MutantBank& out) {
  if (out.busy(s.block, s.port)) s.held.push_back(out.delay(s.block, s.port));
}

inline bool body(const Flit& f) { return !f.sync() && !f.head() && !f.tail(); }
inline bool is(const Strike& s, const Flit& f, MessageType type) {
  return f.sync() && s.formats.barrier_message(f).type == type;
}
inline bool to_node(const Strike& s, std::uint32_t b, std::uint32_t p) {
  return s.graph.peer(b, p).kind == topology::Peer::Kind::kNode;
}
inline bool connected(const Strike& s, std::uint32_t b, std::uint32_t p) {
  return p < s.graph.ports(b) && s.graph.peer(b, p).kind != topology::Peer::Kind::kOpen;
}
inline bool release(const Strike& s, std::uint32_t b, std::uint32_t p, const Flit& f) {
  return is(s, f, MessageType::kDistribution) && to_node(s, b, p);
}

/// A defect that takes away one flit that `Eligible(strike, block, port, flit)` chooses.
template <auto Eligible>
void lose(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (Eligible(s, b, p, f) && now(s, cycle, b, p)) out.lose(b, p);
  });
}
/// Sends it once more as soon as the port is free.
template <auto Eligible>
void repeat(Strike& s, std::uint64_t cycle, MutantBank& out) {
  add_held(s, out);
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (Eligible(s, b, p, f) && now(s, cycle, b, p)) s.held.push_back(f);
  });
}
/// Keeps it back for a long time.
template <auto Eligible>
void hold(Strike& s, std::uint64_t cycle, MutantBank& out) {
  if (s.struck && cycle > s.struck_at + kHold) send_held(s, out);
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (Eligible(s, b, p, f) && now(s, cycle, b, p)) s.held.push_back(out.delay(b, p));
  });
}
/// Sends it through another port.
template <auto Eligible>
void divert(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (s.struck || !Eligible(s, b, p, f)) return;
    for (std::uint32_t other = 0; other < s.graph.ports(b); ++other) {
      if (!connected(s, b, other) || out.busy(b, other) || !now(s, cycle, b, other)) continue;
      out.add(b, other, f);
      out.lose(b, p);
      return;
    }
  });
}
/// Changes it in place with `Change(strike, flit)`.
template <auto Eligible, auto Change>
void change(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for_flits(out, [&](std::uint32_t b, std::uint32_t p, Flit& f) {
    if (!Eligible(s, b, p, f) || !now(s, cycle, b, p)) return;
    Flit changed = f;
    Change(s, changed);
    out.lose(b, p);
    out.add(b, p, changed);
  });
}

using Index = std::uint32_t;
inline constexpr auto kHeads = [](const Strike&, Index, Index, const Flit& f) {
  return !f.sync() && f.head();
};
inline constexpr auto kBodies = [](const Strike&, Index, Index, const Flit& f) { return body(f); };
inline constexpr auto kTails = [](const Strike&, Index, Index, const Flit& f) {
  return !f.sync() && f.tail();
};
inline constexpr auto kReleases = [](const Strike& s, Index b, Index p, const Flit& f) {
  return release(s, b, p, f);
};
inline constexpr auto kInnerDistributions = [](const Strike& s, Index b, Index p, const Flit& f) {
  return is(s, f, MessageType::kDistribution) && !to_node(s, b, p);
};
inline constexpr auto kReductions = [](const Strike& s, Index, Index, const Flit& f) {
  return is(s, f, MessageType::kReduction);
};
inline constexpr auto kMessages = [](const Strike&, Index, Index, const Flit& f) {
  return f.sync();
};

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

namespace {

constexpr int kTrials = 12;  // of each mutant

std::vector<btin::PlannedGroup> two_groups(const topology::Graph& graph) {
  std::vector<topology::NodeId> all, odd;
  for (topology::NodeId n = 0; n < graph.nodes(); ++n) {
    all.push_back(n);
    if (n % 2) odd.push_back(n);
  }
  return {{"all", 5, false, btin::plan_tree(graph, all)},
          {"odd", 9, true, btin::plan_tree(graph, odd)}};
}

RunSpec spec_of(std::uint64_t trial, std::uint64_t seed) {
  RunSpec spec;
  spec.config.vcs = 2 + trial % 2;
  spec.config.depth = 2 + trial % 3;
  spec.barriers = spec.packets = 20;
  spec.packet_gap = 60;
  spec.bounds = {3000, 1500};
  spec.seed = seed + trial;
  return spec;
}

/// The checker named in a report, or the report if none is.
std::string checker_of(const std::string& report, const CheckerList& checkers) {
  for (const auto& total : checkers.totals())
    if (report.find(std::string("checker ") + total.name + ":") != std::string::npos)
      return total.name;
  return report;
}

TEST_CASE("every mutant is caught by a checker that is meant for it", "[checkers][mutation]") {
  const std::uint64_t seed = muster_seed();
  const auto index = GENERATE(range(std::size_t{0}, mutants().size()));
  const Mutant& mutant = mutants()[index];
  CAPTURE(seed, mutant.name);
  const topology::Graph graph = topology::generate_irregular(
      {.switches = 7, .nodes = 18, .ports = 6, .connectivity = 0.85, .seed = seed});
  std::map<std::string, int> caught;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    CAPTURE(trial);
    const RunSpec spec = spec_of(trial, seed);
    Rng rng(seed, 100 * index + trial);
    const auto skip = static_cast<std::uint32_t>(rng.below(60));
    Strike strike{graph, {spec.config.flit_w, spec.config.gid_w}, spec.config.vcs, {5, 9}, skip,
                  rng};
    CheckedNetwork network(
        graph, two_groups(graph), spec,
        [&](std::uint64_t cycle, MutantBank& outputs) { mutant.act(strike, cycle, outputs); });
    std::string report = "survived";
    try {
      network.run();
    } catch (const InternalError& error) {
      report = error.what();
    }
    CAPTURE(report);
    REQUIRE(strike.struck);
    const std::string checker = checker_of(report, network.checkers());
    CHECK(std::count(mutant.caught_by.begin(), mutant.caught_by.end(), checker) == 1);
    ++caught[checker];
  }
  CAPTURE(caught);
  CHECK(caught[mutant.caught_by.front()] > 0);
}

TEST_CASE("the network of the mutants passes without a mutation", "[checkers][mutation]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const topology::Graph graph = topology::generate_irregular(
      {.switches = 7, .nodes = 18, .ports = 6, .connectivity = 0.85, .seed = seed});
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    CAPTURE(trial);
    CheckedNetwork network(graph, two_groups(graph), spec_of(trial, seed),
                           [](std::uint64_t, MutantBank&) {});
    CHECK(network.run());
    CHECK(network.delivered() == 18 * 20);
    CHECK(network.checkers().find<BarrierSafety>()->completed() == 2 * 20);
  }
}

}  // namespace

}  // namespace muster::checkers
