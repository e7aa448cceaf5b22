// SPDX-License-Identifier: Apache-2.0
#include "rtl/board/golden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "muster/core/engine.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/graph.hpp"
#include "run/configurations.hpp"
#include "run/engines.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/esc/network.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::test {
namespace {

using core::Flit;

/// muster_board_node.
class Node {
 public:
  Node(unsigned nodes, unsigned self)
      : nodes_(nodes), self_(self), random_(static_cast<std::uint16_t>((self + 1) * 0x1357)) {}

  bool arrives() const { return !waits_ && rest_ == 0; }
  bool released(bool now) const { return waits_ && now; }
  bool offers() const { return left_ != 0; }
  bool last() const { return left_ == 1; }
  unsigned destination() const { return destination_; }
  std::uint16_t beat() const { return static_cast<std::uint16_t>(self_ << 3 | left_); }

  void edge(bool traffic, bool releases, bool taken) {
    const bool arrived = arrives();
    if (released(releases))
      rest_ = 64 + random_ % 64;
    else if (rest_ != 0)
      --rest_;
    waits_ = arrived || (waits_ && !releases);
    const unsigned to = random_ >> 8 & 3;
    if (left_ != 0) {
      left_ -= taken ? 1 : 0;
    } else if (traffic && random_ >> 12 == 0 && to < nodes_ && to != self_) {
      left_ = 4;
      destination_ = to;
    }
    // x^16 + x^15 + x^13 + x^4 + 1
    random_ = static_cast<std::uint16_t>(random_ >> 1 ^ (random_ % 2 != 0 ? 0xd008 : 0));
  }

 private:
  unsigned nodes_, self_, rest_ = 127, left_ = 0, destination_ = 0;
  bool waits_ = false;
  std::uint16_t random_;
};

/// Which members arrive and are released in a cycle, bit by bit.
struct Cycle {
  unsigned arrive = 0, release = 0;
};

class System {
 public:
  virtual ~System() = default;
  /// The next cycle, up to its edge.
  virtual Cycle cycle(bool traffic) = 0;
  unsigned members() const { return static_cast<unsigned>(nodes_.size()); }

 protected:
  explicit System(unsigned members) {
    for (unsigned n = 0; n < members; ++n) nodes_.emplace_back(members, n);
  }
  std::vector<Node> nodes_;
};

// ---- Networks of switches --------------------------------------------------------------------

/// What a node puts on its wires, and how it is released.
struct Link {
  std::optional<Flit> out;  ///< in the next cycle
  unsigned back = 0;        ///< credits in the next cycle
  bool released = false;    ///< in this cycle
  bool taken = false;       ///< the beat, in this cycle
};

/// muster_axis_endpoint as it is used on the board, by docs/systems/wrappers.md and the headers of
/// its parts.
class Endpoint {
 public:
  Link clock(Node& node, const Flit* in, unsigned credits) {
    Link link;
    link.released = released_;
    const bool sync_goes = wants_ && !staged_;
    link.out = staged_;
    if (sync_goes) link.out = Flit{.kind = Flit::kSync};
    const bool open = !(wants_ && staged_) && credits_ > 0;
    std::optional<Flit> decided;
    if (open && node.offers()) {
      decided = inside_
                    ? Flit{.lo = node.beat(), .kind = node.last() ? Flit::kTail : std::uint8_t{}}
                    : Flit{.lo = node.destination(), .kind = Flit::kHead};
      link.taken = inside_;
      inside_ = !(inside_ && node.last());
    }
    credits_ += credits - (decided ? 1 : 0);
    staged_ = decided;
    // A flit is in the queue a cycle after the wires, and is taken there.
    link.back = std::exchange(came_, in != nullptr && !in->sync()) ? 1 : 0;
    wants_ = node.arrives() || (wants_ && !sync_goes);
    released_ = (released_ && !node.arrives()) || (in != nullptr && in->sync());
    return link;
  }

