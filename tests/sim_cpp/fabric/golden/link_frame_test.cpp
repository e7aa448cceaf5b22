// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "fabric/golden/link_bank.hpp"
#include "fabric/golden/link_end.hpp"
#include "fabric/link_bank.hpp"
#include "fabric/link_config.hpp"

namespace muster::test {

/// Two golden ends on wires of a latency, and in which cycles something is on their outputs.
class LinkEnds {
 public:
  LinkEnds(const fabric::LinkConfig& config, std::uint32_t latency)
      : latency_(latency),
        ends_{golden::GoldenLinkBank(config, 1), golden::GoldenLinkBank(config, 1)} {
    for (auto& pipe : wires_) pipe.resize(latency - 1);
  }

  std::uint64_t cycle() const { return cycle_; }
  std::uint32_t status(unsigned side) {
    return ends_[side].read_register(0, fabric::link_registers::kStatus);
  }
  fabric::link_registers::LinkState state(unsigned side) {
    return fabric::link_registers::state(status(side));
  }
  std::uint32_t lost(unsigned side) { return fabric::link_registers::kStatusLost.of(status(side)); }
  void write(unsigned side, std::uint32_t value) {
    ends_[side].request(
        {.write = true, .address = fabric::link_registers::kStatus, .value = value});
  }
  /// In this cycle.
  void flit(unsigned side, const core::Flit& flit) {
    ends_[side].rx(0, fabric::LinkBank::kBlockPort) = flit;
    ends_[side].wires(0).rx_valid |= 1u << fabric::LinkBank::kBlockPort;
  }
  void credit(unsigned side, unsigned classes) { ends_[side].wires(0).tx_back = classes; }
  bool lose = false;  ///< what is on the wires in this cycle

  void step() {
    constexpr std::uint32_t kAll[] = {0};
    for (unsigned i = 0; i < 2; ++i) {
      const core::BlockWires& w = ends_[i].wires(0);
      std::optional<core::Flit> frame;
      if (w.tx_valid >> fabric::LinkBank::kWirePort & 1) {
        frames[i].push_back(cycle_);
        if (!lose) frame = ends_[i].tx(0, fabric::LinkBank::kWirePort);
      }
      if (w.tx_valid >> fabric::LinkBank::kBlockPort & 1) {
        flits[i].push_back(cycle_);
        payloads[i].push_back(ends_[i].tx(0, fabric::LinkBank::kBlockPort).lo);
      }
      if (w.rx_back != 0) credits[i].push_back(cycle_);
      wires_[i].push_back(frame);
    }
    for (unsigned i = 0; i < 2; ++i) {
      auto& pipe = wires_[1 - i];
      if (pipe.front()) {
        ends_[i].rx(0, fabric::LinkBank::kWirePort) = *pipe.front();
        ends_[i].wires(0).rx_valid |= 1u << fabric::LinkBank::kWirePort;
      }
      pipe.pop_front();
    }
    for (golden::GoldenLinkBank& end : ends_) end.clock(cycle_, kAll);
    ++cycle_;
  }
  void to(std::uint64_t cycle) {
    while (cycle_ < cycle) step();
  }
  void up() {
    while (state(0) != fabric::link_registers::LinkState::kUp ||
           state(1) != fabric::link_registers::LinkState::kUp)
      step();
    to(cycle_ + 3 * latency_ + 10);
    for (unsigned i = 0; i < 2; ++i) {
      frames[i].clear();
      REQUIRE(ends_[i].quiescent(0));
    }
  }

  std::array<std::vector<std::uint64_t>, 2> frames, flits, credits, payloads;

 private:
  std::uint32_t latency_;
  std::array<golden::GoldenLinkBank, 2> ends_;
  std::array<std::deque<std::optional<core::Flit>>, 2> wires_;
  std::uint64_t cycle_ = 0;
};

}  // namespace muster::test

using namespace muster;
using fabric::LinkConfig;
using fabric::LinkFormat;
using fabric::LinkFrame;

