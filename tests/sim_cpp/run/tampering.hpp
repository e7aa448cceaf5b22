// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mutants.hpp"

/// What mutants are made of: choices of flits, and things to do with a flit that was chosen.
namespace muster::checkers {

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

}  // namespace muster::checkers
