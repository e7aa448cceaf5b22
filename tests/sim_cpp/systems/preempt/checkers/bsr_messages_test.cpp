// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/checkers/bsr_messages.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Contains;
using core::ChannelId;
using core::Flit;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

constexpr std::uint32_t kS0 = 4, kS1 = 5;  // addresses of the switches
constexpr BsrType kUp = BsrType::kReduction, kDown = BsrType::kDistribution,
                  kFirst = BsrType::kFirst;

/// Group 0: n0, and n2 at the center's switch 1.
struct Scene {
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

Scene::Events arrivals() {
  return Scene::join({Scene::say(Stage::kFromN0, kFirst, kS0, kS1),
                      Scene::say(Stage::kOver, kFirst, kS0, kS1),
                      Scene::say(Stage::kFromN2, kFirst, kS1, kS1)});
}
Scene::Events releases() {
  return Scene::join({Scene::say(Stage::kToN2, kDown, kS1, kS1),
                      Scene::say(Stage::kBack, kDown, kS1, kS0),
                      Scene::say(Stage::kToN0, kDown, kS0, kS0)});
}

TEST_CASE("two barriers, the first by first messages, and a cut", "[checkers][bsr]") {
  const Scene scene;
  const Scene::Events head{{Stage::kBack, Stage::flit(kHead)}};
  const Scene::Events tail{{Stage::kBack, Stage::flit(kTail)}};
  CHECK(scene.shown(Scene::join({arrivals(), releases()})) == "");
  CHECK(scene.shown(Scene::join({arrivals(), head, Scene::control(Stage::kBack, false), releases(),
                                 Scene::control(Stage::kBack, true), tail,
                                 Scene::say(Stage::kFromN2, kUp, 2, kS1),
                                 Scene::say(Stage::kFromN0, kUp, 0, kS0),
                                 Scene::say(Stage::kOver, kUp, kS0, kS1), releases()})) == "");
  CHECK(scene.shown(Scene::say(Stage::kFromN0, kFirst, kS0, kS1)) == "");  // n2 never arrives
}

TEST_CASE("releases too early, twice, or never", "[checkers][bsr]") {
  const Scene scene;
  CHECK_THAT(scene.shown(Scene::join({Scene::say(Stage::kFromN0, kFirst, kS0, kS1),
                                      Scene::say(Stage::kToN0, kDown, kS0, kS0)})),
             Contains("after 1 of 2 arrivals"));
  CHECK_THAT(scene.shown(Scene::join({arrivals(), releases(), releases()})),
             Contains("does not wait for"));
  CHECK_THAT(scene.shown(arrivals()), Contains("is owed"));
  CHECK_THAT(scene.shown(Scene::join({arrivals(), Scene::say(Stage::kToN1, kDown, kS0, kS0)})),
             Contains("n1 is not a member"));
}

TEST_CASE("what a node sends is due", "[checkers][bsr]") {
  const Scene scene;
  for (const auto& events :
       {Scene::say(Stage::kFromN0, kUp, 0, kS0), Scene::say(Stage::kFromN0, kFirst, kS1, kS1),
        Scene::say(Stage::kFromN0, kFirst, kS0, kS0),
        Scene::join({arrivals(), Scene::say(Stage::kFromN0, kUp, 0, kS0)}),
        Scene::join({arrivals(), releases(), Scene::say(Stage::kFromN0, kUp, 2, kS0)})})
    CHECK_THAT(scene.shown(events), Contains("not due"));
  CHECK_THAT(scene.shown(Scene::say(Stage::kFromN1, kFirst, kS0, kS1)), Contains("not a member"));
  CHECK_THAT(scene.shown(Scene::say(Stage::kOver, kUp, kS0, kS1, 1)), Contains("group 1"));
}

TEST_CASE("messages leave by legal ports, as a link may carry them, whole", "[checkers][bsr]") {
  const Scene scene;
  CHECK_THAT(scene.shown(Scene::say(Stage::kOver, kDown, kS1, kS0)), Contains("legal are"));
  Scene::Events half = Scene::say(Stage::kOver, kUp, kS0, kS1);
  half.pop_back();
  CHECK_THAT(scene.shown(half), Contains("half a message"));
  CHECK_THAT(scene.shown(Scene::control(Stage::kOver, true)),
             Contains("0:0 -> 1:0: checker bsr messages: padding end for"));
  const Scene::Events cut{{Stage::kOver, Stage::flit(kHead)},
                          {Stage::kOver, preempt::control_flit({false, 0})}};
  CHECK_THAT(scene.shown(cut), Contains("cut channel in an empty network"));
}

}  // namespace
}  // namespace muster::checkers
