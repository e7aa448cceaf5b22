// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/register_packets.hpp"

#include "fabric/register_packets.hpp"
#include "stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;
using fabric::AccessStatus;
using fabric::RegisterAccess;
using fabric::RegisterAnswer;

constexpr std::uint32_t kSwitch0 = 4, kSwitch1 = 5;  ///< destinations: the nodes first

/// What n0 asks of switch 1 where a test says nothing else.
RegisterAccess read() { return {.destination = kSwitch1, .source = 0, .tag = 3, .address = 0x41}; }
RegisterAccess write() {
  return {.destination = kSwitch1,
          .source = 0,
          .tag = 3,
          .write = true,
          .address = 0x41,
          .old = 0x1234'5678,
          .value = 7};
}
/// And the answer to it.
RegisterAnswer answer(AccessStatus status = AccessStatus::kDone,
                      std::uint32_t before = 0x1234'5678) {
  return {.destination = 0,
          .by = kSwitch1,
          .tag = 3,
          .status = status,
          .address = 0x41,
          .before = before};
}

std::vector<core::Flit> flits_of(const RegisterAnswer& a) {
  const std::uint32_t words[] = {
      a.destination | std::uint32_t{fabric::kOpcodeAnswer} << fabric::kDestinationWidth,
      a.by | a.tag << fabric::kSourceWidth, a.address | static_cast<std::uint32_t>(a.status) << 12,
      a.before, a.before >> 16};
  return fabric::word_packet(words, 0);
}
std::vector<core::Flit> flits_of(const RegisterAccess& a) { return fabric::register_request(a, 0); }

struct WatchedAccesses {
  Stage stage;
  RegisterPackets checker{stage.subject()};
  std::uint64_t cycle = 0;

  std::string shows(core::ChannelId channel, const std::vector<core::Flit>& flits) {
    return report_of([&] {
      for (const core::Flit& flit : flits) checker.flit(cycle++, {channel, flit});
    });
  }
  std::string asks(const RegisterAccess& request) {
    return shows(Stage::kFromN0, flits_of(request));
  }
  std::string hears(const RegisterAnswer& a) { return shows(Stage::kToN0, flits_of(a)); }
};

TEST_CASE("answers to reads and writes pass, lost requests and other packets too",
          "[checkers][registers]") {
  WatchedAccesses w;
  CHECK(w.asks(read()) == "");
  CHECK(w.asks(read()) == "");  // the first was dropped, and is repeated
  CHECK(w.hears(answer(AccessStatus::kDone, 99)) == "");
  CHECK(w.asks(write()) == "");
  CHECK(w.hears(answer()) == "");
  CHECK(w.asks(write()) == "");
  CHECK(w.hears(answer(AccessStatus::kDiffers, 0)) == "");
  for (const AccessStatus refused : {AccessStatus::kNoPermit, AccessStatus::kNotWritable}) {
    CHECK(w.asks(write()) == "");
    CHECK(w.hears(answer(refused, 0)) == "");
  }
  for (const RegisterAccess& busy : {read(), write()}) {
    CHECK(w.asks(busy) == "");
    CHECK(w.hears(answer(AccessStatus::kBusy, 0)) == "");
  }
  const std::uint64_t before = w.checker.checks();
  CHECK(before > 0);
  CHECK(w.shows(Stage::kFromN0, {Stage::flit(kHead, 2), Stage::flit(kTail, 0)}) == "");
  CHECK(w.shows(Stage::kToN0, {Stage::flit(kSync)}) == "");
  CHECK(w.checker.checks() == before);
}

TEST_CASE("two requests of a node with tags of their own may be answered in any order",
          "[checkers][registers]") {
  WatchedAccesses w;
  RegisterAccess other = read();
  other.tag = 4;
  other.destination = kSwitch0;
  RegisterAnswer late = answer();
  late.tag = 4;
  late.by = kSwitch0;
  CHECK(w.asks(read()) == "");
  CHECK(w.asks(other) == "");
  CHECK(w.hears(late) == "");
  CHECK(w.hears(answer()) == "");
}

