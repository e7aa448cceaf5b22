// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/run_fixture.hpp"
#include "support/mutant_bank.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::run {
namespace {

using core::Flit;
using fabric::MessageType;
using Index = std::uint32_t;

/// One defect, tried once: it lets `skip` opportunities pass and strikes at the next.
struct Strike {
  const topology::Graph& graph;
  fabric::Formats formats;
  std::uint32_t vcs;
  std::uint32_t groups;
  std::uint32_t skip;
  Random rng;
  bool struck = false;
  std::uint64_t struck_at = 0;
  Index block = 0, port = 0;  ///< where
  std::uint8_t vc = 0;
  bool recording = false;
  std::deque<Flit> held{};           ///< flits kept back, or to be sent again
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

/// How long a held flit is kept, cycles; more than the bounds of the test.
constexpr std::uint64_t kHold = 5000;

bool now(Strike& s, std::uint64_t cycle, Index block, Index port) {
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
  for (Index b = 0; b < out.blocks(); ++b)
    for (Index p = 0; p < out.ports(); ++p)
      if (out.busy(b, p)) visit(b, p, out.tx(b, p));
}
/// And for the one flit at which the defect strikes, of those that `Eligible` chooses.
template <auto Eligible, class Visit>
void at_flit(Strike& s, std::uint64_t cycle, MutantBank& out, Visit&& visit) {
  for_flits(out, [&](Index b, Index p, Flit& f) {
    if (Eligible(s, b, p, f) && now(s, cycle, b, p)) visit(b, p, f);
  });
}

/// Held flits, in order, as the port is free: those that were delayed, or copies.
void put_held(Strike& s, MutantBank& out, decltype(&MutantBank::send) how) {
  if (s.held.empty() || out.busy(s.block, s.port)) return;
  (out.*how)(s.block, s.port, s.held.front());
  s.held.pop_front();
}
/// Everything that leaves by the port goes through the queue of held flits.
void queue_port(Strike& s, MutantBank& out) {
  if (out.busy(s.block, s.port)) s.held.push_back(out.delay(s.block, s.port));
}
void replace(MutantBank& out, Index b, Index p, const Flit& changed) {
  out.lose(b, p);
  out.add(b, p, changed);
}

// Choices of flits, by block and port.

bool to_node(const Strike& s, Index b, Index p) {
  return s.graph.peer(b, p).kind == topology::Peer::Kind::kNode;
}
bool connected(const Strike& s, Index b, Index p) {
  return p < s.graph.ports(b) && s.graph.peer(b, p).kind != topology::Peer::Kind::kOpen;
}
template <MessageType Type>
bool is(const Strike& s, Index, Index, const Flit& f) {
  return f.sync() && s.formats.barrier_message(f).type == Type;
}
constexpr auto kReduction = is<MessageType::kReduction>;
bool release(const Strike& s, Index b, Index p, const Flit& f) {
  return is<MessageType::kDistribution>(s, b, p, f) && to_node(s, b, p);
}
bool inner_distribution(const Strike& s, Index b, Index p, const Flit& f) {
  return is<MessageType::kDistribution>(s, b, p, f) && !to_node(s, b, p);
}
bool message(const Strike&, Index, Index, const Flit& f) { return f.sync(); }
bool head(const Strike&, Index, Index, const Flit& f) { return !f.sync() && f.head(); }
bool tail(const Strike&, Index, Index, const Flit& f) { return !f.sync() && f.tail(); }
bool body(const Strike&, Index, Index, const Flit& f) {
  return !f.sync() && !f.head() && !f.tail();
}

// What is done with a flit that was chosen.

template <auto Eligible>
void lose(Strike& s, std::uint64_t cycle, MutantBank& out) {
  at_flit<Eligible>(s, cycle, out, [&](Index b, Index p, Flit&) { out.lose(b, p); });
}
/// Sends it once more as soon as the port is free.
template <auto Eligible>
void repeat(Strike& s, std::uint64_t cycle, MutantBank& out) {
  put_held(s, out, &MutantBank::add);
  at_flit<Eligible>(s, cycle, out, [&](Index, Index, Flit& f) { s.held.push_back(f); });
}
/// Keeps it back for a long time.
template <auto Eligible>
void hold(Strike& s, std::uint64_t cycle, MutantBank& out) {
  if (s.struck && cycle > s.struck_at + kHold) put_held(s, out, &MutantBank::send);
  at_flit<Eligible>(s, cycle, out,
                    [&](Index b, Index p, Flit&) { s.held.push_back(out.delay(b, p)); });
}
/// Sends it through another port.
template <auto Eligible>
void divert(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for_flits(out, [&](Index b, Index p, Flit& f) {
    if (s.struck || !Eligible(s, b, p, f)) return;
    for (Index other = 0; other < s.graph.ports(b); ++other) {
      if (!connected(s, b, other) || out.busy(b, other) || !now(s, cycle, b, other)) continue;
      out.add(b, other, f);
      out.lose(b, p);
      return;
    }
  });
}
template <auto Eligible, auto Change>
void change(Strike& s, std::uint64_t cycle, MutantBank& out) {
  at_flit<Eligible>(s, cycle, out, [&](Index b, Index p, Flit& f) {
    Flit changed = f;
    Change(s, changed);
    replace(out, b, p, changed);
  });
}
/// Flips a random bit of some from one on.
void flip(Strike& s, Flit& f, unsigned from, unsigned bits) {
  f.lo ^= std::uint64_t{1} << (from + s.rng.below(bits));
}
void any_bit(Strike& s, Flit& f) { flip(s, f, 0, s.formats.flit_width()); }
void data_bit(Strike& s, Flit& f) { flip(s, f, 0, s.formats.data_width()); }
void group_bit(Strike& s, Flit& f) { flip(s, f, s.formats.data_width(), s.formats.gid_width()); }
void type_bit(Strike& s, Flit& f) { flip(s, f, s.formats.data_width() + s.formats.gid_width(), 2); }
void next_vc(Strike& s, Flit& f) { f.vc = static_cast<std::uint8_t>((f.vc + 1) % s.vcs); }
void no_head(Strike&, Flit& f) { f.kind &= ~Flit::kHead; }

/// The second of two body flits leaves before the first.
void swap_flits(Strike& s, std::uint64_t cycle, MutantBank& out) {
  if (s.held.empty()) {
    at_flit<body>(s, cycle, out, [&](Index b, Index p, Flit&) {
      s.recording = true;
      s.held.push_back(out.delay(b, p));
    });
    return;
  }
  if (s.recording) {
    if (!out.busy(s.block, s.port)) return;
    s.recording = false;
    const Flit &first = s.held.front(), &second = out.tx(s.block, s.port);
    if (body(s, 0, 0, second) && second.vc == first.vc && second != first)
      return;          // this one goes first
    s.struck = false;  // the order would not show: send them as they come, and try again
  }
  queue_port(s, out);
  put_held(s, out, &MutantBank::send);
}

/// Calls `visit(block, port, flit)` for each flit of the packet at which the defect strikes.
template <class Visit>
void at_packet(Strike& s, std::uint64_t cycle, MutantBank& out, Visit&& visit) {
  for_flits(out, [&](Index b, Index p, Flit& f) {
    if (head(s, b, p, f) && now(s, cycle, b, p)) {
      s.recording = true;
      s.vc = f.vc;
    }
    if (!s.recording || b != s.block || p != s.port || f.sync() || f.vc != s.vc) return;
    s.recording = !f.tail();
    visit(b, p, f);
  });
}
/// A packet leaves twice, the copy behind the original.
void repeat_packet(Strike& s, std::uint64_t cycle, MutantBank& out) {
  at_packet(s, cycle, out, [&](Index, Index, Flit& f) { s.held.push_back(f); });
  if (s.struck && !s.recording) put_held(s, out, &MutantBank::add);
}
void lose_packet(Strike& s, std::uint64_t cycle, MutantBank& out) {
  at_packet(s, cycle, out, [&](Index b, Index p, Flit&) { out.lose(b, p); });
}

/// A head goes into a virtual channel in which another packet is under way.
void interleave(Strike& s, std::uint64_t cycle, MutantBank& out) {
  s.open.resize(std::size_t{out.blocks()} * out.ports() * 4, 0);
  for_flits(out, [&](Index b, Index p, Flit& f) {
    if (f.sync()) return;
    std::uint8_t* open = &s.open[(std::size_t{b} * out.ports() + p) * 4];
    open[f.vc] = !f.tail();
    Flit changed = f;
    next_vc(s, changed);
    if (f.head() && open[changed.vc] && now(s, cycle, b, p)) replace(out, b, p, changed);
  });
}

/// All that leaves by a port makes no progress for a long time.
void stall_port(Strike& s, std::uint64_t cycle, MutantBank& out) {
  at_flit<body>(s, cycle, out, [](Index, Index, Flit&) {});
  if (!s.struck) return;
  queue_port(s, out);
  if (cycle > s.struck_at + kHold) put_held(s, out, &MutantBank::send);
}

/// Between two packets an input queue is forgotten: what comes then is never served. At a node,
/// which is sure to send more.
void forget_queue(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for (Index b = 0; b < out.blocks(); ++b)
    for (Index p = 0; p < s.graph.ports(b); ++p) {
      const Flit& last = out.rx(b, p);
      if (!(out.received(b) >> p & 1) || !to_node(s, b, p) || !tail(s, b, p, last)) continue;
      if (now(s, cycle, b, p)) out.shut(b, p, last.vc);
    }
}

void lose_credit(Strike& s, std::uint64_t cycle, MutantBank& out) {
  for (Index b = 0; b < out.blocks(); ++b)
    for (Index p = 0; p < out.ports(); ++p)
      if ((out.wires(b).rx_back >> (4 * p) & 15) && now(s, cycle, b, p))
        out.wires(b).rx_back &= ~(std::uint64_t{15} << (4 * p));
}

/// A credit for a port at which every flit has been credited.
void forge_credit(Strike& s, std::uint64_t cycle, MutantBank& out) {
  s.uncredited.resize(std::size_t{out.blocks()} * out.ports(), 0);
  for (Index b = 0; b < out.blocks(); ++b)
    for (Index p = 0; p < s.graph.ports(b); ++p) {
      int& uncredited = s.uncredited[std::size_t{b} * out.ports() + p];
      const auto back = static_cast<unsigned>(out.wires(b).rx_back >> (4 * p) & 15);
      const bool takes_credit = (out.received(b) >> p & 1) && !out.rx(b, p).sync();
      uncredited += static_cast<int>(takes_credit) - std::popcount(back);
      if (uncredited == 0 && back == 0 && connected(s, b, p) && now(s, cycle, b, p))
        out.wires(b).rx_back |= std::uint64_t{1} << (4 * p + s.rng.below(s.vcs));
    }
}

/// A message that nothing has caused.
template <MessageType Type, bool ToNode>
void forge(Strike& s, std::uint64_t cycle, MutantBank& out) {
  if (s.struck || cycle < 8) return;
  const auto b = static_cast<Index>(s.rng.below(out.blocks()));
  const auto p = static_cast<Index>(s.rng.below(s.graph.ports(b)));
  if (!connected(s, b, p) || out.busy(b, p) || to_node(s, b, p) != ToNode) return;
  if (!now(s, cycle, b, p)) return;
  const std::uint32_t gid = s.rng.below(s.groups);
  out.add(b, p, s.formats.barrier_flit({Type, gid, {}}, 0));
}
constexpr auto kForgeDistribution = forge<MessageType::kDistribution, false>;
constexpr auto kForgeReduction = forge<MessageType::kReduction, false>;
constexpr auto kForgeRelease = forge<MessageType::kDistribution, true>;
constexpr auto kForgeNotification = forge<MessageType::kReduction, true>;

const Mutant kMutants[] = {
    {"loses a head", lose<head>, {"packets"}},
    {"loses a body flit", lose<body>, {"delivery"}},
    {"loses a tail", lose<tail>, {"packets", "delivery", "bounded waits"}},
    {"loses a packet", lose_packet, {"delivery", "bounded waits", "conservation"}},
    {"repeats a head", repeat<head>, {"packets", "routes", "credits"}},
    {"repeats a body flit", repeat<body>, {"delivery", "packets", "conservation", "credits"}},
    {"repeats a packet", repeat_packet, {"routes", "packets", "credits", "conservation"}},
    {"swaps two flits", swap_flits, {"delivery"}},
    {"flips a bit of a head",
     change<head, any_bit>,
     {"routes", "packets", "register packets", "conservation"}},
    {"flips a bit of a body flit", change<body, any_bit>, {"delivery"}},
    {"flips a bit of a tail", change<tail, any_bit>, {"delivery"}},
    {"a head becomes a body flit", change<head, no_head>, {"packets"}},
    {"sends a head to the wrong port", divert<head>, {"routes", "packets", "credits"}},
    {"changes the virtual channel of a head",
     change<head, next_vc>,
     {"routes", "packets", "credits"}},
    {"changes the virtual channel of a body flit",
     change<body, next_vc>,
     {"packets", "conservation", "delivery", "credits"}},
    {"interleaves two packets", interleave, {"packets", "credits"}},
    {"stalls a port", stall_port, {"bounded waits", "conservation"}},
    {"forgets an input queue", forget_queue, {"fair service", "bounded waits", "credits"}},
    {"loses a credit", lose_credit, {"credits"}},
    {"forges a credit", forge_credit, {"credits"}},
    {"releases a member early", kForgeRelease, {"barriers", "credits"}},
    {"sends the distribution on early", kForgeDistribution, {"barriers", "credits"}},
    {"sends the reduction on early", kForgeReduction, {"barriers", "credits"}},
    {"notifies the root node early", kForgeNotification, {"barriers", "credits"}},
    {"releases a member twice", repeat<release>, {"barriers", "credits"}},
    {"sends the distribution on twice", repeat<inner_distribution>, {"barriers", "credits"}},
    {"sends the reduction on twice", repeat<kReduction>, {"barriers", "credits"}},
    {"holds back a release", hold<release>, {"bounded waits"}},
    {"holds back a reduction", hold<kReduction>, {"bounded waits"}},
    {"loses a distribution", lose<inner_distribution>, {"bounded waits"}},
    {"sends a barrier message to the wrong port", divert<message>, {"barriers", "credits"}},
    {"flips a bit of the data of a barrier", change<message, data_bit>, {"barriers"}},
    {"flips a bit of a group identifier", change<message, group_bit>, {"barriers"}},
    {"flips a bit of a message type", change<message, type_bit>, {"barriers"}},
    {"names a virtual channel of a message", change<message, next_vc>, {"packets"}},
};

constexpr std::uint64_t kTrials = 40;  // of each mutant

/// Two groups on a network with data, and switches of different sizes.
struct Trials {
  std::uint64_t seed = muster_seed();
  test::Subject subject{topology::generate_irregular(
      {.switches = 7, .nodes = 18, .ports = 6, .connectivity = 0.85, .seed = seed})};

