// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/checkers/bsr_messages.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "muster/fabric/barrier_end.hpp"
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

using core::ChannelId;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

constexpr std::uint32_t kS0 = 4, kS1 = 5;  // addresses of the switches
constexpr BsrType kUp = BsrType::kReduction, kDown = BsrType::kDistribution,
                  kFirst = BsrType::kFirst;

/// Group 0: n0, and n2 at the center's switch 1.
struct MessageScene {
  struct Event {
    ChannelId channel;
    Flit flit;
  };
  using Events = std::vector<Event>;
  Stage stage;

  static Events say(ChannelId channel, BsrType type, std::uint32_t source,
                    std::uint32_t destination, std::uint32_t gid = 0) {
    BsrMessage m{type, gid, destination, source, Bnt::kSource, false, 0};
    if (type == kFirst) m.new_node = source;
    const auto flits = bsr_flits(m, 0);
    Events events;
    for (std::uint32_t i = 0; i < bsr_length(type); ++i) events.push_back({channel, flits[i]});
    return events;
  }
  static Events control(ChannelId channel, bool end) {
    return {{channel, preempt::control_flit({end, 0})}};
  }
  static Events join(std::initializer_list<Events> parts) {
    Events all;
    for (const Events& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  std::string shown(const Events& events) const {
    Subject subject = stage.subject();
    subject.sync_credits = fabric::SyncCredits::kBuffer;
    subject.cuttable = 1;
    subject.pads = true;
    BsrMessages checker(subject, {{0, {0, 2}, 1}});
    return report_of([&] {
      std::uint64_t cycle = 0;
      for (const Event& e : events) {
        checker.flit(cycle, {e.channel, e.flit});
        checker.end_cycle(cycle++);
      }
      checker.finish(cycle, true);
    });
  }
};

MessageScene::Events arrivals() {
  return MessageScene::join({MessageScene::say(Stage::kFromN0, kFirst, kS0, kS1),
                             MessageScene::say(Stage::kOver, kFirst, kS0, kS1),
                             MessageScene::say(Stage::kFromN2, kFirst, kS1, kS1)});
}
MessageScene::Events releases() {
  return MessageScene::join({MessageScene::say(Stage::kToN2, kDown, kS1, kS1),
                             MessageScene::say(Stage::kBack, kDown, kS1, kS0),
                             MessageScene::say(Stage::kToN0, kDown, kS0, kS0)});
}

TEST_CASE("two barriers, the first by first messages, and a cut", "[checkers][bsr]") {
  const MessageScene scene;
  const MessageScene::Events head{{Stage::kBack, Stage::flit(kHead)}};
  const MessageScene::Events tail{{Stage::kBack, Stage::flit(kTail)}};
  CHECK(scene.shown(MessageScene::join({arrivals(), releases()})) == "");
  CHECK(scene.shown(MessageScene::join(
            {arrivals(), head, MessageScene::control(Stage::kBack, false), releases(),
             MessageScene::control(Stage::kBack, true), tail,
             MessageScene::say(Stage::kFromN2, kUp, 2, kS1),
             MessageScene::say(Stage::kFromN0, kUp, 0, kS0),
             MessageScene::say(Stage::kOver, kUp, kS0, kS1), releases()})) == "");
  CHECK(scene.shown(MessageScene::say(Stage::kFromN0, kFirst, kS0, kS1)) ==
        "");  // n2 never arrives
}

TEST_CASE("releases too early, twice, or never", "[checkers][bsr]") {
  const MessageScene scene;
  CHECK_THAT(scene.shown(MessageScene::join({MessageScene::say(Stage::kFromN0, kFirst, kS0, kS1),
                                             MessageScene::say(Stage::kToN0, kDown, kS0, kS0)})),
             Contains("after 1 of 2 arrivals"));
  CHECK_THAT(scene.shown(MessageScene::join({arrivals(), releases(), releases()})),
             Contains("does not wait for"));
  CHECK_THAT(scene.shown(arrivals()), Contains("is owed"));
  CHECK_THAT(scene.shown(MessageScene::join(
                 {arrivals(), MessageScene::say(Stage::kToN1, kDown, kS0, kS0)})),
             Contains("n1 is not a member"));
}

TEST_CASE("what a node sends is due", "[checkers][bsr]") {
  const MessageScene scene;
  for (const auto& events :
       {MessageScene::say(Stage::kFromN0, kUp, 0, kS0),
        MessageScene::say(Stage::kFromN0, kFirst, kS1, kS1),
        MessageScene::say(Stage::kFromN0, kFirst, kS0, kS0),
        MessageScene::join({arrivals(), MessageScene::say(Stage::kFromN0, kUp, 0, kS0)}),
        MessageScene::join(
            {arrivals(), releases(), MessageScene::say(Stage::kFromN0, kUp, 2, kS0)})})
    CHECK_THAT(scene.shown(events), Contains("not due"));
  CHECK_THAT(scene.shown(MessageScene::say(Stage::kFromN1, kFirst, kS0, kS1)),
             Contains("not a member"));
  CHECK_THAT(scene.shown(MessageScene::say(Stage::kOver, kUp, kS0, kS1, 1)), Contains("group 1"));
}

TEST_CASE("messages leave by legal ports, as a link may carry them, whole", "[checkers][bsr]") {
  const MessageScene scene;
  CHECK_THAT(scene.shown(MessageScene::say(Stage::kOver, kDown, kS1, kS0)), Contains("legal are"));
  MessageScene::Events half = MessageScene::say(Stage::kOver, kUp, kS0, kS1);
  half.pop_back();
  CHECK_THAT(scene.shown(half), Contains("half a message"));
  CHECK_THAT(scene.shown(MessageScene::control(Stage::kOver, true)),
             Contains("0:0 -> 1:0: checker bsr messages: padding end for"));
  const MessageScene::Events cut{{Stage::kOver, Stage::flit(kHead)},
                                 {Stage::kOver, preempt::control_flit({false, 0})}};
  CHECK_THAT(scene.shown(cut), Contains("cut channel in an empty network"));
}

}  // namespace

}  // namespace muster::checkers
