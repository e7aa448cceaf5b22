// SPDX-License-Identifier: Apache-2.0
#include "Vendpoint_v1.h"
#include "Vendpoint_v2.h"
#include "Vendpoint_v3.h"
#include "rtl/clocked.hpp"
#include "rtl/wrap/endpoint_reference.hpp"

// Every output of an endpoint in every cycle, against endpoint_reference.hpp.
using namespace muster;
using namespace muster::test;
using namespace muster::test::endpoint;

namespace {

/// A model and what CMakeLists.txt has it made of.
template <class M, Sizes S>
struct Endpoint {
  using Model = M;
  static constexpr Sizes kSizes = S;
};
using One = Endpoint<Vendpoint_v1, Sizes{1, 1, 16, 1, false, 64, 0}>;
using Three = Endpoint<Vendpoint_v2, Sizes{2, 4, 32, 3, true, 50000, 200}>;
using Eight = Endpoint<Vendpoint_v3, Sizes{3, 2, 20, 8, false, 32768, 1, 9}>;

/// Percent of cycles: a beat is offered, one received is taken, a credit comes back, a flit comes,
/// the register port is used; of writes, those that are no arrivals; of packets and messages, those
/// with something wrong.
struct EndpointMix {
  unsigned offers, takes, credits, flits, accesses, sets, bad;
};

/// An endpoint and its reference, with the same inputs: all that a user, a host and a switch may
/// do, each at random.
template <class T>
class EndpointLockstep {
 public:
  explicit EndpointLockstep(std::uint64_t seed)
      : rng_(seed),
        dut_(seed),
        reference_(kSizes),
        owed_(kSizes.channels),
        credits_(kSizes.channels, kSizes.depth) {
    dut_->s_axis_tvalid_i = dut_->m_axis_tready_i = dut_->reg_valid_i = 0;
    dut_->tx_credit_i = dut_->rx_valid_i = 0;
    dut_.reset();
  }

  /// A write in a cycle in which nothing else happens.
  void write(unsigned address, std::uint32_t word) {
    forced_ = Access{true, true, address, word};
    cycle({0, 0, 0, 0, 0, 0, 0});
    forced_.reset();
  }
  /// Makes each group a member, with its number as identifier.
  void join() {
    for (unsigned g = 0; g < kSizes.groups; ++g) {
      write(0x042 + 8 * g, 1u << 8);  // an arrival is given up, and none is left in the tree
      write(0x042 + 8 * g, 1u << 9);
      write(0x040 + 8 * g, 0);
    }
    for (unsigned g = 0; g < kSizes.groups; ++g) write(0x040 + 8 * g, 1u << 31 | g);
  }
  void run(int cycles, const EndpointMix& mix) {
    for (int i = 0; i < cycles; ++i) cycle(mix);
  }

  std::uint32_t status(unsigned g) const { return reference_.registers().read(0x042 + 8 * g); }
  std::uint32_t drops() const { return reference_.registers().read(0x010); }
  std::uint32_t stream_drops() const { return reference_.registers().read(0x011); }

  int beats = 0, messages = 0, quiet = 0, drained = 0;

 private:
  static constexpr Sizes kSizes = T::kSizes;

  void cycle(const EndpointMix& mix) {
    In in;
    in.beat = offer(mix);
    in.takes = chance(mix.takes);
    in.credits = credits_back(mix);
    in.flit = comes(mix);
    in.access = forced_.value_or(access(mix));
    set(in);
    dut_.settle();
    compare(in);
    if (in.beat && dut_->s_axis_tready_o) {
      ++beats;
      offered_.reset();
    }
    watch_link();
    reference_.edge(in);
    dut_.edge();
  }

  void set(const In& in) {
    dut_->s_axis_tvalid_i = in.beat.has_value();
    const Beat beat = in.beat.value_or(Beat{});
    dut_->s_axis_tid_i = beat.vc;
    dut_->s_axis_tdest_i = beat.dest;
    dut_->s_axis_tuser_i = beat.opcode;
    dut_->s_axis_tdata_i = beat.data;
    dut_->s_axis_tlast_i = beat.last;
    dut_->m_axis_tready_i = in.takes;
    dut_->tx_credit_i = in.credits;
    dut_->rx_valid_i = in.flit.has_value();
    // Without a flit the wires have anything.
    const Flit flit = in.flit.value_or(Flit{below(kSizes.channels), below(8), payload()});
    dut_->rx_vc_i = flit.vc;
    dut_->rx_kind_i = flit.kind;
    dut_->rx_payload_i = flit.payload;
    dut_->reg_valid_i = in.access.valid;
    dut_->reg_write_i = in.access.write;
    dut_->reg_addr_i = in.access.address;
    dut_->reg_wdata_i = in.access.word;
  }