TEST_CASE("flits of requests in two virtual channels of a link may alternate",
          "[checkers][registers]") {
  WatchedAccesses w;
  RegisterAccess other = read();
  other.tag = 9;
  const auto first = fabric::register_request(read(), 0);
  const auto second = fabric::register_request(other, 1);
  std::vector<core::Flit> mixed;
  for (std::size_t i = 0; i < first.size(); ++i) {
    mixed.push_back(first[i]);
    mixed.push_back(second[i]);
  }
  CHECK(w.shows(Stage::kFromN0, mixed) == "");
  RegisterAnswer to_other = answer();
  to_other.tag = 9;
  CHECK(w.hears(to_other) == "");
  CHECK(w.hears(answer()) == "");
}

TEST_CASE("a request in the name of another, to a node, too short or too long is reported",
          "[checkers][registers]") {
  RegisterAccess bad = read();
  auto flits = flits_of(read());
  SECTION("another node's name") {
    bad.source = 1;
    flits = flits_of(bad);
  }
  SECTION("to a node") {
    bad.destination = 3;
    flits = flits_of(bad);
  }
  SECTION("a flit is missing") { flits.erase(flits.begin() + 5); }
  SECTION("a flit too many") { flits.insert(flits.begin() + 5, flits[5]); }
  CHECK_THAT(WatchedAccesses{}.shows(Stage::kFromN0, flits),
             Contains("n0 -> 0:1: checker register packets: register request of ") &&
                 Contains(" flits for destination "));
}

TEST_CASE("an answer that a node sends, or a request that reaches one, is reported",
          "[checkers][registers]") {
  CHECK_THAT(WatchedAccesses{}.shows(Stage::kFromN0, flits_of(answer())),
             Contains("packet with opcode 2 from a node"));
  CHECK_THAT(WatchedAccesses{}.shows(Stage::kToN0, flits_of(read())),
             Contains("packet with opcode 1 to a node"));
}

TEST_CASE("an answer without a request is reported", "[checkers][registers]") {
  WatchedAccesses w;
  CHECK_THAT(w.hears(answer()), Contains("cycle 4, 0:1 -> n0: checker register packets: answer of "
                                         "destination 5 with tag 3") &&
                                    Contains("to no request"));
  REQUIRE(w.asks(read()) == "");
  RegisterAnswer bad = answer();
  SECTION("of another tag") { bad.tag = 2; }
  SECTION("of another switch") { bad.by = kSwitch0; }
  SECTION("about another address") { bad.address = 0x40; }
  SECTION("for another node") { bad.destination = 1; }
  SECTION("a second time") { REQUIRE(w.hears(answer()) == ""); }
  CHECK_THAT(w.hears(bad), Contains("to no request"));
}

TEST_CASE("an answer reaches the node that has asked, no other", "[checkers][registers]") {
  WatchedAccesses w;
  REQUIRE(w.asks(read()) == "");
  CHECK_THAT(w.shows(Stage::kToN1, flits_of(answer())), Contains("to no request"));
}

TEST_CASE("an answer of another length is reported", "[checkers][registers]") {
  WatchedAccesses w;
  REQUIRE(w.asks(read()) == "");
  auto flits = flits_of(answer());
  SECTION("short") { flits.erase(flits.begin() + 3); }
  SECTION("long") { flits.insert(flits.begin() + 3, flits[3]); }
  CHECK_THAT(w.shows(Stage::kToN0, flits),
             Contains("register answer of " + std::to_string(flits.size()) + " flits"));
}

TEST_CASE("a status that does not fit the word is reported", "[checkers][registers]") {
  const auto said = [](const RegisterAccess& request, const RegisterAnswer& a) {
    WatchedAccesses w;
    REQUIRE(w.asks(request) == "");
    return w.hears(a);
  };
  CHECK_THAT(said(write(), answer(AccessStatus::kDone, 0x1234'5679)),
             Contains("status 0, address 0x041, word 0x12345679 to a write that expected "
                      "0x12345678"));
  // The upper half of the word counts too.
  CHECK_THAT(said(write(), answer(AccessStatus::kDone, 0x1235'5678)), Contains("to a write"));
  CHECK_THAT(said(write(), answer(AccessStatus::kDiffers)), Contains("status 1"));
  CHECK_THAT(said(write(), answer(static_cast<AccessStatus>(5))), Contains("status 5"));
  CHECK_THAT(said(read(), answer(AccessStatus::kBusy)), Contains("status 4"));
  for (const AccessStatus status :
       {AccessStatus::kDiffers, AccessStatus::kNoPermit, AccessStatus::kNotWritable})
    CHECK_THAT(said(read(), answer(status)), Contains("to a read"));
}

}  // namespace
}  // namespace muster::checkers
