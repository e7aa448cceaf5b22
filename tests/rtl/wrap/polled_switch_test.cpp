// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "Vapb_switch.h"
#include "Vaxi_lite_switch.h"
#include "Vpolled_switch.h"
#include "muster/core/rng.hpp"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

/// A switch behind a bus that is never idle: requests by packet are answered in time nevertheless,
/// if they are whole.

namespace {

constexpr unsigned kFlitW = 16, kDepth = 2, kDests = 16, kCycles = 3000;
constexpr unsigned kTail = 1, kHead = 2;  // bits of a flit's kind
constexpr std::uint32_t kSelf = 9, kNode = 3, kControl = 0x040, kChildren = 0x041, kHold = 0x007;
constexpr std::uint32_t kClaimed = 1u << 29;
constexpr std::uint32_t kMark = 31u << 11;  // the word of a cut mark
constexpr std::uint32_t kDropCounts = 0x004, kAgentDrops = 0x020;
constexpr std::uint32_t kMalformed = 1u << 24 | 1u << 20;  // one, at port 0
constexpr unsigned kDone = 0, kBusy = 4;
constexpr unsigned kAlone = 8;              // cycles from the tail of a request to its answer
constexpr unsigned kLongest = kAlone + 22;  // whatever the host does

/// What stands on the register port in a cycle.
struct Access {
  bool valid = false, write = false;
  std::uint32_t address = 0, word = 0;
};

/// Requests by packet at port 0, one after the other, each a write of the control word over what
/// the last one has left; answers leave through port 2. `Host` is what is on the register port.
template <class Host>
class Polled {
 public:
  Polled() {
    clear();
    dut_.reset();
    for (unsigned entry = 0; entry < kDests; ++entry) {  // the table is swept
      dut_.settle();
      dut_.edge();
    }
    put_register(0x800 + kSelf, 1u << 16);
    put_register(0x800 + kNode, 1u << 2);
    put_register(0x005, 1);
  }

  void run() {
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      clear();
      if (dut_->tx_valid_o >> 2 & 1) receive(cycle);
      credits_ += dut_->rx_credit_o & 1;
      if (!waits_ && credits_ > 0) send(cycle);
      REQUIRE((!waits_ || cycle - tail_ <= kLongest));
      host.drive();
      const Access access = host.access();
      dut_->reg_valid_i = access.valid;
      dut_->reg_write_i = access.write;
      dut_->reg_addr_i = static_cast<std::uint16_t>(access.address);
      dut_->reg_wdata_i = access.word;
      dut_.settle();
      used += access.valid;
      host.answer(dut_->reg_rdata_o);
      dut_.edge();
      dut_.settle();
    }
  }

  /// A request at port 0 whose last flit is a cut mark; then a mark alone.
  void cut() {
    const std::uint32_t flits[] = {kSelf | 1u << 11, kNode, 0x8000u | kControl, 0, 0, 7, kMark};
    for (unsigned i = 0; i < 8; ++i) {
      dut_->rx_valid_i = 1;
      dut_->rx_kind_i = i == 0 ? kHead : i < 6 ? 0 : kHead | kTail;
      dut_->rx_payload_i = i < 7 ? flits[i] : kMark;
      for (bool sent = false, back = false; !back; sent = true) {
        if (sent) clear();
        dut_.settle();
        REQUIRE(dut_->tx_valid_o == 0);
        dut_.edge();
        dut_.settle();
        back = dut_->rx_credit_o & 1;
      }
      clear();
    }
    for (unsigned i = 0; i < 2 * kLongest; ++i) {
      dut_.settle();
      REQUIRE(dut_->tx_valid_o == 0);
      dut_.edge();
    }
  }
  std::uint32_t register_at(std::uint32_t address) {
    dut_->reg_valid_i = 1;
    dut_->reg_write_i = 0;
    dut_->reg_addr_i = static_cast<std::uint16_t>(address);
    dut_.settle();
    const std::uint32_t word = dut_->reg_rdata_o;
    clear();
    return word;
  }

  Host host;
  unsigned done = 0, busy = 0, longest = 0, used = 0;

 private:
  void clear() {
    dut_->rx_valid_i = dut_->rx_vc_i = 0;
    dut_->rx_kind_i = 0;
    dut_->rx_payload_i = 0;
    dut_->tx_credit_i = 0;
    dut_->reg_valid_i = dut_->reg_write_i = 0;
  }
  void put_register(std::uint32_t address, std::uint32_t word) {
    dut_->reg_valid_i = dut_->reg_write_i = 1;
    dut_->reg_addr_i = static_cast<std::uint16_t>(address);
    dut_->reg_wdata_i = word;
    dut_.settle();
    dut_.edge();
    clear();
    dut_.settle();
  }
  /// The next flit of the request.
  void send(unsigned cycle) {
    const std::uint32_t fresh = word_ ^ kClaimed;
    const std::uint32_t flits[] = {kSelf | 1u << 11, kNode,       0x8000u | kControl,
                                   word_ & 0xffff,   word_ >> 16, fresh & 0xffff,
                                   fresh >> 16};
    --credits_;
    dut_->rx_valid_i = 1;
    dut_->rx_kind_i = (next_ == 0 ? kHead : 0) | (next_ == 6 ? kTail : 0);
    dut_->rx_payload_i = flits[next_];
    if (++next_ < 7) return;
    next_ = 0;
    waits_ = true;
    tail_ = cycle;
  }
  void receive(unsigned cycle) {
    dut_->tx_credit_i = 1u << 2;
    answer_.push_back(static_cast<std::uint32_t>(dut_->tx_payload_o >> (2 * kFlitW) & 0xffff));
    if (answer_.size() == 1) longest = std::max(longest, cycle - tail_);
    if (answer_.size() < 5) return;
    const unsigned status = answer_[2] >> 12;
    const std::uint32_t before = answer_[3] | answer_[4] << 16;
    REQUIRE((status == kDone || status == kBusy));
    REQUIRE(before == (status == kDone ? word_ : 0));
    if (status == kDone) word_ ^= kClaimed;
    ++(status == kDone ? done : busy);
    answer_.clear();
    waits_ = false;
  }

