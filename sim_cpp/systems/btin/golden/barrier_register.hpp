// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/lanes.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The barrier messages that a switch sees in a cycle, one a port at most.
struct PortMessages {
  Ports ports = 0;                      ///< that have one
  Ports stored = 0;                     ///< of these, in their pocket; the others are on the wires
  const core::Flit* wires = nullptr;    ///< by port
  const core::Flit* pockets = nullptr;  ///< by port
  const core::Flit& at(std::uint32_t port) const {
    return has(stored, port) ? pockets[port] : wires[port];
  }
};

/// The pockets of a switch in which a message may have to wait (docs/systems/barrier-switch.md,
/// Spill): a place for one message at each port.
class Pockets {
 public:
  explicit Pockets(std::uint32_t ports) : flits_(ports) {}

  /// Ports whose pocket is full.
  Ports full() const { return full_; }

  /// What the switch sees if the sync flits of `arriving` are on the wires. The pockets of these
  /// ports are empty, by their credit.
  PortMessages messages(Ports arriving, const core::Flit* wires) const {
    return {static_cast<Ports>(arriving | full_), full_, wires, flits_.data()};
  }
  /// The clock edge: the messages of the ports `taken` leave, the others are in their pockets.
  void edge(const PortMessages& messages, Ports taken) {
    for_each_bit(messages.ports & ~messages.stored & ~taken,
                 [&](std::uint32_t port) { flits_[port] = messages.wires[port]; });
    full_ = static_cast<Ports>(messages.ports & ~taken);
  }

 private:
  Ports full_ = 0;
  std::vector<core::Flit> flits_;  // by port
};

/// Whose turn it is in a switch whose barrier unit takes one message a cycle
/// (docs/systems/many-groups.md). In another switch no message waits for a turn.
class MessageTurns {
 public:
  explicit MessageTurns(const fabric::SwitchConfig& config)
      : formats_(config.flit_w, config.gid_w),
        ports_(config.ports),
        serial_(btin::variant(config).serial || btin::variant(config).groups != 0) {}

  /// What the turns make of the messages of a cycle.
  struct Choice {
    Ports ports = 0;                   ///< those whose message unit and spill see
    std::optional<std::uint32_t> one;  ///< the one of them that has the turn
  };
  /// On the state at the beginning of the cycle. `blocked`: no port has the turn.
  Choice choose(const PortMessages& messages, bool blocked) const {
    Choice choice{messages.ports, {}};
    if (!serial_) return choice;
    Ports asking = 0;
    for_each_bit(messages.ports, [&](std::uint32_t port) {
      const auto type = formats_.barrier_message(messages.at(port)).type;
      if (type <= fabric::MessageType::kDistribution) asking |= static_cast<Ports>(bit(port));
    });
    choice.ports = static_cast<Ports>(choice.ports & ~asking);
    if (asking == 0 || blocked) return choice;
    choice.one = round_robin(asking, pointer_);
    choice.ports |= static_cast<Ports>(bit(*choice.one));
    return choice;
  }

  /// The clock edge: the messages of the ports `taken` leave.
  void edge(const Choice& choice, Ports taken) {
    if (choice.one && has(taken, *choice.one)) pointer_ = (*choice.one + 1) % ports_;
  }

 private:
  fabric::Formats formats_;
  std::uint32_t ports_;
  bool serial_;
  std::uint32_t pointer_ = 0;  // round robin over the ports
};

/// The data of one barrier register: what its ports have brought, combined
/// (docs/systems/barrier-switch.md, Operation).
struct GroupData {
  std::uint8_t op = 0;     ///< operation, as in the control word
  std::uint8_t width = 6;  ///< bits of the data
  bool serial = false;     ///< one message a cycle: no data ever wait
  Ports folding = 0;       ///< ports whose data are still to be combined
  Ports chosen = 0;        ///< of these the one whose data are, at this edge; at most one
  fabric::Payload up;      ///< what has been combined so far
  std::array<fabric::Payload, kMaxPorts> latch{};  ///< data of the ports in `folding`

  /// No data ever wait.
  bool at_once() const { return serial || (op & 3) == 0; }
  /// The clock edge: the data of `ports`, by port, have come. True if some that had waited have
  /// been combined.
  bool edge(Ports ports, const fabric::Payload* data) {
    const bool folds = chosen != 0;
    if (folds) combine(latch[lowest(chosen)]);
    folding &= static_cast<Ports>(~chosen);
    chosen = static_cast<Ports>(folding & -folding);
    for_each_bit(ports, [&](std::uint32_t port) {
      if (at_once()) {
        combine(data[port]);
      } else {
        latch[port] = data[port];
        folding |= static_cast<Ports>(bit(port));
      }
    });
    return folds;
  }
  /// What leaves as the data of all that have been combined.
  fabric::Payload result() const { return fabric::payload_of(complemented(up)); }
  /// Nothing has come.
  void clear() {
    folding = chosen = 0;
    up = {};
  }