  void compare(const In& in) {
    REQUIRE(dut_->s_axis_tready_o == reference_.ready());
    const auto received = reference_.received();
    REQUIRE(dut_->m_axis_tvalid_o == received.has_value());
    if (received) {
      const Beat beat{dut_->m_axis_tid_o, dut_->m_axis_tdest_o, dut_->m_axis_tuser_o,
                      dut_->m_axis_tdata_o, dut_->m_axis_tlast_o != 0};
      REQUIRE((beat == *received));
    }
    const auto& sent = reference_.on_wires();
    REQUIRE(dut_->tx_valid_o == sent.has_value());
    if (sent) {
      REQUIRE(dut_->tx_kind_o == sent->kind);
      REQUIRE(dut_->tx_payload_o == sent->payload);
      if (sent->kind != kSync) REQUIRE(dut_->tx_vc_o == sent->vc);
    }
    REQUIRE(dut_->rx_credit_o == reference_.credits());
    const bool reads = in.access.valid && !in.access.write;
    REQUIRE(dut_->reg_rdata_o == (reads ? reference_.registers().read(in.access.address) : 0));
    REQUIRE(dut_->irq_o == reference_.registers().interrupt());
    REQUIRE(dut_->quiescent_o == reference_.quiescent());
    quiet += reference_.quiescent();
    drained += status(0) >> 4 & 1;
  }

  /// A beat that is offered stays until it is taken; its last mark ends the packet.
  std::optional<Beat> offer(const EndpointMix& mix) {
    if (!offered_ && chance(mix.offers)) {
      const unsigned ids = kSizes.channels > 2 ? 4 : 2;
      offered_ = Beat{chance(mix.bad) ? below(ids) : below(kSizes.channels),
                      chance(mix.bad) ? below(65536) : below(kSizes.dests),
                      chance(mix.bad) ? 31
                      : chance(50)    ? 1
                                      : below(31),
                      payload(), chance(25)};
    }
    return offered_;
  }
  unsigned credits_back(const EndpointMix& mix) {
    unsigned credits = 0;
    for (unsigned v = 0; v < kSizes.channels; ++v) {
      if (owed_[v] == 0 || !chance(mix.credits)) continue;
      --owed_[v];
      credits |= 1u << v;
    }
    if (!pocket_owed_ || !chance(mix.credits)) return credits;
    pocket_owed_ = false;
    return credits | 1u << kSizes.channels;
  }
  /// The switch: what the endpoint has put on the wires, and the credits that come from it.
  void watch_link() {
    const auto& sent = reference_.on_wires();
    if (sent && sent->kind == kSync) {
      ++messages;
      pocket_owed_ = kSizes.pocket;
    } else if (sent) {
      ++owed_[sent->vc];
    }
    for (unsigned v = 0; v < kSizes.channels; ++v) credits_[v] += reference_.credits() >> v & 1;
    own_pocket_ = own_pocket_ || (reference_.credits() >> kSizes.channels & 1) != 0;
  }

  /// A flit of a packet with a credit, or a message with that of the pocket.
  std::optional<Flit> comes(const EndpointMix& mix) {
    if (!chance(mix.flits)) return std::nullopt;
    if (chance(40) && (own_pocket_ || !kSizes.pocket)) {
      own_pocket_ = false;
      return Flit{below(kSizes.channels), kSync | (chance(5) ? below(4) : 0), message(mix)};
    }
    const unsigned v = below(kSizes.channels);
    if (credits_[v] == 0) return std::nullopt;
    --credits_[v];
    if (chance(mix.bad) && !inside_[v])  // no head, or a head alone
      return Flit{v, chance(50) ? kHead | kTail : below(2), payload()};
    if (!inside_[v]) {
      inside_[v] = true;
      return Flit{v, kHead, head()};
    }
    inside_[v] = !chance(30);
    if (!inside_[v] && chance(mix.bad)) return Flit{v, kHead | kTail, payload() | 31 << 11};
    return Flit{v, inside_[v] ? 0 : kTail, payload()};
  }
  /// Often for the address that the endpoint checks, or one bit beside it.
  std::uint64_t head() {
    const unsigned own = reference_.registers().address();
    unsigned dest = chance(50) ? own : chance(50) ? own ^ 1u << below(16) : below(65536);
    const std::uint64_t junk = kSizes.flit_w > 21 ? payload() >> 21 << 21 : 0;
    return ((dest & 0x7FF) | below(32) << 11 | std::uint64_t{dest >> 11} << 16 | junk) & kMask;
  }
  /// Mostly a distribution of a group that waits, or one bit beside it.
  std::uint64_t message(const EndpointMix& mix) {
    unsigned g = below(kSizes.groups);
    for (unsigned i = 1; i < kSizes.groups && (status(g) & 1) == 0; ++i)
      g = (g + 1) % kSizes.groups;
    unsigned gid = reference_.registers().read(0x040 + 8 * g) & 0xff;
    if (chance(mix.bad)) gid ^= 1u << below(8);
    const std::uint64_t type = chance(mix.bad) ? below(4) : 1;
    return (type << kSizes.gid_w | gid) << kSizes.data_w() | (payload() & kSizes.data_mask());
  }