  Clocked<Vpolled_switch> dut_{muster_seed()};
  std::uint32_t word_ = 0;
  std::vector<std::uint32_t> answer_;
  unsigned credits_ = kDepth, next_ = 0, tail_ = 0;
  bool waits_ = false;
};

/// Registers behind a bus.
template <class Model>
struct Bus {
  Clocked<Model> bus{muster_seed()};
  bool writes = false;  // every other access, of an address beside
  Access access() {
    return {bus->reg_valid_o != 0, bus->reg_write_o != 0, bus->reg_addr_o, bus->reg_wdata_o};
  }
  void answer(std::uint32_t word) {
    bus->reg_rdata_i = word;
    bus.settle();
    bus.edge();
  }
};

/// APB back to back: set up, done, set up, done.
struct Apb : Bus<Vapb_switch> {
  unsigned step = 0;

  Apb() { bus->psel_i = bus->penable_i = 0, bus->pstrb_i = 15; }
  void drive() {
    bus->psel_i = 1;
    bus->penable_i = step % 2;
    bus->pwrite_i = writes && step / 2 % 2 != 0;
    bus->paddr_i = bus->pwrite_i ? 4 * kHold : 4 * kControl;
    bus->pwdata_i = 0;
    ++step;
    bus.settle();
  }
};

/// AXI4-Lite with arvalid held, and with awvalid and wvalid if `writes`.
struct AxiLite : Bus<Vaxi_lite_switch> {
  AxiLite() {
    bus->arvalid_i = bus->awvalid_i = bus->wvalid_i = 0;
    bus->rready_i = bus->bready_i = 1;
  }
  void drive() {
    bus->arvalid_i = 1;
    bus->araddr_i = 4 * kControl;
    bus->awvalid_i = bus->wvalid_i = writes;
    bus->awaddr_i = 4 * kHold;
    bus->wdata_i = 0;
    bus->wstrb_i = 15;
    bus.settle();
  }
};

/// A host at the register port itself.
struct Direct {
  Access every;            // in each cycle
  unsigned percent = 100;  // or so many of them
  Rng rng{muster_seed()};
  void drive() {}
  Access access() { return rng.below(100) < percent ? every : Access{}; }
  void answer(std::uint32_t) {}
};

}  // namespace

TEMPLATE_TEST_CASE("a bus that polls as fast as it can delays an answer by one cycle at most",
                   "[rtl][wrap]", Apb, AxiLite) {
  Polled<TestType> polled;
  polled.run();
  CHECK(polled.used > 2 * kCycles / 5);
  CHECK(polled.done > kCycles / 25);
  CHECK(polled.busy == 0);
  CHECK(polled.longest <= kAlone + 1);
}

TEMPLATE_TEST_CASE("a bus that reads and writes other registers all the time delays answers little",
                   "[rtl][wrap]", Apb, AxiLite) {
  Polled<TestType> polled;
  polled.host.writes = true;
  polled.run();
  CHECK(polled.used > 2 * kCycles / 5);
  CHECK(polled.done > kCycles / 30);
  CHECK(polled.busy == 0);
  CHECK(polled.longest <= kAlone + 4);
}

TEST_CASE("a host that takes every cycle of the register port gets answers that say so",
          "[rtl][wrap]") {
  Polled<Direct> polled;
  SECTION("reads") { polled.host.every = {true, false, kChildren, 0}; }
  SECTION("writes") { polled.host.every = {true, true, kHold, 0}; }
  SECTION("writes of the word itself") { polled.host.every = {true, true, kControl, 0}; }
  polled.run();
  CHECK(polled.done == 0);
  CHECK(polled.busy > kCycles / 30);
}

TEST_CASE("a host that is there in most cycles delays answers, within the bound", "[rtl][wrap]") {
  Polled<Direct> polled;
  polled.host.percent = 80;
  SECTION("reads") { polled.host.every = {true, false, kChildren, 0}; }
  SECTION("writes") { polled.host.every = {true, true, kHold, 0}; }
  polled.run();
  CHECK(polled.done > 20);
  CHECK(polled.busy > 0);
}

TEST_CASE("a request that a cut mark ends is malformed, and a mark alone is dropped",
          "[rtl][wrap]") {
  Polled<Direct> polled;
  polled.cut();
  CHECK(polled.register_at(kControl) == 0);
  CHECK(polled.register_at(kAgentDrops) == kMalformed);
  CHECK(polled.register_at(kDropCounts) == 1u << 16);  // headless; none without a route
  polled.run();
  CHECK(polled.done > 20);
}
