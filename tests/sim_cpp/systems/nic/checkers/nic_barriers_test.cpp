// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/checkers/nic_barriers.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;
using nic::NicMessage;
using nic::NicType;
using nic::StepAlgorithm;

/// Group 0: n0, n1 and n3, pairwise exchange: n3 (rank 2) is folded to n0. n0: wait n3, send n1,
/// wait n1, send n3. n1: send n0, wait n0. n3: send n0, wait n0.
struct Watched {
  explicit Watched(nic::ListForm list_form = nic::ListForm::kList) : form(list_form) {}

  nic::ListForm form;
  Stage stage;
  NicBarriers checker{
      stage.subject(),
      {{0, {0, 1, 3}, nic::step_lists(StepAlgorithm::kPairwise, 3, 0), form, false}}};
  std::uint64_t cycle = 0;

  std::string put(core::ChannelId channel, const NicMessage& m) {
    return report_of([&] {
      for (const core::Flit& flit : nic::nic_flits(m, 0)) checker.flit(cycle++, {channel, flit});
    });
  }
  static NicMessage step(std::uint32_t from, std::uint32_t to, std::uint8_t slot,
                         std::uint32_t barrier) {
    return {.source = from,
            .destination = to,
            .slot = slot,
            .barrier = static_cast<std::uint8_t>(barrier)};
  }
  std::string sends(std::uint32_t from, std::uint32_t to, std::uint8_t slot, std::uint32_t b = 0) {
    return put(stage.layout.into_switch(from), step(from, to, slot, b));
  }
  std::string comes(std::uint32_t from, std::uint32_t to, std::uint8_t slot, std::uint32_t b = 0) {
    return put(stage.layout.into_node(to), step(from, to, slot, b));
  }
  std::string arrives(std::uint32_t member) {
    return report_of([&] { checker.arrived(cycle++, 0, member); });
  }
  std::string released(std::uint32_t member) {
    return report_of([&] { checker.released(cycle++, 0, member); });
  }
  /// Sent and come.
  std::string over(std::uint32_t from, std::uint32_t to, std::uint8_t slot, std::uint32_t b = 0) {
    const std::string sent = sends(from, to, slot, b);
    return sent + comes(from, to, slot, b);
  }
};

TEST_CASE("NIC barriers in their order pass, however often steps are repeated", "[checkers][nic]") {
  Watched w;
  for (std::uint32_t b = 0; b < 600; ++b) {  // the number in a packet has 8 bits
    for (std::uint32_t m = 0; m < 3; ++m) REQUIRE(w.arrives(m) == "");
    REQUIRE(w.over(3, 0, 0, b) == "");
    REQUIRE(w.over(1, 0, 2, b) == "");
    REQUIRE(w.comes(1, 0, 2, b) == "");
    REQUIRE(w.over(0, 1, 1, b) == "");
    REQUIRE(w.released(1) == "");
    REQUIRE(w.over(0, 3, 1, b) == "");
    REQUIRE(w.released(2) == "");
    REQUIRE(w.over(0, 1, 1, b) == "");  // asked for again
    REQUIRE(w.released(0) == "");
    if (b > 0) REQUIRE(w.over(0, 3, 1, b - 1) == "");
  }
}

TEST_CASE("a step before what it has to wait for is a breach", "[checkers][nic]") {
  Watched w;
  SECTION("its sender's arrival") {
    CHECK_THAT(w.sends(1, 0, 2), Contains("before n1 has arrived"));
  }
  SECTION("another's step") {
    REQUIRE(w.arrives(0) == "");
    CHECK_THAT(w.sends(0, 1, 1), Contains("before that of n3 has come"));
  }
  SECTION("another's step of this barrier") {
    for (std::uint32_t m = 0; m < 3; ++m) REQUIRE(w.arrives(m) == "");
    REQUIRE(w.over(3, 0, 0) == "");
    REQUIRE(w.over(1, 0, 2) == "");
    REQUIRE(w.sends(0, 3, 1) == "");
    REQUIRE(w.released(0) == "");
    REQUIRE(w.arrives(0) == "");
    CHECK_THAT(w.sends(0, 1, 1, 1), Contains("barrier 1: step to n1, entry 1 before that of n3"));
  }
  SECTION("a list that has it") {
    REQUIRE(w.arrives(1) == "");
    CHECK_THAT(w.sends(1, 0, 0), Contains("is in no list"));
    CHECK_THAT(w.sends(1, 3, 0), Contains("is in no list"));
  }
}