  /// A read, an arrival, or a write that sets something up or clears it.
  Access access(const EndpointMix& mix) {
    const unsigned g = below(kSizes.groups);
    if (!chance(mix.accesses)) return {false, chance(50), address(), word()};
    if (chance(45)) return {true, false, address(), word()};
    if (!chance(mix.sets)) return {true, true, 0x041 + 8 * g, word()};
    const unsigned what = below(100);
    if (what < 45) return {true, true, 0x042 + 8 * g, chance(25) ? word() : word() & ~0x300u};
    if (what < 55) return {true, true, 0x040 + 8 * g, control(g)};
    if (chance(20)) return {true, true, 0x008, own_address()};
    return {true, true, address_to_write(), word()};
  }
  /// A word that there is, one bit beside it, or any.
  unsigned address() {
    const unsigned fixed[] = {0x000, 0x001, 0x002, 0x003, 0x008, 0x010, 0x011};
    const unsigned some =
        chance(40) ? fixed[below(7)] : 0x040 + 8 * below(kSizes.groups) + below(8);
    return chance(60) ? some : chance(70) ? some ^ 1u << below(12) : below(4096);
  }
  /// Not a control word, and seldom the drops: they would be cleared too often.
  unsigned address_to_write() {
    const unsigned some = address();
    if (some >= 0x040 && some < 0x080 && some % 8 == 0) return some ^ 0x200;
    return some / 2 == 0x010 / 2 && chance(80) ? 0x012 : some;
  }
  /// Mostly one that a head can have.
  std::uint32_t own_address() {
    const unsigned above = kSizes.flit_w < 21 ? 0xFFFFu << (kSizes.flit_w - 5) & 0xFFFF : 0;
    return word() & ~(chance(80) ? above : 0);
  }
  /// Often the identifier that the group has, seldom that of another one, or too wide.
  std::uint32_t control(unsigned g) {
    const unsigned like = chance(80) ? g : below(kSizes.groups);
    const std::uint32_t gid = chance(40) ? reference_.registers().read(0x040 + 8 * like) & 0xff
                                         : (below(256) & ~7u) | like;
    return (chance(90) ? 1u << 31 : 0) | below(2) << 30 | below(1 << 18) << 12 |
           (chance(95) ? 0 : below(16) << 8) | gid;
  }

  bool chance(unsigned percent) { return rng_.below(100) < percent; }
  unsigned below(unsigned limit) { return static_cast<unsigned>(rng_.below(limit)); }
  std::uint32_t word() { return rng_.word(); }
  std::uint64_t payload() { return rng_.next() & kMask; }
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << kSizes.flit_w) - 1;

  Random rng_;
  Clocked<typename T::Model> dut_;
  Reference reference_;
  std::optional<Access> forced_;  // of this cycle
  std::optional<Beat> offered_;
  std::vector<unsigned> owed_, credits_;  // of the switch's queues, of the endpoint's
  std::vector<char> inside_ = std::vector<char>(kSizes.channels, 0);  // a packet to the endpoint
  bool pocket_owed_ = false, own_pocket_ = true;
};

}  // namespace

TEMPLATE_TEST_CASE("an endpoint is as its specification in every cycle", "[rtl][wrap]", One, Three,
                   Eight) {
  int beats = 0, messages = 0, quiet = 0, drained = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    EndpointLockstep<TestType> lockstep(muster_seed() + i);
    lockstep.run(4000, {100, 100, 100, 100, 50, 35, 5});
    lockstep.run(4000, {40, 30, 30, 60, 30, 35, 5});
    lockstep.run(2000, {100, 5, 5, 100, 50, 35, 20});
    lockstep.run(4000, {5, 100, 100, 10, 20, 35, 5});
    lockstep.run(2000, {0, 100, 100, 60, 100, 50, 50});
    beats += lockstep.beats;
    messages += lockstep.messages;
    quiet += lockstep.quiet;
    drained += lockstep.drained;
  }
  CHECK(beats > 5000);
  CHECK(messages > 500);
  CHECK(quiet > 500);
  CHECK(drained > 50);
}

TEMPLATE_TEST_CASE("an endpoint counts each event up to 255, each group's barriers modulo 65 536",
                   "[rtl][wrap]", One, Three) {
  EndpointLockstep<TestType> lockstep(muster_seed());
  lockstep.run(4000, {100, 100, 100, 100, 50, 35, 5});
  lockstep.join();
  // Refused: the identifier is too wide.
  for (int i = 0; i < 300; ++i) lockstep.write(0x040, 1u << 31 | 1u << 8);
  // So few beats that a sender is often ended for its pause.
  const EndpointMix mix{TestType::kSizes.timeout > 0 ? 1u : 5u, 100, 100, 100, 100, 0, 10};
  std::set<unsigned> half, whole;  // groups that have counted so far
  for (int hundreds = 0; whole.size() < TestType::kSizes.groups; ++hundreds) {
    REQUIRE(hundreds < 20000);
    lockstep.run(100, mix);
    for (unsigned g = 0; g < TestType::kSizes.groups; ++g) {
      const bool second = lockstep.status(g) >> 16 >= 32768;
      if (second) half.insert(g);
      if (!second && half.count(g) != 0) whole.insert(g);
    }
  }
  CHECK(lockstep.drops() == 0xFFFFFFFF);
  CHECK(lockstep.stream_drops() == (TestType::kSizes.timeout > 0 ? 0xFFFFFFFF : 0xFFFF00FF));
}
