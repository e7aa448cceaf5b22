// SPDX-License-Identifier: Apache-2.0
#include "models/model_library.hpp"
#include "muster/verif.hpp"
#include "support/test.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/nic/nic_registers.hpp"

// One NIC in lockstep against the examples and times of docs/systems/nic-engine.md and nic-link.md.
using namespace muster;

namespace regs = nic::registers;
using nic::NicType;

namespace {

/// What the NIC has put on its wires, with the cycle of its head.
struct Sent {
  std::uint64_t cycle;
  nic::NicMessage message;

  bool operator==(const Sent&) const = default;
};
using Event = std::pair<std::uint64_t, std::uint32_t>;  // cycle and word

constexpr std::uint32_t kNode = 5;

/// The NIC of node 5, with channel 0. Credits come back one cycle after the flit; its host takes
/// events at once.
class Bench {
 public:
  explicit Bench(const char* model = "nic4") {
    for (const nic::NicConfig& config : verif::listed("nic", nic::nic_config))
      if (config.name == model) bank_ = nic::nics_of(*engine_)->make_nics(config, 1, {});
    REQUIRE(bank_);
    bank_->write_register(0, regs::kAddress, regs::address_word(kNode, 0));
  }

  std::vector<Sent> sent;
  std::vector<Event> events;

  std::uint64_t cycle() const { return cycle_; }
  bool quiescent() const { return bank_->quiescent(0); }
  std::uint32_t read(std::uint32_t address) { return bank_->read_register(0, address); }

  /// On the register port in the first of so many cycles.
  void store(std::uint32_t address, std::uint32_t data, unsigned cycles = 1) {
    nic::HostWires& host = bank_->host(0);
    host.access = host.write = true;
    host.address = address;
    host.data = data;
    steps(cycles);
  }
  /// The doorbell that starts a barrier of context c.
  void start(std::uint32_t c, unsigned cycles = 1) {
    store(regs::doorbell(c), regs::kContextsDoorbellStarts.mask(), cycles);
  }
  /// A list for context c; then the context, collective, barrier `seq`.
  void load(std::uint32_t c, const std::vector<std::uint32_t>& list, std::uint32_t group,
            std::uint32_t seq) {
    for (std::uint32_t s = 0; s < list.size(); ++s) store(regs::entry(c, s), list[s]);
    store(regs::control(c), regs::control_word(group, seq, false));
  }
  /// The flits of a message follow on the wires, from the next step on.
  void send(const nic::NicMessage& message) {
    for (const core::Flit& flit : nic::nic_flits(message, 0)) send(flit);
  }
  void send(const core::Flit& flit) { coming_.push_back(flit); }

  void steps(unsigned count) {
    for (unsigned i = 0; i < count; ++i) step();
  }

 private:
  void step() {
    core::BlockWires& wires = bank_->wires(0);
    wires.rx_valid = !coming_.empty();
    if (!coming_.empty()) {
      bank_->rx(0, 0) = coming_.front();
      coming_.pop_front();
    }
    wires.tx_back = owed_ != 0;
    owed_ -= owed_ != 0;
    nic::HostWires& host = bank_->host(0);
    host.ready = true;
    if (host.event) events.push_back({cycle_, host.word});
    if (wires.tx_valid != 0) see(bank_->tx(0, 0));
    const std::uint32_t all[] = {0};
    bank_->clock(cycle_++, all);
    host.access = host.write = false;
  }
  void see(const core::Flit& flit) {
    ++owed_;
    if (flit.head()) head_ = cycle_;
    leaving_.push_back(flit);
    if (!flit.tail()) return;
    const auto message = nic::nic_message(leaving_);
    REQUIRE(message);
    sent.push_back({head_, *message});
    leaving_.clear();
  }