TEST_CASE("link configurations are checked and come from the list of blocks", "[link][config]") {
  const std::pair<LinkConfig, const char*> refused[] = {
      {{.vcs = 5}, "vcs = 5 is not in 1..4"},
      {{.vcs = 4, .pocket = 1}, "vcs = 4 is not in 1..3"},
      {{.depth = 16}, "depth = 16 is not in 1..15"},
      {{.flit_w = 80}, "flit_w = 80 is not in 16..64"},
      {{.pocket = 2}, "pocket = 2 is not in 0..1"},
      {{.slots = 12}, "slots = 12 is not a power of two"},
      {{.slots = 64}, "slots = 64 is not in 4..32"},
      {{.timeout = 3}, "timeout = 3 is not in 4..255"},
      {{.retries = 0}, "retries = 0 is not in 1..15"},
      {{.lossy = 2}, "lossy = 2 is not in 0..1"},
      {{.pocket = 1, .lossy = 1}, "lossy = 1 is not in 0..0"},
      {{.slots = 8, .lossy = 1}, "slots = 8 is not in 9..32"}};
  for (const auto& [config, token] : refused)
    CHECK_THROWS_WITH(fabric::validate(config), std::string("link configuration 'link': ") + token);
  const LinkConfig& listed = fabric::link_configurations().at(1);
  CHECK(listed == LinkConfig{.name = "link1", .vcs = 1, .slots = 8});
  const fabric::BlockEntry entry{"again", "link", fabric::block_of(listed)};
  CHECK(fabric::link_config(entry) == LinkConfig{.name = "again", .vcs = 1, .slots = 8});
}

TEST_CASE("frames lie in flits and on the wires as the page says", "[link]") {
  const LinkFormat format(LinkConfig{});  // S = 5, two counts of 3 bits
  CHECK(format.width() == 6 + 10 + 6 + 1 + 3 + 16 + 16);
  const LinkFrame frame{.init = true,
                        .flit = true,
                        .echo = true,
                        .nack = true,
                        .seq = 0b10011,
                        .ack = 0b00101,
                        .count = {3, 4},
                        .vc = 1,
                        .kind = core::Flit::kTail,
                        .payload = 0x1234,
                        .crc = 0xabcd};
  const core::Flit packed = format.pack(frame);
  CHECK(packed.spare == 0b101011'10011'00101'100'011);
  CHECK(packed.lo == 0x1234);
  CHECK(packed.hi == 0xabcd);
  CHECK(packed.vc == 1);
  CHECK(packed.kind == core::Flit::kTail);
  CHECK(format.unpack(packed) == frame);
  std::uint64_t wires = 0;
  for (unsigned at = format.width(); at-- > 0;) wires = wires << 1 | format.bit(packed, at);
  CHECK(wires == 0b101011'10011'00101'100'011'1'001'0001001000110100'1010101111001101);
}

TEST_CASE("every bit of a frame of the largest configuration is one of the flit", "[link]") {
  const LinkFormat format(LinkConfig{.vcs = 4, .depth = 15, .flit_w = 64, .slots = 32});
  const core::Flit none{};
  for (unsigned at = 0; at < format.width(); ++at) {
    CAPTURE(at);
    core::Flit frame = none;
    format.flip(frame, at);
    for (unsigned other = 0; other < format.width(); ++other)
      CHECK(format.bit(frame, other) == (other == at));
    CHECK(format.pack(format.unpack(frame)) == frame);
    CHECK(format.unpack(frame).init == (at + 1 == format.width()));
    format.flip(frame, at);
    CHECK(frame == none);
  }
}