 private:
  fabric::Wide ones() const { return (fabric::Wide{1} << width) - 1; }
  fabric::Wide complemented(const fabric::Payload& data) const {
    return (op & 4) != 0 ? ones() ^ fabric::wide(data) : fabric::wide(data);
  }
  void combine(const fabric::Payload& data) {
    const fabric::Wide x = complemented(data), so_far = fabric::wide(up);
    const fabric::Wide next[] = {so_far | x, so_far ^ x, std::max(so_far, x),
                                 std::min(so_far + x, ones())};
    up = fabric::payload_of(next[op & 3]);
  }
};

/// The control word of a barrier register (docs/reference/registers.md).
struct Control {
  bool valid = false;
  bool reflect = false;  ///< root switch that answers by itself
  bool claimed = false;  ///< a mark of the writer, no effect
  std::uint8_t op = 0;
  std::uint8_t epoch = 0;  ///< of registers that repeat; 0 of others
  std::uint8_t parent = 0;
  std::uint16_t gid = 0;

  /// The parent has as many bits as the number `ports`, six at most.
  static Control of(std::uint32_t word, std::uint32_t gid_width, std::uint32_t ports) {
    return {
        .valid = has(word, 31),
        .reflect = has(word, 30),
        .claimed = has(word, 29),
        .op = static_cast<std::uint8_t>(word >> 26 & 7),
        .epoch = static_cast<std::uint8_t>(word >> 24 & 3),
        .parent = static_cast<std::uint8_t>(word >> 16 & 0x3f & (bit(std::bit_width(ports)) - 1)),
        .gid = static_cast<std::uint16_t>(word & (bit(gid_width) - 1))};
  }
  std::uint32_t word() const {
    return std::uint32_t{valid} << 31 | std::uint32_t{reflect} << 30 |
           std::uint32_t{claimed} << 29 | std::uint32_t{op} << 26 | std::uint32_t{epoch} << 24 |
           std::uint32_t{parent} << 16 | gid;
  }
};

/// The words of a register, or of the window on a group in block RAM, as the host sees them.
enum RegisterWord : std::uint32_t {
  kControlWord = 0,
  kStateWord = 1,
  kChildrenWord = 2,  ///< masks: of ports 0 to 31, in the next word of 32 to 63
  kArrivedWord = 4,
  kServeWord = 6,
  kFoldingWord = 8,
  kStragglerWord = 10,
  kLabelsWord = 12,      ///< of ports 0 to 7
  kUpperLabelsWord = 13  ///< of ports 8 to 15
};
inline constexpr std::uint32_t kRegisterWords = 16;
/// It is a word of a mask of `ports`, which has two above 32.
constexpr bool is_half(std::uint32_t word, std::uint32_t mask, std::uint32_t ports) {
  return word == mask || (ports > 32 && word == mask + 1);
}

/// What the host reads of a register, or of a group in block RAM.
struct RegisterWords {
  std::uint32_t control = 0, state = 0;
  std::uint64_t children = 0, arrived = 0, serve = 0, folding = 0;  ///< ports
  std::uint32_t straggler = 0;

  /// The word with this number, of a switch of so many ports.
  std::uint32_t at(std::uint32_t word, std::uint32_t ports) const {
    for (const auto& [first, mask] : {std::pair{kChildrenWord, children},
                                      {kArrivedWord, arrived},
                                      {kServeWord, serve},
                                      {kFoldingWord, folding}})
      if (is_half(word, first, ports)) return word_of(mask, word & 1);
    if (word == kControlWord) return control;
    if (word == kStateWord) return state;
    return word == kStragglerWord ? straggler : 0;
  }
};

/// What was written into a register last.
struct Written {
  Control control;
  Ports children = 0;
};

/// What is to be done with a message that has come.
enum class Fate : std::uint8_t { kTaken, kUnknown, kRefused };

/// The messages that a register has accepted in one cycle.
struct Arrivals {
  Ports reductions = 0;                   ///< ports
  const fabric::Payload* data = nullptr;  ///< of the reductions, by port
  bool distribution = false;
  fabric::Payload down;  ///< of the distribution
};

/// Who arrived last at the last barrier of a register, and how long the first had waited
/// (docs/systems/barrier-switch.md, Straggler).
struct Straggler {
  static constexpr std::uint32_t kMost = 0xffff;
  std::optional<std::uint32_t> waits;  ///< cycles since the first arrival, while others are missing
  std::uint32_t word = 0;              ///< as the host reads it

  /// The clock edge: reductions of `ports` are accepted, of several children.
  void edge(Ports ports, bool all_here) {
    if (waits)
      waits = std::min(*waits + 1, kMost);
    else if (ports != 0)
      waits = 0;
    if (!waits || !all_here) return;
    word = 1u << 31 | lowest(ports) << 16 | *waits;
    waits.reset();
  }
  bool counts() const { return waits && *waits != kMost; }
};

/// One barrier register (BTIN sections 3.1 and 3.2): combines the reduction messages of its
/// children into one for the parent, and replicates the parent's answer to them. Masks have one bit
/// a port.
///
/// Invariant while the host leaves `children` alone: `arrived` and `serve` are disjoint parts of
/// `children`, so upward and downward state of two consecutive barriers can overlap.
struct BarrierRegister : Control {
  using MessageType = fabric::MessageType;

