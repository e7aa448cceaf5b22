// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/checkers/nic_barriers.hpp"

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

/// Group 0: n0, n1 and n3, pairwise exchange: n3 (rank 2) is folded to n0. n0: wait n3, send n1,
/// wait n1, send n3. n1: send n0, wait n0. n3: send n0, wait n0.
struct WatchedNics : Watched<WatchedNics, NicBarriers> {
  explicit WatchedNics(nic::ListForm form = nic::ListForm::kList)
      : Watched(std::vector<NicGroup>{
            {{0, 1, 3}, nic::step_lists(nic::StepAlgorithm::kPairwise, 3, 0), form, false}}) {}

  WatchedNics& message(core::ChannelId channel, const nic::NicMessage& m) {
    return put(channel, nic::nic_flits(m, 0));
  }
  static nic::NicMessage step(std::uint32_t from, std::uint32_t to, std::uint8_t slot,
                              std::uint32_t barrier) {
    return {.source = from,
            .destination = to,
            .slot = slot,
            .barrier = static_cast<std::uint8_t>(barrier)};
  }
  WatchedNics& sends(std::uint32_t from, std::uint32_t to, std::uint8_t slot, std::uint32_t b = 0) {
    return message(stage.layout.into_switch(from), step(from, to, slot, b));
  }
  WatchedNics& comes(std::uint32_t from, std::uint32_t to, std::uint8_t slot, std::uint32_t b = 0) {
    return message(stage.layout.into_node(to), step(from, to, slot, b));
  }
  /// Sent and come.
  WatchedNics& over(std::uint32_t from, std::uint32_t to, std::uint8_t slot, std::uint32_t b = 0) {
    return sends(from, to, slot, b).comes(from, to, slot, b);
  }
  WatchedNics& arrives(std::uint32_t member) {
    return show([&] { checker.arrived(cycle++, 0, member); });
  }
  WatchedNics& all_arrive() { return arrives(0).arrives(1).arrives(2); }
  WatchedNics& released(std::uint32_t member) {
    return show([&] { checker.released(cycle++, 0, member); });
  }
};

TEST_CASE("NIC barriers in their order pass, however often steps are repeated", "[checkers][nic]") {
  WatchedNics w;
  for (std::uint32_t b = 0; b < 600; ++b) {  // the number in a packet has 8 bits
    w.all_arrive().over(3, 0, 0, b).over(1, 0, 2, b).comes(1, 0, 2, b);
    w.over(0, 1, 1, b).released(1).over(0, 3, 1, b).released(2);
    w.over(0, 1, 1, b).released(0);  // asked for again
    if (b > 0) w.over(0, 3, 1, b - 1);
  }
  CHECK(w.reports == "");
}

TEST_CASE("a step before what it has to wait for is a breach", "[checkers][nic]") {
  WatchedNics early, step, next, list, peer;
  CHECK_THAT(early.sends(1, 0, 2).reports, Contains("before n1 has arrived"));
  CHECK_THAT(step.arrives(0).sends(0, 1, 1).reports, Contains("before that of n3 has come"));
  next.all_arrive().over(3, 0, 0).over(1, 0, 2).sends(0, 3, 1).released(0).arrives(0);
  CHECK(next.reports == "");
  CHECK_THAT(next.sends(0, 1, 1, 1).reports,
             Contains("barrier 1: step to n1, entry 1 before that of n3"));
  CHECK_THAT(list.arrives(1).sends(1, 0, 0).reports, Contains("is in no list"));
  CHECK_THAT(peer.arrives(1).sends(1, 3, 0).reports, Contains("is in no list"));
}

TEST_CASE("a release before all have arrived or all steps have come is a breach",
          "[checkers][nic]") {
  WatchedNics early, itself, step, twice;
  CHECK_THAT(early.arrives(1).released(1).reports, Contains("released before all have arrived"));
  CHECK_THAT(itself.released(1).reports, Contains("without having arrived"));
  CHECK_THAT(step.all_arrive().released(1).reports,
             Contains("released before the step of n0 has come"));
  CHECK_THAT(twice.arrives(1).arrives(1).reports, Contains("second arrival"));
}

TEST_CASE("chained remote writes name events, and each is sent and comes once in a barrier",
          "[checkers][nic]") {
  WatchedNics w(nic::ListForm::kChained);
  // n0: the doorbell and n3 count event 0, which writes to n1; n1 counts event 1.
  for (std::uint32_t b = 0; b < 300; ++b)
    w.all_arrive()
        .over(3, 0, 0, b)
        .over(1, 0, 1, b)
        .over(0, 1, 1, b)
        .over(0, 3, 1, b)
        .released(0)
        .released(1)
        .released(2);
  REQUIRE(w.reports == "");
  SECTION("another event") {
    CHECK_THAT(w.all_arrive().sends(1, 0, 2, 300).reports, Contains("is in no list"));
  }
  SECTION("sent again") {
    REQUIRE(w.all_arrive().sends(1, 0, 1, 300).reports == "");
    CHECK_THAT(w.sends(1, 0, 1, 300).reports, Contains("is not sent once in each barrier"));
  }
  SECTION("it comes again") { CHECK_THAT(w.comes(1, 0, 1, 299).reports, Contains("comes twice")); }
  SECTION("two of the next barrier") {
    REQUIRE(w.comes(1, 0, 1, 300).comes(1, 0, 1, 301).reports == "");
    CHECK_THAT(w.comes(1, 0, 1, 301).reports, Contains("comes twice"));
  }
}

TEST_CASE("packets of NICs are whole and between members", "[checkers][nic]") {
  WatchedNics w, sender, receiver, group, flit;
  nic::NicMessage m{.type = nic::NicType::kNack, .source = 0, .destination = 1};
  CHECK(w.message(Stage::kFromN0, m).reports == "");
  CHECK_THAT(sender.message(Stage::kFromN1, m).reports, Contains("is not between members"));
  m.destination = 2;
  CHECK_THAT(receiver.message(Stage::kFromN0, m).reports, Contains("is not between members"));
  m.destination = 1;
  m.group = 3;
  CHECK_THAT(group.message(Stage::kFromN0, m).reports, Contains("unknown group 3"));
  auto flits = nic::nic_flits(m, 0);
  flits[4].lo ^= 1;
  CHECK_THAT(flit.put(Stage::kFromN0, flits).reports, Contains("malformed"));
}

}  // namespace
}  // namespace muster::checkers