namespace muster {
namespace {

using core::Flit;

TEST_CASE("the CRC finds every error of up to five bits of the largest frame", "[link]") {
  const LinkConfig largest{.vcs = 4, .depth = 15, .flit_w = 64, .slots = 32};
  const fabric::LinkFormat format(largest);
  REQUIRE(format.width() == 119);
  // What a flipped bit does to the CRC and to its place in the frame: it is found unless what the
  // bits do cancels out. A CRC is linear, so this is the same in every frame.
  const Flit frame = format.pack({.flit = true, .seq = 45, .payload = 0xfedcba9876543210});
  std::vector<std::uint16_t> syndromes;
  for (unsigned at = 0; at < format.width(); ++at) {
    Flit flipped = frame;
    format.flip(flipped, at);
    syndromes.push_back(golden::link_crc(format, flipped) ^ golden::link_crc(format, frame) ^
                        flipped.hi ^ frame.hi);
  }
  std::vector<bool> of_one(1u << 16), of_two(1u << 16);
  std::size_t found = 0, singles = 0, pairs = 0, triples = 0;
  for (std::size_t a = 0; a < syndromes.size(); ++a) {
    singles += syndromes[a] == 0 || of_one[syndromes[a]];
    of_one[syndromes[a]] = true;
    for (std::size_t b = 0; b < a; ++b) {
      const unsigned two = syndromes[a] ^ syndromes[b];
      pairs += of_two[two];  // four bits that cancel out, as no two are alike
      of_two[two] = true;
    }
  }
  for (std::size_t a = 0; a < syndromes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (std::size_t c = 0; c < b; ++c) {
        const unsigned three = syndromes[a] ^ syndromes[b] ^ syndromes[c];
        triples += of_one[three] || of_two[three];  // four or five, or two of three are the same
        ++found;
      }
  CHECK(singles == 0);
  CHECK(pairs == 0);
  CHECK(triples == 0);
  CHECK(found == 119u * 118 * 117 / 6);
}

}  // namespace

}  // namespace muster

namespace muster::test {
namespace {

using State = fabric::link_registers::LinkState;
using Cycles = std::vector<std::uint64_t>;

const LinkConfig kLong{.name = "long", .timeout = 40, .retries = 3};
const Flit kHead{.lo = 7, .vc = 1, .kind = Flit::kHead};

TEST_CASE("a flit takes two cycles more from block to block than on plain wires, a credit three",
          "[link]") {
  for (const std::uint32_t latency : {1u, 2u, 9u}) {
    CAPTURE(latency);
    LinkEnds link(kLong, latency);
    link.up();
    std::uint64_t t = link.cycle();
    for (int i = 0; i < 4; ++i) {  // without a gap
      link.flit(0, kHead);
      link.step();
    }
    link.to(t + 4 * latency + 20);
    const std::uint64_t come = t + latency + 1;
    CHECK(link.frames[0] == Cycles{t + 1, t + 2, t + 3, t + 4});
    CHECK(link.flits[1] == Cycles{come, come + 1, come + 2, come + 3});
    // Each is acknowledged, heard in the cycle in which the block has it.
    CHECK(link.frames[1] == Cycles{come + 2, come + 3, come + 4, come + 5});
    link.frames = {};
    t = link.cycle();
    link.credit(1, 0b10);
    link.to(t + 4 * latency + 20);
    CHECK(link.frames[1] == Cycles{t + 1});
    CHECK(link.credits[0] == Cycles{t + latency + 2});
    CHECK(link.frames[0] == Cycles{t + latency + 3});  // the echo
  }
}

/// Ends that may lose barrier messages, docs/systems/retry-link.md.
/// Eight places, of which data may need four.
const LinkConfig kLossy{.name = "lossy", .vcs = 1, .slots = 8, .timeout = 40, .lossy = 1};

Flit data(std::uint64_t number) { return {.lo = number, .kind = Flit::kHead | Flit::kTail}; }
Flit message(std::uint64_t number) { return {.lo = number, .kind = Flit::kSync}; }

/// In successive cycles, in which everything on the wires is lost.
void send_in_vain(LinkEnds& link, const std::vector<Flit>& flits) {
  link.lose = true;
  for (const Flit& flit : flits) {
    link.flit(0, flit);
    link.step();
  }
  link.step();
  link.lose = false;
}

TEST_CASE("messages leave the places of data free, what finds none is lost and counted",
          "[link][lossy]") {
  LinkEnds link(kLossy, 1);
  link.up();
  send_in_vain(link, {message(1), message(2), message(3), message(4), message(5), message(6),
                      data(7), data(8), data(9), data(10), message(11)});
  CHECK(link.lost(0) == 3);
  CHECK(link.lost(1) == 0);
  link.to(link.cycle() + 2 * kLossy.timeout);
  CHECK(link.payloads[1] == Cycles{1, 2, 3, 4, 7, 8, 9, 10});
  CHECK(link.state(0) == State::kUp);
  CHECK(link.state(1) == State::kUp);
  // All are acknowledged: there is room for others.
  link.flit(0, message(12));
  link.step();
  link.to(link.cycle() + 20);
  CHECK(link.payloads[1].back() == 12);
  CHECK(link.lost(0) == 3);
}

TEST_CASE("lost messages are counted up to 255, until the host clears the count", "[link][lossy]") {
  LinkEnds link(kLossy, 1);
  link.up();
  const auto flood = [&](int cycles) {
    for (int i = 0; i < cycles; ++i) {
      link.flit(0, message(1));
      link.step();
    }
  };
  link.lose = true;
  flood(300);
  CHECK(link.lost(0) == 255);
  link.write(0, fabric::link_registers::kCommandClear.mask());
  flood(1);
  CHECK(link.lost(0) == 0);
  flood(1);
  CHECK(link.lost(0) == 1);
}

}  // namespace

}  // namespace muster::test