 private:
  unsigned credits_ = 2;
  bool wants_ = false, inside_ = false, came_ = false, released_ = false;
  std::optional<Flit> staged_;
};

/// muster_board_bsr_node, by docs/systems/preempting-switches.md.
class BsrNode {
 public:
  BsrNode(unsigned self, unsigned home, unsigned center)
      : self_(self), home_(home), center_(center) {}

  Link clock(Node& node, const Flit* in, unsigned credits) {
    Link link;
    link.released = in != nullptr && in->kind == Flit::kSync;
    if (in != nullptr && (!in->sync() || in->kind == Flit::kPad)) link.back |= 1;
    if (link.released) link.back |= 2;
    if (waits_ && (gone_ != 0 || (room_ && !inside_))) {
      const preempt::BsrMessage message =
          first_ ? preempt::BsrMessage{.type = preempt::BsrType::kFirst,
                                       .destination = center_,
                                       .source = home_,
                                       .new_node = home_}
                 : preempt::BsrMessage{.destination = home_, .source = self_};
      link.out = preempt::bsr_flits(message, 0)[gone_];
      room_ = false;
      if (++gone_ == preempt::bsr_length(message.type)) {
        gone_ = 0;
        first_ = waits_ = false;
      }
    } else if (node.offers() && credits_ > 0 && (inside_ || !waits_)) {
      link.out = inside_
                     ? Flit{.lo = node.beat(), .kind = node.last() ? Flit::kTail : std::uint8_t{}}
                     : Flit{.lo = node.destination(), .kind = Flit::kHead};
      link.taken = inside_;
      inside_ = !(inside_ && node.last());
      --credits_;
    }
    credits_ += credits & 1;
    room_ = room_ || (credits & 2) != 0;
    waits_ = waits_ || node.arrives();
    return link;
  }

 private:
  unsigned self_, home_, center_, credits_ = 2, gone_ = 0;
  bool waits_ = false, inside_ = false, room_ = true, first_ = true;
};

/// Nodes and what stands between them and their switches.
template <class End>
class Ends final : public core::Bank {
 public:
  Ends(std::vector<Node>& nodes, std::vector<End> ends)
      : Bank(static_cast<std::uint32_t>(nodes.size()), 1), nodes_(nodes), ends_(std::move(ends)) {}
  bool traffic = false;
  Cycle seen;  ///< the last cycle

  void clock(std::uint64_t, std::span<const std::uint32_t>) override {
    seen = {};
    for (std::uint32_t n = 0; n < blocks(); ++n) {
      core::BlockWires& wires = wires_[n];
      const Link link = ends_[n].clock(nodes_[n], wires.rx_valid != 0 ? &rx_[n] : nullptr,
                                       static_cast<unsigned>(wires.tx_back));
      wires = {};
      wires.rx_back = link.back;
      wires.tx_valid = link.out ? 1 : 0;
      if (link.out) tx_[n] = *link.out;
      seen.arrive |= unsigned{nodes_[n].arrives()} << n;
      seen.release |= unsigned{nodes_[n].released(link.released)} << n;
      nodes_[n].edge(traffic, link.released, link.taken);
    }
  }
  std::string describe(std::uint32_t) const override { return "a node of a board"; }