  std::shared_ptr<const fabric::BankFactory> engine_ = verif::make_lockstep_engine();
  std::unique_ptr<nic::NicBank> bank_;
  std::deque<core::Flit> coming_;
  std::vector<core::Flit> leaving_;
  std::uint64_t cycle_ = 0, head_ = 0;
  unsigned owed_ = 0;
};

/// Entries of a list; `slot` of the peer's.
std::uint32_t send_to(std::uint32_t peer, std::uint32_t slot, std::uint32_t next) {
  return 1u << 31 | next << 24 | slot << 16 | peer;
}
std::uint32_t wait_for(std::uint32_t peer, std::uint32_t slot, std::uint32_t next) {
  return next << 24 | slot << 16 | peer;
}
std::uint32_t last(std::uint32_t entry) { return entry | 1u << 30; }

nic::NicMessage to_node(NicType type, std::uint32_t source, std::uint8_t slot, std::uint8_t group,
                        std::uint8_t barrier, std::uint8_t packet = 0) {
  return {type, source, kNode, slot, group, barrier, packet};
}
nic::NicMessage from_node(NicType type, std::uint32_t destination, std::uint8_t slot,
                          std::uint8_t group, std::uint8_t barrier, std::uint8_t packet = 0) {
  return {type, kNode, destination, slot, group, barrier, packet};
}

constexpr std::uint32_t kPeer = 3;
constexpr std::uint8_t kGroup = 7;

/// Waits for node 3, then answers it: entry 1 of node 3 waits for entry 1 here.
const std::vector<std::uint32_t> kWaitAndSend = {wait_for(kPeer, 0, 1), last(send_to(kPeer, 1, 0))};
/// Sends, then waits for node 3.
const std::vector<std::uint32_t> kSendAndWait = {send_to(kPeer, 0, 1), last(wait_for(kPeer, 1, 0))};

/// An event without a write, and one whose descriptor counts event `slot` of a peer.
constexpr std::uint32_t event(std::uint32_t need, std::uint32_t next) {
  return need << 26 | next << 21;
}
constexpr std::uint32_t writes(std::uint32_t event, std::uint32_t peer, std::uint32_t slot) {
  return event | 1u << 31 | slot << 16 | peer;
}
/// Needs the doorbell and a STEP, then writes to event 1 of node 3.
const std::vector<std::uint32_t> kWaitAndWrite = {last(writes(event(2, 0), kPeer, 1))};
/// Writes; the chain and a STEP end it.
const std::vector<std::uint32_t> kWriteAndWait = {writes(event(1, 1), kPeer, 1), last(event(2, 0))};

constexpr std::uint32_t done(std::uint32_t context, std::uint32_t number) {
  return context << 16 | number;
}

/// A context that waits for a STEP, which comes: the answer goes `to_send` cycles after its tail,
/// the event is there `to_event` after it.
void check_triggered(const char* model, const std::vector<std::uint32_t>& list, unsigned to_send,
                     unsigned to_event) {
  Bench nic(model);
  nic.load(0, list, kGroup, 1);
  nic.start(0, 3);
  CHECK(nic.quiescent());
  nic.send(to_node(NicType::kStep, kPeer, 0, kGroup, 1));
  const std::uint64_t tail = nic.cycle() + 4;
  nic.steps(20);
  CHECK(nic.sent ==
        std::vector<Sent>{{tail + to_send, from_node(NicType::kStep, kPeer, 1, kGroup, 1)}});
  CHECK(nic.events == std::vector<Event>{{tail + to_event, done(0, 1)}});
  CHECK(nic.quiescent());
}

/// A doorbell sends after `to_send` cycles to entry `slot` of the peer, whose STEP then ends the
/// barrier, with the event four cycles after its tail.
void check_started(const char* model, const std::vector<std::uint32_t>& list, unsigned to_send,
                   std::uint8_t slot) {
  Bench nic(model);
  nic.load(1, list, kGroup, 2);
  const std::uint64_t bell = nic.cycle();
  nic.start(1, 20);
  CHECK(nic.sent ==
        std::vector<Sent>{{bell + to_send, from_node(NicType::kStep, kPeer, slot, kGroup, 2)}});
  CHECK(nic.quiescent());  // no timeout: it stands
  nic.send(to_node(NicType::kStep, kPeer, 1, kGroup, 2));
  const std::uint64_t tail = nic.cycle() + 4;
  nic.steps(12);
  CHECK(nic.events == std::vector<Event>{{tail + 4, done(1, 2)}});
}

/// A timer of nic4, whose round is 2 cycles, is not early and late by less than two rounds.
bool is_late(std::uint64_t cycle, std::uint64_t due) { return cycle >= due && cycle < due + 4; }

/// With a connection to node 9.
struct Linked : Bench {
  static constexpr std::uint32_t kPeer = 9;

  explicit Linked(std::uint32_t times = 0) {
    store(regs::kTimes, times);
    store(regs::connection(1), regs::connection_word(kPeer));
  }
  void give(std::uint32_t slot) { store(regs::kSend, regs::send_word(kPeer, slot, 20, 1)); }
};

}  // namespace

TEST_CASE("a STEP triggers the next five cycles after its tail, a remote write after four",
          "[rtl][nic]") {
  check_triggered("nic4", kWaitAndSend, 5, 5);
  check_triggered("nic4ev", kWaitAndWrite, 4, 4);
}

TEST_CASE("a doorbell sends after three cycles, or writes after four", "[rtl][nic]") {
  check_started("nic4", kSendAndWait, 3, 0);
  check_started("nic4ev", kWriteAndWait, 4, 1);
}