  bool sent = false;   ///< reduction sent, distribution awaited
  bool fresh = false;  ///< has taken a message, or become full, at the last edge
  Ports children = 0;
  Ports arrived = 0;
  Ports serve = 0;       ///< children still to be released
  GroupData data;        ///< of those that have arrived
  fabric::Payload down;  ///< of the last release
  bool keeps_straggler = false;
  Straggler straggler;  ///< if so
  /// What its messages carry by port, in a switch with labels; else they carry the group.
  std::optional<std::array<std::uint8_t, kMaxPorts>> labels;

  bool all_here() const { return valid && children != 0 && arrived == children; }
  bool full() const { return all_here() && data.folding == 0; }
  /// Has something to do, whatever comes.
  bool busy() const { return data.folding != 0 || fresh || straggler.counts(); }

  /// The outputs at which a message of this register waits.
  Ports requests(std::uint32_t ports) const {
    if (!valid) return 0;
    const bool reduction = full() && !reflect && !sent && parent < ports;
    return static_cast<Ports>(serve | (reduction ? bit(parent) : 0u));
  }

  /// The message that waits at output `port`, one of requests().
  fabric::BarrierMessage message(std::uint32_t port) const {
    const std::uint32_t name = labels ? (*labels)[port] : gid;
    if (has(serve, port)) return {MessageType::kDistribution, name, down};
    return {MessageType::kReduction, name, data.result()};
  }

  /// Whether a message for this group is accepted at `port`.
  bool accepts(MessageType type, std::uint32_t port) const {
    if (type == MessageType::kReduction) return has(children, port) && !has(arrived | serve, port);
    return !reflect && port == parent && sent;
  }

  /// The clock edge: messages accepted on the state before it, and outputs through which a message
  /// of this register has left.
  void edge(const Arrivals& accepted, Ports departed) {
    const bool was_full = full(), was_here = all_here();
    // A message at an output that is served is a distribution, any other the reduction.
    const auto released = static_cast<Ports>(departed & serve);
    if (departed != released) sent = true;
    serve = static_cast<Ports>(serve & ~released);

    const bool folds = data.edge(accepted.reductions, accepted.data);
    arrived |= accepted.reductions;
    // All that had arrived before wait for the parent, not for children.
    if (keeps_straggler && !was_here) straggler.edge(accepted.reductions, all_here());
    // It reflects with what completes the barrier: the last arrivals, or the last data.
    const bool reflects = reflect && full() && (data.at_once() ? accepted.reductions != 0 : folds);
    fresh = !data.serial &&
            (accepted.distribution || accepted.reductions != 0 || (full() && !was_full));
    if (accepted.distribution || reflects) {
      down = accepted.distribution ? accepted.down : data.result();
      serve = children;
      arrived = 0;
      data.up = {};
      sent = false;
    }
  }

  /// Forgets the barrier under way.
  void clear() {
    arrived = serve = 0;
    sent = fresh = false;
    data.clear();
    down = {};
    straggler = {};
  }
  /// The host has written the labels of eight ports, `first` and those after it.
  void write_labels(std::uint32_t first, std::uint32_t value) {
    if (!labels) return;
    for (std::uint32_t p = 0; p < 8; ++p) (*labels)[first + p] = value >> 4 * p & 0xf;
  }
  /// The host has written the control word.
  void write(Control control) {
    control.epoch = 0;
    static_cast<Control&>(*this) = control;
    data.op = control.op;
  }
};

/// The registers of a switch that have a message for each output, and the round robin over them.
class OutputRequests {
 public:
  /// Outputs that have a candidate, and the register that it is.
  Ports ports() const { return ports_; }
  std::uint32_t candidate(std::uint32_t port) const {
    return round_robin(registers_[port], pointer_[port]);
  }
  /// Of the outputs `departed` those whose candidate is register r.
  Ports of(std::uint32_t r, Ports departed) const {
    std::uint64_t outputs = 0;
    for_each_bit(departed, [&](std::uint32_t port) {
      outputs |= std::uint64_t{candidate(port) == r} << port;
    });
    return static_cast<Ports>(outputs);
  }
  /// The candidates of the outputs `departed` have left, of `count` registers.
  void left(Ports departed, std::size_t count) {
    for_each_bit(departed, [&](std::uint32_t port) {
      pointer_[port] = static_cast<std::uint8_t>((candidate(port) + 1) % count);
    });
  }
  /// The requests of the next cycle.
  template <class Registers>
  void look(const Registers& registers, std::uint32_t ports) {
    registers_.fill(0);
    ports_ = 0;
    for (std::uint32_t r = 0; r < registers.size(); ++r) {
      const Ports requests = registers[r].requests(ports);
      ports_ |= requests;
      for_each_bit(requests, [&](std::uint32_t port) {
        registers_[port] |= static_cast<std::uint16_t>(bit(r));
      });
    }
  }

 private:
  Ports ports_ = 0;
  std::array<std::uint16_t, kMaxPorts> registers_{};  // by output
  std::array<std::uint8_t, kMaxPorts> pointer_{};     // by output
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