 private:
  std::vector<Node>& nodes_;
  std::vector<End> ends_;
};

/// Golden switches of three ports with four nodes, joined as a cube of `links` dimensions, set up
/// as the scheme plans it.
template <class End>
class Network final : public System {
 public:
  Network(const char* scheme, const char* kind, unsigned links, bool mesh) : System(4) {
    run::RunSpec spec;
    const auto graph = std::make_shared<topology::Graph>();
    const unsigned switches = 1u << links, each = 4 / switches;
    for (unsigned s = 0; s < switches; ++s) graph->add_switch(3);
    for (unsigned s = 0; s < switches; ++s)
      for (unsigned p = 0; p < links; ++p)
        if (const unsigned other = s ^ 1u << p; s < other) graph->add_link({s, p}, {other, p});
    for (unsigned n = 0; n < 4; ++n) graph->add_node({n / each, links + n % each});
    if (mesh) {
      graph->mesh = topology::Mesh{.width = 2, .height = 2};
      run::own<btin::Spec>(spec).reflect = true;
      run::own<btin::Spec>(spec).root = 0;
    }
    spec.graph = graph;
    spec.scheme = scheme;
    spec.groups.push_back({"all", {0, 1, 2, 3}});
    fabric::SwitchConfig config{
        .name = "board", .ports = 3, .vcs = 1, .depth = 2, .regs = 1, .dests = 16};
    for (const fabric::SwitchKind* const k : run::switch_kinds())
      if (k->name == kind) config.kind = k;
    spec.config = config;
    const auto recorder = std::make_shared<run::LoadRecorder>();
    spec.engine = recorder;
    const auto run = run::resolve(std::move(spec));

    auto bank = run::make_golden_engine()->make_switches(run->config, switches, {});
    for (const fabric::RegisterLoad& load : recorder->loads_of(*run))
      bank->write_register(load.sw, load.address, load.value);
    std::vector<End> ends;
    for (unsigned n = 0; n < 4; ++n)
      if constexpr (std::is_same_v<End, BsrNode>)
        ends.emplace_back(n, 4 + n / each, 4);
      else
        ends.emplace_back();
    auto own = std::make_unique<Ends<End>>(nodes_, std::move(ends));
    ends_ = own.get();
    engine_.add_bank(std::move(bank));
    engine_.add_bank(std::move(own));
    core::ChannelId id = 0;
    const auto terminal = [](const fabric::End& end) {
      return core::Terminal{end.node ? 1u : 0u, end.id, end.port};
    };
    const fabric::Layout layout(*graph);
    for (const fabric::Channel& c : layout.channels())
      engine_.connect(id++, terminal(c.from), terminal(c.to), c.latency);
    engine_.set_skip(false);
  }
  Cycle cycle(bool traffic) override {
    ends_->traffic = traffic;
    engine_.step();
    return ends_->seen;
  }

 private:
  core::Engine engine_;
  Ends<End>* ends_;
};

// ---- The cube --------------------------------------------------------------------------------

/// muster_board_cube.
class Cube final : public System {
 public:
  Cube() : System(4), network_(cube_, kStages, {2, 2}, *esc::boxes_of(*golden_)), offers_(4) {
    network_.reset(0x1357);
  }
  Cycle cycle(bool traffic) override {
    Cycle seen;
    for (unsigned n = 0; n < 4; ++n) {
      offers_[n] = nodes_[n].offers()
                       ? esc::make_packet(esc::BoxKind::kBackground, 0, n,
                                          nodes_[n].beat() % 2 << 2 | nodes_[n].destination())
                       : 0;
      if (sends_[n])
        offers_[n] = n != 0 ? esc::make_packet(esc::BoxKind::kSynchronization, 0, n, 0)
                            : esc::make_release(esc::broadcast_mask(cube_, kStages), 0, 0);
    }
    const std::vector<esc::BoxPacket> arrivals(network_.arrivals().begin(),
                                               network_.arrivals().end());
    network_.settle(cycle_, offers_);
    const bool complete = count_ == 4;
    if (complete) count_ = 0;
    for (unsigned n = 0; n < 4; ++n) {
      const bool taken = network_.taken()[n] != 0;
      const bool released = esc::kind_of(arrivals[n]) == esc::BoxKind::kRelease;
      const bool arrives = nodes_[n].arrives();
      seen.arrive |= unsigned{arrives} << n;
      seen.release |= unsigned{nodes_[n].released(released)} << n;
      nodes_[n].edge(traffic, released, taken && !sends_[n]);
      sends_[n] = (sends_[n] && !taken) || (n != 0 ? arrives : complete);
      if (n == 0)
        count_ += unsigned{arrives} +
                  unsigned{esc::kind_of(arrivals[0]) == esc::BoxKind::kSynchronization};
    }
    network_.clock(cycle_++);
    return seen;
  }

