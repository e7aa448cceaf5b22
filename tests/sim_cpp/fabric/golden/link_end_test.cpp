// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/link_end.hpp"

#include "fabric/golden/link_bank.hpp"
#include "support/link_pair.hpp"

using namespace muster;
using fabric::LinkConfig;
using testing::LinkCounts;
using testing::LinkPair;
using State = LinkPair::State;
using Reason = LinkPair::Reason;

namespace {

constexpr testing::LinkTraffic kBusy{.send = 0.9, .sync = 0.2, .credit = 0.8};
constexpr testing::LinkTraffic kSilent{.send = 0, .credit = 1};

/// Two ends of every latency that the timeout allows, in which blocks never overflow a buffer.
const LinkConfig kConfigs[] = {
    {.name = "link2"},
    {.name = "link1", .vcs = 1, .slots = 8},
    {.name = "link1r", .vcs = 1, .slots = 16, .lossy = 1},
    {.name = "one place", .vcs = 1, .depth = 15, .timeout = 20, .lossy = 1},
    {.name = "pocket", .vcs = 3, .depth = 2, .flit_w = 32, .pocket = 1, .slots = 8, .timeout = 40},
    {.name = "least", .vcs = 1, .depth = 1, .slots = 4, .timeout = 7, .retries = 1},
    {.name = "largest",
     .vcs = 4,
     .depth = 8,
     .flit_w = 64,
     .slots = 32,
     .timeout = 255,
     .retries = 15},
    {.name = "deepest", .vcs = 2, .depth = 15, .flit_w = 17, .slots = 32, .timeout = 20}};

LinkPair pair(const LinkConfig& config, const testing::LinkConditions& conditions,
              std::uint64_t seed) {
  return LinkPair(
      config,
      [config](std::uint64_t) { return std::make_unique<golden::GoldenLinkBank>(config, 1); },
      conditions, seed);
}

/// From reset of both ends to Up, at most.
std::uint64_t handshake(const LinkConfig& c, std::uint32_t latency) {
  return 3 * c.timeout + 4 * latency + 8;
}
/// From the last progress to Down, at most.
std::uint64_t silence(const LinkConfig& c) { return (c.retries + 1) * c.timeout + 2; }

bool comes_up(LinkPair& link, std::uint64_t within) {
  return link.run_until([&] { return link.both(State::kUp); }, within);
}
bool comes_to_rest(LinkPair& link, std::uint64_t within) {
  return link.run_until([&] { return link.at_rest(); }, within);
}

std::uint32_t longest(const LinkConfig& c) {
  return std::max<std::uint32_t>(1, (c.timeout - 5) / 2);
}

}  // namespace

TEST_CASE("whatever is lost, duplicated or corrupted, all comes once and in order", "[link]") {
  const std::uint64_t seed = muster_seed();
  LinkCounts sum;
  for (const LinkConfig& given : kConfigs) {
    LinkConfig config = given;
    config.retries = 15;  // so that it stays up
    for (std::uint64_t run = 0; run < 8; ++run) {
      const std::uint32_t latency = run % 2 == 0 ? 1 : longest(config);
      const double p = std::array{0.0, 0.03, 0.03, 0.15}[run / 2];
      CAPTURE(config.name, seed, run, latency, p);
      LinkPair link = pair(config, {.latency = latency, .traffic = kBusy}, seed + run);
      REQUIRE(comes_up(link, handshake(config, latency)));
      link.set_faults({.lost = p, .doubled = p, .corrupted = p});
      link.run(4000);
      link.set_faults({});
      link.conditions().traffic = kSilent;
      REQUIRE(comes_to_rest(link, 20 * config.timeout));
      const LinkCounts counts = link.counts();
      if (config.lossy == 0) CHECK(counts.delivered == counts.sent);
      CHECK(counts.sessions == 2);
      if (p == 0.0) CHECK((counts.replays == 0 && counts.rejected == 0 && counts.delivered > 1000));
      sum += counts;
    }
  }
  CHECK(sum.replays > 100);
  CHECK(sum.rejected > 1000);
  CHECK(sum.synced > 100);
}

TEST_CASE("two ends come up whichever is reset first", "[link]") {
  const std::uint64_t seed = muster_seed();
  for (const LinkConfig& config : kConfigs)
    for (std::uint32_t late = 0; late <= 100; ++late) {
      const std::uint32_t latency = late % 3 == 0 ? longest(config) : 1;
      CAPTURE(config.name, late, latency, seed);
      LinkPair link = pair(config, {.latency = latency, .traffic = kSilent, .late = late}, seed);
      REQUIRE(
          link.run_until([&] { return link.both(State::kUp); }, late + handshake(config, latency)));
      REQUIRE(comes_to_rest(link, 4 * latency + 8));
      CHECK(link.counts().downs == LinkCounts{}.downs);
    }
}

TEST_CASE("an end whose other end is reset goes down, and both come back", "[link]") {
  const std::uint64_t seed = muster_seed();
  for (const LinkConfig& config : kConfigs)
    for (const unsigned side : {0u, 1u}) {
      CAPTURE(config.name, side, seed);
      const std::uint32_t latency = longest(config);
      LinkPair link = pair(config, {.latency = latency, .traffic = kBusy, .restart = 0}, seed);
      REQUIRE(comes_up(link, handshake(config, latency)));
      link.run(200);
      link.reset(side);
      REQUIRE(link.run_until([&] { return link.state(1 - side) == State::kDown; },
                             handshake(config, latency)));
      CHECK(link.reason(1 - side) == Reason::kOther);
      link.conditions().restart = 1;
      REQUIRE(comes_up(link, 600 + 3 * handshake(config, latency)));
      const auto before = link.counts().delivered;
      link.run(200);
      CHECK(link.counts().delivered > before);
    }
}