TEST_CASE("a silent peer is asked after T, then 2 T cycles, and declared dead", "[rtl][nic]") {
  Bench nic;
  nic.store(regs::kTimes, regs::times_word(10, 1, 0));
  nic.load(0, {last(wait_for(kPeer, 2, 0))}, kGroup, 1);
  const std::uint64_t bell = nic.cycle();
  nic.start(0, 60);
  REQUIRE(nic.sent.size() == 1);
  CHECK(is_late(nic.sent[0].cycle, bell + 1 + 10 + 2));
  CHECK(nic.sent[0].message == from_node(NicType::kNack, kPeer, 2, kGroup, 1));
  REQUIRE(nic.events.size() == 1);
  // The NACK is granted two cycles before its head; then 20 cycles, and the one in which it fails.
  CHECK(is_late(nic.events[0].first, nic.sent[0].cycle - 1 + 20 + 2));
  CHECK(nic.events[0].second == (1u << 29 | kPeer));
  CHECK(nic.quiescent());

  // Late is not lost: it goes on where it was.
  nic.send(to_node(NicType::kStep, kPeer, 0, kGroup, 1));
  nic.steps(8);
  nic.start(0, 8);
  REQUIRE(nic.events.size() == 2);
  CHECK(nic.events[1].second == done(0, 1));
}

TEST_CASE("a host's message is sent, acknowledged, and its token comes back", "[rtl][nic]") {
  Linked nic;
  const std::uint64_t bell = nic.cycle();
  nic.give(17);
  nic.give(18);
  nic.give(19);  // two tokens a connection
  nic.steps(20);
  CHECK(nic.read(regs::kRefused) == 1);
  REQUIRE(nic.sent.size() == 1);  // it stops and waits
  CHECK(nic.sent[0].cycle == bell + 4);
  CHECK(nic.sent[0].message == from_node(NicType::kData, Linked::kPeer, 17, 20, 1, 0));
  nic.send(to_node(NicType::kAck, Linked::kPeer, 17, 20, 1, 3));  // of no packet under way
  nic.send(to_node(NicType::kAck, Linked::kPeer, 17, 20, 1, 0));
  nic.steps(30);
  CHECK(nic.read(regs::kDrops) == 1u << 16);
  REQUIRE(nic.sent.size() == 2);
  CHECK(nic.sent[1].message == from_node(NicType::kData, Linked::kPeer, 18, 20, 1, 1));
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].second == (4u << 29 | 1u << 24));
}

TEST_CASE("a packet without ACK is sent again after T, 2 T, .. cycles, and then the peer is dead",
          "[rtl][nic]") {
  constexpr std::uint32_t kT = 20;
  Linked nic(regs::times_word(kT, 2, 0));
  nic.give(1);
  nic.give(2);
  nic.steps(250);
  REQUIRE(nic.sent.size() == 3);
  for (const Sent& s : nic.sent) CHECK(s.message == nic.sent[0].message);
  // From grant to grant: one cycle, the limit, and the one in which it wants again.
  CHECK(is_late(nic.sent[1].cycle, nic.sent[0].cycle + kT + 2));
  CHECK(is_late(nic.sent[2].cycle, nic.sent[1].cycle + 2 * kT + 2));
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].second == (5u << 29 | 1u << 24 | Linked::kPeer));
  CHECK(nic.read(regs::connection(1)) >> 27 == 0b11000);  // valid, dead, no tokens
  CHECK(nic.quiescent());
  nic.give(3);
  CHECK(nic.read(regs::kRefused) == 1);
  nic.store(regs::connection(1), regs::connection_word(Linked::kPeer));
  nic.give(4);
  nic.steps(10);
  CHECK(nic.sent.size() == 4);
}

TEST_CASE("a packet that a cut mark ends is malformed even if its CRC would fit", "[rtl][nic]") {
  Linked nic;
  std::uint32_t cut = 0;
  for (std::uint32_t group = 0; group < 256; ++group) {
    auto flits = nic::nic_flits(
        to_node(NicType::kData, Linked::kPeer, 17, static_cast<std::uint8_t>(group), 1, 0), 0);
    flits.back().kind = core::Flit::kHead | core::Flit::kTail;
    if (!flits.back().cut()) continue;
    for (const core::Flit& flit : flits) nic.send(flit);
    ++cut;
  }
  REQUIRE(cut > 2);
  nic.send(core::Flit::cut_mark(0));  // of no packet
  nic.steps(5 * cut + 20);
  CHECK(nic.sent.empty());
  CHECK(nic.events.empty());
  CHECK(nic.read(regs::kDrops) == cut);
  nic.send(to_node(NicType::kData, Linked::kPeer, 17, 20, 1, 0));
  nic.steps(20);
  CHECK(nic.sent.size() == 1);
  CHECK(nic.events.size() == 1);
}
