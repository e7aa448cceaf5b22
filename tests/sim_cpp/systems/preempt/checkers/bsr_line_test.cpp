// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/checkers/bsr_line.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "muster/fabric/link_control.hpp"
#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Contains;
using core::Flit;
using fabric::SyncCredits;

/// One direction of a link with three virtual channels, and what is on it.
struct Scene {
  Stage stage;
  Subject subject = stage.subject();
  BsrLine line;
  std::uint64_t cycle = 10;

  explicit Scene(SyncCredits credits = SyncCredits::kBuffer, std::uint8_t cuttable = 7) {
    subject.vcs = 3;
    subject.sync_credits = credits;
    subject.cuttable = cuttable;
  }
  std::string flit(std::uint8_t kind, std::uint8_t vc, std::uint64_t payload = 0) {
    return line.fault(subject, cycle++, Stage::flit(kind, payload, vc));
  }
  std::string control(bool end, std::uint8_t vc) {
    return line.fault(subject, cycle++, fabric::control_flit({end, vc}));
  }
  /// The first flit of a reduction.
  std::string first(std::uint8_t vc) { return flit(Flit::kFirst, vc); }
  std::string message(std::uint8_t vc) {
    const std::string fault = first(vc);
    return fault.empty() ? flit(kSync, vc) : fault;
  }
  Scene& packets(std::initializer_list<std::uint8_t> channels) {
    for (const std::uint8_t vc : channels) CHECK(flit(kHead, vc) == "");
    return *this;
  }
};

TEST_CASE("messages in free channels, in a cut one, and in a free one again", "[checkers][bsr]") {
  Scene scene;
  CHECK(scene.message(0) == "");
  REQUIRE(scene.line.message());
  CHECK(scene.packets({0}).message(1) == "");
  CHECK(scene.packets({1, 2}).control(false, 1) == "");
  CHECK_FALSE(scene.line.idle());
  CHECK(scene.message(1) == "");
  CHECK(scene.flit(Flit::kPad, 0) == "");  // of a channel that is not cut
  CHECK(scene.message(1) == "");
  CHECK(scene.control(true, 1) == "");
  CHECK(scene.line.idle());
  CHECK(scene.flit(kTail, 1) == "");
  CHECK(scene.first(1) == "");
  CHECK(scene.flit(kBody, 2) == "");  // one cycle between two flits of a message
  CHECK_FALSE(scene.line.idle());
  CHECK_FALSE(scene.line.message());
  CHECK(scene.flit(kSync, 1) == "");
  CHECK(scene.line.message());
}

TEST_CASE("a message is whole, in one channel, its flits close together", "[checkers][bsr]") {
  CHECK_THAT(Scene().flit(kSync, 0), Contains("a flit without a message"));
  CHECK_THAT(Scene().flit(Flit::kFirst, 0, 0xc000), Contains("of no type"));
  Scene twice, moves, late, data, asked;
  CHECK(twice.first(0) == "");
  CHECK_THAT(twice.first(0), Contains("within another"));
  CHECK(moves.first(0) == "");
  CHECK_THAT(moves.flit(kSync, 1), Contains("goes on in 1"));
  CHECK(late.first(0) == "");
  late.cycle += 2;
  CHECK_THAT(late.flit(kSync, 0), Contains("2 cycles between"));
  CHECK(data.first(0) == "");
  CHECK_THAT(data.flit(kHead, 0), Contains("between those of a message"));
  CHECK(asked.packets({1, 2}).first(0) == "");
  CHECK_THAT(asked.control(false, 2), Contains("padding request within a message"));
}

TEST_CASE("a message takes the lowest free channel, or the one that is cut", "[checkers][bsr]") {
  CHECK_THAT(Scene().packets({0}).message(0), Contains("within a packet that is not cut"));
  CHECK_THAT(Scene().packets({0}).message(2), Contains("lower ones are free: 0x2"));
  CHECK(Scene(SyncCredits::kBoth).packets({0}).message(2) == "");  // by credits
  CHECK(Scene(SyncCredits::kBuffer, 4).message(2) == "");
  Scene cut;
  CHECK(cut.packets({0, 1, 2}).control(false, 2) == "");
  CHECK_THAT(cut.message(1), Contains("but 2 is cut"));
}

TEST_CASE("a channel is cut in a packet if none is free, and given back in turn",
          "[checkers][bsr]") {
  CHECK_THAT(Scene().packets({0, 1}).control(false, 1), Contains("under way in 0x3"));
  CHECK(Scene(SyncCredits::kBuffer, 1).packets({0}).control(false, 0) == "");
  CHECK(Scene(SyncCredits::kBoth).packets({1}).control(false, 1) == "");
  CHECK_THAT(Scene(SyncCredits::kBoth).packets({0}).control(false, 1), Contains("under way"));
  Scene twice, other, unused, means;
  CHECK(twice.packets({0, 1, 2}).control(false, 1) == "");
  CHECK_THAT(twice.control(false, 2), Contains("request for virtual channel 2, of which 1 is cut"));
  CHECK(other.packets({0, 1, 2}).control(false, 1) == "");
  CHECK(other.message(1) == "");
  CHECK_THAT(other.control(true, 2), Contains("end for virtual channel 2, of which 1 is cut"));
  CHECK(other.control(true, 1) == "");
  CHECK_THAT(other.control(true, 1), Contains("of which none is cut"));
  CHECK(unused.packets({0, 1, 2}).control(false, 1) == "");
  CHECK_THAT(unused.control(true, 1), Contains("without a message"));
  for (const std::uint64_t payload : {0x8002u, 0xc002u, 1u, 0x102u})
    CHECK_THAT(means.flit(Flit::kControl, 2, payload), Contains("undefined link control"));
}

TEST_CASE("a cut channel carries no data, and none are between a request and its message",
          "[checkers][bsr]") {
  Scene scene, first, moving(SyncCredits::kBoth);
  CHECK(scene.packets({0, 1, 2}).control(false, 2) == "");
  CHECK(scene.message(2) == "");
  CHECK_THAT(scene.flit(kBody, 2), Contains("which is cut"));
  CHECK_THAT(scene.flit(Flit::kPad, 2), Contains("which is cut"));
  CHECK(first.packets({0, 1, 2}).control(false, 2) == "");
  CHECK_THAT(first.flit(kBody, 0), Contains("between a request and its message"));
  CHECK(moving.packets({0, 1, 2}).control(false, 2) == "");
  CHECK(moving.flit(kBody, 0) == "");  // the request waits for credits
}

}  // namespace
}  // namespace muster::checkers