TEST_CASE("a release before all have arrived or all steps have come is a breach",
          "[checkers][nic]") {
  Watched w;
  SECTION("not all have arrived") {
    REQUIRE(w.arrives(1) == "");
    CHECK_THAT(w.released(1), Contains("released before all have arrived"));
  }
  SECTION("it has not arrived itself") {
    CHECK_THAT(w.released(1), Contains("without having arrived"));
  }
  SECTION("a step has not come") {
    for (std::uint32_t m = 0; m < 3; ++m) REQUIRE(w.arrives(m) == "");
    CHECK_THAT(w.released(1), Contains("released before the step of n0 has come"));
  }
  SECTION("it has arrived twice") {
    REQUIRE(w.arrives(1) == "");
    CHECK_THAT(w.arrives(1), Contains("second arrival"));
  }
}

TEST_CASE("chained remote writes name events, and each is sent and comes once in a barrier",
          "[checkers][nic]") {
  Watched w(nic::ListForm::kChained);
  // n0: the doorbell and n3 count event 0, which writes to n1; n1 counts event 1.
  const auto barrier = [&](std::uint32_t b) {
    for (std::uint32_t m = 0; m < 3; ++m) REQUIRE(w.arrives(m) == "");
    REQUIRE(w.over(3, 0, 0, b) == "");
    REQUIRE(w.over(1, 0, 1, b) == "");
    REQUIRE(w.over(0, 1, 1, b) == "");
    REQUIRE(w.over(0, 3, 1, b) == "");
    for (std::uint32_t m = 0; m < 3; ++m) REQUIRE(w.released(m) == "");
  };
  for (std::uint32_t b = 0; b < 300; ++b) barrier(b);
  SECTION("another event") {
    for (std::uint32_t m = 0; m < 3; ++m) REQUIRE(w.arrives(m) == "");
    CHECK_THAT(w.sends(1, 0, 2, 300), Contains("is in no list"));
  }
  SECTION("sent again") {
    for (std::uint32_t m = 0; m < 3; ++m) REQUIRE(w.arrives(m) == "");
    REQUIRE(w.sends(1, 0, 1, 300) == "");
    CHECK_THAT(w.sends(1, 0, 1, 300), Contains("is not sent once in each barrier"));
  }
  SECTION("it comes again") { CHECK_THAT(w.comes(1, 0, 1, 299), Contains("comes twice")); }
  SECTION("two of the next barrier") {
    REQUIRE(w.comes(1, 0, 1, 300) == "");
    REQUIRE(w.comes(1, 0, 1, 301) == "");
    CHECK_THAT(w.comes(1, 0, 1, 301), Contains("comes twice"));
  }
}

TEST_CASE("packets of NICs are whole and between members", "[checkers][nic]") {
  Watched w;
  NicMessage m{.type = NicType::kNack, .source = 0, .destination = 1};
  CHECK(w.put(w.stage.layout.into_switch(0), m) == "");
  CHECK_THAT(w.put(w.stage.layout.into_switch(1), m), Contains("is not between members"));
  m.destination = 2;
  CHECK_THAT(w.put(w.stage.layout.into_switch(0), m), Contains("is not between members"));
  m.destination = 1;
  m.group = 3;
  CHECK_THAT(w.put(w.stage.layout.into_switch(0), m), Contains("unknown group 3"));
  auto flits = nic::nic_flits(m, 0);
  flits[4].lo ^= 1;
  CHECK_THAT(report_of([&] {
               for (const core::Flit& flit : flits)
                 w.checker.flit(w.cycle++, {Stage::kFromN0, flit});
             }),
             Contains("malformed"));
}

}  // namespace
}  // namespace muster::checkers