TEST_CASE("an end that hears nothing goes down within a bound", "[link]") {
  const std::uint64_t seed = muster_seed();
  for (const LinkConfig& config : kConfigs) {
    CAPTURE(config.name, seed);
    LinkPair link = pair(config, {.traffic = kBusy, .restart = 0}, seed);
    REQUIRE(comes_up(link, handshake(config, 1)));
    link.run(300);
    link.set_faults({.lost = 1});
    REQUIRE(link.run_until([&] { return link.both(State::kDown); }, 60 + silence(config)));
    CHECK(link.reason(0) == Reason::kSilent);
    CHECK(link.reason(1) == Reason::kSilent);
    // Of an end that says nothing itself the silence is no fault.
    LinkPair quiet = pair(config, {.traffic = kSilent}, seed);
    REQUIRE(comes_to_rest(quiet, handshake(config, 1)));
    quiet.set_faults({.lost = 1});
    quiet.run(10 * silence(config));
    CHECK(quiet.at_rest());
  }
}

TEST_CASE("a link that is killed goes down at both ends, ends its packets and begins again",
          "[link]") {
  const std::uint64_t seed = muster_seed();
  LinkCounts sum;
  for (const LinkConfig& config : kConfigs)
    for (std::uint64_t run = 0; run < 10; ++run) {
      CAPTURE(config.name, seed, run);
      LinkPair link = pair(config, {.traffic = kBusy, .restart = 0}, seed + run);
      REQUIRE(comes_up(link, handshake(config, 1)));
      link.run(100 + run);
      link.write(0, fabric::link_registers::kCommandKill.mask());
      REQUIRE(link.run_until([&] { return link.both(State::kDown); }, 8));
      CHECK(link.reason(0) == Reason::kKilled);
      CHECK(link.reason(1) == Reason::kOther);
      link.conditions().traffic = kSilent;
      link.run(300);
      for (const unsigned side : {0u, 1u}) {
        CHECK(link.bank(side).irq(0));
        CHECK(link.bank(side).quiescent(0));
        CHECK(link.block(side).all_back());
        CHECK(link.block(side).empty());
        CHECK(fabric::link_registers::kStatusDrained.of(link.status(side)));
        for (std::uint32_t vc = 0; vc < config.vcs; ++vc) CHECK_FALSE(link.block(side).open(vc));
      }
      link.conditions().restart = 1;
      link.conditions().traffic = kBusy;
      REQUIRE(comes_up(link, 4 * handshake(config, 1)));
      link.run(200);
      link.conditions().traffic = kSilent;
      REQUIRE(comes_to_rest(link, 20 * config.timeout));
      sum += link.counts();
    }
  CHECK(sum.ended > 20);
}

TEST_CASE("sessions follow one another whatever happens", "[link]") {
  const std::uint64_t seed = muster_seed();
  LinkCounts sum;
  for (const LinkConfig& config : kConfigs)
    for (std::uint64_t run = 0; run < 4; ++run) {
      CAPTURE(config.name, seed, run);
      testing::LinkConditions world{.latency = run % 2 == 0 ? 1 : longest(config),
                                    .traffic = kBusy,
                                    .faults = {.lost = 0.02,
                                               .doubled = 0.02,
                                               .corrupted = 0.02,
                                               .dead = 0.0005,
                                               .dead_cycles = 400},
                                    .kill = 0.0005,
                                    .reset = 0.0005};
      if (run == 3) world.traffic.flood = 0.02;
      LinkPair link = pair(config, world, seed + run);
      link.run(20000);
      sum += link.counts();
    }
  for (unsigned reason = 1; reason <= 4; ++reason) {
    CAPTURE(reason);
    CHECK(sum.downs[reason] > 5);
  }
  CHECK(sum.sessions > 200);
  CHECK(sum.ended > 20);
  CHECK(sum.resets > 50);
}

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
  const fabric::LinkFormat format(LinkConfig{});  // S = 5, two counts of 3 bits
  CHECK(format.width() == 6 + 10 + 6 + 1 + 3 + 16 + 16);
  const fabric::LinkFrame frame{.init = true,
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
  const fabric::LinkFormat format(LinkConfig{.vcs = 4, .depth = 15, .flit_w = 64, .slots = 32});
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

TEST_CASE("the CRC finds every error of up to five bits of the largest frame", "[link]") {
  const LinkConfig largest{.vcs = 4, .depth = 15, .flit_w = 64, .slots = 32};
  const fabric::LinkFormat format(largest);
  REQUIRE(format.width() == 119);
  // What a flipped bit does to the CRC and to its place in the frame: it is found unless what the
  // bits do cancels out. A CRC is linear, so this is the same in every frame.
  const core::Flit frame = format.pack({.flit = true, .seq = 45, .payload = 0xfedcba9876543210});
  std::vector<std::uint16_t> syndromes;
  for (unsigned at = 0; at < format.width(); ++at) {
    core::Flit flipped = frame;
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
