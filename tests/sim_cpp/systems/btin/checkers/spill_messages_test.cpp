// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/spill_messages.hpp"

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {
using fabric::MessageType;

/// Node n0 is the spill node of switch 0, at port 1; group 7 is spilled there.
struct Scene {
  struct Event {
    std::uint64_t cycle;
    core::ChannelId channel;
    MessageType type;
    std::uint32_t gid;
    std::uint64_t data;
  };
  static constexpr MessageType kUp = MessageType::kReduction, kDown = MessageType::kDistribution,
                               kPlace = MessageType::kSpillPlace, kData = MessageType::kSpillData;

  Stage stage;
  SpillPorts ports{1u << 1, 0};

  std::string shown(const std::vector<Event>& events, bool drained = true) const {
    SpillMessages checker(stage.subject(), ports);
    return report_of([&] {
      std::uint64_t cycle = 0;
      for (const Event& e : events) {
        for (; cycle < e.cycle; ++cycle) checker.end_cycle(cycle);
        checker.flit(e.cycle, {e.channel, stage.message(e.type, e.gid, e.data)});
      }
      checker.end_cycle(cycle);
      checker.finish(cycle + 1, drained);
    });
  }
  /// n1 arrives, its message goes to the spill node, which has the switch send its own on.
  static std::vector<Event> correct() {
    return {{1, Stage::kFromN1, kUp, 7, 5},   {4, Stage::kToN0, kPlace, 7, 2},
            {5, Stage::kToN0, kData, 7, 5},   {6, Stage::kFromN0, kPlace, 7, 0},
            {7, Stage::kFromN0, kData, 7, 6}, {10, Stage::kOver, kUp, 7, 6}};
  }
  std::string with(std::size_t i, const Event& event) const {
    return shown(changed(correct(), i, event));
  }
  std::string without(std::size_t i) const { return shown(checkers::without(correct(), i)); }
};

TEST_CASE("a message to a spill node and what it says are let pass", "[checkers][spill]") {
  const Scene scene;
  CHECK(scene.shown(Scene::correct()).empty());
  // Twice, and a group with a register beside it.
  auto events = Scene::correct();
  events.push_back({20, Stage::kFromN1, Scene::kUp, 8, 1});
  events.push_back({23, Stage::kOver, Scene::kUp, 8, 1});
  for (const auto& e : Scene::correct())
    events.push_back({e.cycle + 30, e.channel, e.type, e.gid, e.data});
  CHECK(scene.shown(events).empty());
}

TEST_CASE("what is handed over must have come in", "[checkers][spill]") {
  const Scene scene;
  CHECK_THAT(scene.without(0), Contains("has not come in"));
  CHECK_THAT(scene.with(0, {5, Stage::kFromN1, Scene::kUp, 7, 5}), Contains("has not come in"));
  CHECK_THAT(scene.with(1, {4, Stage::kToN0, Scene::kPlace, 7, 3}), Contains("has not come in"));
  CHECK_THAT(scene.with(1, {4, Stage::kToN0, Scene::kPlace, 7, 16 | 2}), Contains("came a"));
  CHECK_THAT(scene.with(2, {5, Stage::kToN0, Scene::kData, 7, 4}), Contains("came a"));
}

TEST_CASE("what a spilled group sends its node has said", "[checkers][spill]") {
  const Scene scene;
  CHECK_THAT(scene.with(5, {10, Stage::kOver, Scene::kUp, 7, 4}), Contains("has said a"));
  CHECK_THAT(scene.with(5, {10, Stage::kToN1, Scene::kUp, 7, 6}), Contains("has not said"));
  CHECK_THAT(scene.with(5, {7, Stage::kOver, Scene::kUp, 7, 6}), Contains("has not said"));
  const Scene::Event twice{12, Stage::kOver, Scene::kUp, 7, 6};
  CHECK_THAT(scene.shown(with(Scene::correct(), twice)), Contains("has not said"));
}

TEST_CASE("places and data alternate and stay between switch and spill node", "[checkers][spill]") {
  const Scene scene;
  CHECK_THAT(scene.without(1), Contains("data of group 7 without a place"));
  CHECK_THAT(scene.with(2, {5, Stage::kToN0, Scene::kData, 8, 5}), Contains("after the place"));
  CHECK_THAT(scene.with(4, {7, Stage::kFromN0, Scene::kPlace, 7, 6}), Contains("before the data"));
  CHECK_THAT(scene.with(1, {4, Stage::kToN0, Scene::kPlace, 7, 32 | 2}), Contains("0x22"));
}

TEST_CASE("places and data are told from other messages between switch and spill node only",
          "[checkers][spill]") {
  const Scene scene;
  const Subject subject = scene.stage.subject();
  SpillPorts ports;
  const auto carries = [&](core::ChannelId channel, fabric::MessageType type) {
    return SpillChannels(subject, ports).carries({channel, scene.stage.message(type, 7, 0)});
  };
  CHECK_FALSE(SpillChannels(subject, ports).any());
  CHECK_FALSE(carries(Stage::kToN0, Scene::kPlace));
  ports = scene.ports;
  CHECK(SpillChannels(subject, ports).any());
  CHECK(carries(Stage::kToN0, Scene::kPlace));
  CHECK(carries(Stage::kFromN0, Scene::kData));
  CHECK_FALSE(carries(Stage::kToN1, Scene::kPlace));
  CHECK_FALSE(carries(Stage::kToN0, fabric::MessageType::kReduction));
}

TEST_CASE("an empty network owes nothing to a spill node nor for it", "[checkers][spill]") {
  const Scene scene;
  CHECK_THAT(scene.without(5), Contains("was not sent"));
  const auto lost = with(Scene::correct(), Scene::Event{20, Stage::kFromN1, Scene::kUp, 7, 3});
  CHECK_THAT(scene.shown(lost), Contains("was not passed to the spill node"));
  CHECK(scene.shown(lost, false).empty());
}

}  // namespace
}  // namespace muster::checkers