 private:
  static constexpr esc::OuterStages kStages{.input = true, .output = true};
  const esc::Cube cube_{4, 2};
  std::shared_ptr<const fabric::BankFactory> golden_ = run::make_golden_engine();
  esc::Network network_;
  std::vector<esc::BoxPacket> offers_;
  std::array<bool, 4> sends_{};
  unsigned count_ = 0;
  std::uint64_t cycle_ = 0;
};

// ---- NICs ------------------------------------------------------------------------------------

/// muster_board_nics.
class Nics final : public System {
 public:
  Nics() : System(2) {
    const nic::NicConfig config{.contexts = 2, .steps = 2, .conns = 1, .records = 1};
    auto bank = nic::nics_of(*run::make_golden_engine())->make_nics(config, 2, {});
    bank_ = bank.get();
    for (std::uint32_t n = 0; n < 2; ++n) {
      // As in the example of docs/systems/nic-engine.md, of a group at each level.
      const std::uint32_t peer = 1 - n;
      for (const auto& [address, word] :
           std::initializer_list<std::array<std::uint32_t, 2>>{{0x003, n},
                                                               {0x004, 0x000301F4},
                                                               {0x400, 0x81010000 | peer},
                                                               {0x401, 0x40000000 | peer},
                                                               {0x420, 0x81010000 | peer},
                                                               {0x421, 0x40000000 | peer},
                                                               {0x080, 0x80000000 | peer},
                                                               {0x040, 0x80000001},
                                                               {0x044, 0xC0000101}})
        bank->write_register(n, address, word);
    }
    engine_.add_bank(std::move(bank));
    engine_.connect(0, {0, 0, 0}, {0, 1, 0}, 1);
    engine_.connect(1, {0, 1, 0}, {0, 0, 0}, 1);
    engine_.set_skip(false);
  }
  Cycle cycle(bool traffic) override {
    Cycle seen;
    for (unsigned n = 0; n < 2; ++n) {
      nic::HostWires& host = bank_->host(n);
      const bool arrives = nodes_[n].arrives(), done = host.event;
      host.ready = true;
      host.access = host.write = arrives;
      host.address = traffic ? 0x045 : 0x041;
      host.data = 1;
      seen.arrive |= unsigned{arrives} << n;
      seen.release |= unsigned{nodes_[n].released(done)} << n;
      nodes_[n].edge(false, done, false);
    }
    engine_.step();
    return seen;
  }

 private:
  core::Engine engine_;
  nic::NicBank* bank_;
};

std::unique_ptr<System> make(unsigned system) {
  switch (system) {
    case 0:
      return std::make_unique<Network<Endpoint>>("btin", "barrier", 2, true);
    case 1:
      return std::make_unique<Network<BsrNode>>("bsr-1", "bsr-1", 1, false);
    case 2:
      return std::make_unique<Cube>();
    default:
      return std::make_unique<Nics>();
  }
}

}  // namespace

std::string golden_lines(unsigned system, unsigned divisor, std::size_t lines) {
  const std::unique_ptr<System> parts = make(system);
  const unsigned all = (1u << parts->members()) - 1;
  unsigned released = 0;
  std::string text;
  // muster_barrier_timer and muster_board_report: a line has nine characters of ten bits, the first
  // of which may wait for the last of the line before.
  std::uint64_t last_arrival = 0, free = 0, line_free = 0;
  for (std::uint64_t t = 0, number = 0; number < lines; ++t) {
    const Cycle seen = parts->cycle(number % 2 != 0);
    released |= seen.release;
    if (seen.release != 0 && released == all) {
      released = 0;
      if (t >= free) {
        text += fmt::format("{:02x} {:04x}\r\n", number++ & 0xff, t - last_arrival);
        const std::uint64_t ninth = std::max(t + 1, line_free) + 80 * divisor;
        free = ninth + 1;
        line_free = ninth + 10 * divisor;
      }
    }
    if (seen.arrive != 0) last_arrival = t;
  }
  return text;
}

}  // namespace muster::test