  RunSpec spec(std::uint64_t trial) const {
    RunSpec spec = subject.spec({"all", "n1,n3,n5,n7,n9,n11,n13,n15,n17"}, seed + trial);
    spec.config = fabric::SwitchConfig{.name = "test",
                                       .ports = 6,
                                       .vcs = static_cast<std::uint32_t>(2 + trial % 2),
                                       .depth = static_cast<std::uint32_t>(2 + trial % 3),
                                       .kind = &btin::kBarrierSwitch};
    own<btin::Spec>(spec).reflect = trial / 2 % 2 == 0;
    spec.barriers = 20;
    // As much as leaves the bounds of waits close: a credit is back after four cycles.
    spec.load_flits = 0.39 * subject.route_bound() * spec.config->depth / 4;
    spec.min_cycles = 20'000;
    return spec;
  }
};

TEST_CASE("every mutant is caught by a checker that is meant for it", "[checkers][mutation]") {
  const Trials trials;
  const auto index = GENERATE(range(std::size_t{0}, std::size(kMutants)));
  const Mutant& mutant = kMutants[index];
  CAPTURE(trials.seed, mutant.name);
  std::map<std::string, int> caught;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    CAPTURE(trial);
    RunSpec spec = trials.spec(trial);
    Random rng(trials.seed, 100 * index + trial);
    const std::uint32_t skip = rng.below(60);
    Strike strike{trials.subject.graph,
                  {spec.config->flit_w, spec.config->gid_w},
                  spec.config->vcs,
                  2,
                  skip,
                  rng};
    spec.engine = std::make_shared<MutantEngine>(
        [&](std::uint64_t cycle, MutantBank& outputs) { mutant.act(strike, cycle, outputs); });
    const std::string report = test::breach_of(spec);
    REQUIRE(strike.struck);
    const auto& checkers = mutant.caught_by;
    const auto first = std::ranges::find_if(checkers, [&](const std::string& name) {
      return report.find("checker " + name + ":") != std::string::npos;
    });
    CAPTURE(report);
    CHECK(first != checkers.end());
    if (first != checkers.end()) ++caught[*first];
  }
  CAPTURE(caught);
  CHECK(caught[mutant.caught_by.front()] > 0);
}

TEST_CASE("the network of the mutants passes without a mutation", "[checkers][mutation]") {
  const Trials trials;
  CAPTURE(trials.seed);
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    CAPTURE(trial);
    CHECK(test::completes(trials.spec(trial)).data->delivered > 200);
  }
}

}  // namespace
}  // namespace muster::run
