// SPDX-License-Identifier: Apache-2.0
#include "Vmany_unit_g16.h"
#include "Vmany_unit_g16___024root.h"
#include "rtl/clocked.hpp"

using namespace muster;

namespace {

constexpr unsigned kPorts = 3, kGroups = 16, kFlitW = 16, kDataW = kFlitW - 2 - 6,
                   kWordW = 1 + 6 + 2 + 2 * kPorts + kDataW + 1;
constexpr unsigned kControl = 1, kChildren = 2, kSelect = 4;

/// The unit by hand; what it drops is kept.
class Bench {
 public:
  explicit Bench(std::uint64_t seed) : dut_(seed) { idle(); }
  /// The clock edge, with idle inputs after it.
  void edge() {
    dut_.settle();
    unknown_ |= dut_->unknown_o;
    sent_ |= dut_->send_o;
    wrong_ += dut_->wrong_o;
    dut_.edge();
    idle();
  }
  void reset() {
    dut_.reset();
    unknown_ = sent_ = wrong_ = 0;
  }
  void write(unsigned what, std::uint32_t value) {
    dut_->host_write_i = static_cast<std::uint8_t>(what);
    dut_->wdata_i = value;
    edge();
  }
  std::uint32_t read(unsigned word) {
    dut_->read_i = 1;
    dut_->read_register_i = static_cast<std::uint8_t>(word / 16);
    dut_->read_word_i = static_cast<std::uint8_t>(word % 16);
    dut_.settle();
    const std::uint32_t value = dut_->word_o;
    dut_->read_i = 0;
    return value;
  }
  /// A reduction of the group on the wires of port 0 in this cycle.
  void arrive(std::uint32_t gid) {
    dut_->msg_i = 1;
    dut_->msg_payload_i = std::uint64_t{gid} << kDataW;
  }
  bool busy() {
    dut_.settle();
    return dut_->busy_o;
  }
  bool clearing() { return read(16) >> 31 != 0; }
  /// Port 0 is the child and port 2 the parent.
  void load(std::uint32_t gid) {
    write(kSelect, gid);
    write(kChildren, 1);
    write(kControl, 1u << 31 | 2u << 16);
  }
  std::uint32_t unknown() const { return unknown_; }
  std::uint32_t sent() const { return sent_; }
  unsigned wrong() const { return wrong_; }
  /// Changes a bit in the memory: of a word, the highest is its parity, or behind these of `done`.
  void damage(std::uint32_t gid, unsigned bit) {
    if (bit < kWordW)
      dut_->rootp->muster_many_unit__DOT__memory__DOT__words[gid] ^= 1u << bit;
    else
      dut_->rootp->muster_many_unit__DOT__memory__DOT__dones[gid] ^= 1u << (bit - kWordW);
  }

 private:
  void idle() {
    dut_->msg_i = 0;
    dut_->host_write_i = 0;
    dut_->leaves_i = 0;
    dut_->read_i = 0;
  }
  muster::test::Clocked<Vmany_unit_g16> dut_;
  std::uint32_t unknown_ = 0, sent_ = 0;
  unsigned wrong_ = 0;
};

}  // namespace

TEST_CASE("groups in block RAM are gone after a reset, and there again when they are written",
          "[rtl][many]") {
  Bench bench(muster_seed());
  for (unsigned i = 0; i < kGroups; ++i) {
    CHECK(bench.clearing());
    CHECK(bench.busy());
    bench.edge();
  }
  CHECK_FALSE(bench.clearing());
  CHECK_FALSE(bench.busy());
  for (const std::uint32_t gid : {0u, 7u, 15u}) {
    CAPTURE(gid);
    bench.reset();
    for (unsigned i = 0; i < kGroups; ++i) bench.edge();
    bench.load(gid);
    CHECK(bench.read(0) == (1u << 31 | 2u << 16 | gid));
    bench.edge();
    bench.arrive(gid);
    for (int i = 0; i < 3; ++i) bench.edge();
    CHECK(bench.sent() == 0b100);
    CHECK(bench.unknown() == 0);
    // In the middle of a barrier, with a message that waits.
    bench.reset();
    for (unsigned i = 0; i < kGroups; ++i) {
      bench.arrive(gid);  // no group is there in any cycle of the clearing
      bench.edge();
    }
    bench.edge();
    CHECK(bench.unknown() == 1);
    CHECK(bench.sent() == 0);
    for (std::uint32_t g = 0; g < kGroups; ++g) {
      bench.write(kSelect, g);
      CHECK(bench.read(0) == g);
      CHECK((bench.read(1) | bench.read(2) | bench.read(4) | bench.read(6)) == 0);
    }
  }
}

TEST_CASE("what the host writes while the memory is cleared is ignored", "[rtl][many]") {
  for (unsigned late = 0; late <= kGroups + 3; ++late) {
    CAPTURE(late);
    Bench bench(muster_seed());
    for (unsigned i = 0; i < late; ++i) bench.edge();
    bench.load(5);  // three writes
    for (unsigned i = 0; i < kGroups + 3; ++i) bench.edge();
    bench.write(kSelect, 5);
    const bool children = late + 1 >= kGroups, control = late + 2 >= kGroups;
    const bool selected = late >= kGroups;  // else they are those of group 0
    CHECK(bench.read(2) == (children && selected ? 1 : 0));
    CHECK(bench.read(0) == ((control && selected ? 1u << 31 | 2u << 16 : 0) | 5));
    bench.write(kSelect, 0);
    CHECK(bench.read(2) == (children && !selected ? 1 : 0));
  }
}

TEST_CASE("a group with a damaged word has come to an end, and its unit says so", "[rtl][many]") {
  Bench bench(muster_seed());
  for (unsigned bit = 0; bit < kWordW + 2; ++bit) {
    CAPTURE(bit);
    bench.reset();
    for (unsigned i = 0; i < kGroups; ++i) bench.edge();
    for (const std::uint32_t gid : {5u, 6u}) bench.load(gid);
    bench.damage(5, bit);
    const auto arrives = [&](std::uint32_t gid) {
      bench.arrive(gid);
      for (int i = 0; i < 3; ++i) bench.edge();
    };
    arrives(5);
    CHECK(bench.wrong() == 1);
    CHECK(bench.unknown() == 1);
    CHECK(bench.sent() == 0);
    bench.write(kSelect, 5);
    CHECK((bench.read(0) >> 31 | bench.read(2)) == 0);
    arrives(6);
    CHECK(bench.sent() == 0b100);
    // Written again it is a group, unless the bit `done` is damaged, which a message writes.
    bench.load(5);
    const unsigned before = bench.wrong();
    arrives(5);
    CHECK((bench.wrong() == before) == (bit < kWordW));
    bench.write(kSelect, 5);
    CHECK((bench.read(0) >> 31 != 0) == (bit < kWordW));
  }
}
