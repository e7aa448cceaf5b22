// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/register_packets.hpp"

#include "fabric/register_packets.hpp"
#include "stage.hpp"

namespace muster::checkers {
namespace {

using fabric::AccessStatus;
using fabric::RegisterAccess;
using fabric::RegisterAnswer;

constexpr std::uint32_t kSwitch0 = 4, kSwitch1 = 5;  ///< destinations: the nodes first

/// What n0 asks of switch 1 where a test says nothing else.
RegisterAccess read() { return {.destination = kSwitch1, .source = 0, .tag = 3, .address = 0x41}; }
RegisterAccess write() {
  RegisterAccess access = read();
  access.write = true;
  access.old = 0x1234'5678;
  access.value = 7;
  return access;
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

TEST_CASE("a node sends whole requests to switches in its own name", "[checkers][registers]") {
  RegisterAccess other = read(), to_node = read();
  other.source = 1;
  to_node.destination = 3;
  auto shorter = flits_of(read()), longer = shorter;
  shorter.erase(shorter.begin() + 5);
  longer.insert(longer.begin() + 5, longer[5]);
  for (const auto& flits : {flits_of(other), flits_of(to_node), shorter, longer})
    CHECK_THAT(WatchedAccesses{}.shows(Stage::kFromN0, flits),
               Contains("n0 -> 0:1: checker register packets: register request of ") &&
                   Contains(" flits for destination "));
  CHECK_THAT(WatchedAccesses{}.shows(Stage::kFromN0, flits_of(answer())),
             Contains("packet with opcode 2 from a node"));
  CHECK_THAT(WatchedAccesses{}.shows(Stage::kToN0, flits_of(read())),
             Contains("packet with opcode 1 to a node"));
}

TEST_CASE("an answer is whole, and to a request of its node", "[checkers][registers]") {
  WatchedAccesses none, twice;
  CHECK_THAT(none.hears(answer()),
             Contains("cycle 4, 0:1 -> n0: checker register packets: answer of destination 5 with "
                      "tag 3") &&
                 Contains("to no request"));
  REQUIRE(twice.asks(read()) == "");
  REQUIRE(twice.hears(answer()) == "");
  CHECK_THAT(twice.hears(answer()), Contains("to no request"));
  RegisterAnswer tag = answer(), by = answer(), address = answer(), other = answer();
  tag.tag = 2;
  by.by = kSwitch0;
  address.address = 0x40;
  other.destination = 1;
  auto shorter = flits_of(answer()), longer = shorter;
  shorter.erase(shorter.begin() + 3);
  longer.insert(longer.begin() + 3, longer[3]);
  struct Row {
    std::vector<core::Flit> flits;
    const char* token;
    core::ChannelId channel = Stage::kToN0;
  };
  for (const Row& row : {Row{flits_of(tag), "to no request"},
                         {flits_of(by), "to no request"},
                         {flits_of(address), "to no request"},
                         {flits_of(other), "to no request"},
                         {flits_of(answer()), "to no request", Stage::kToN1},
                         {shorter, "register answer of 4 flits"},
                         {longer, "register answer of 6 flits"}}) {
    WatchedAccesses w;
    REQUIRE(w.asks(read()) == "");
    CHECK_THAT(w.shows(row.channel, row.flits), Contains(row.token));
  }
}

TEST_CASE("a status that does not fit the word is reported", "[checkers][registers]") {
  const auto said = [](const RegisterAccess& request, const RegisterAnswer& a, const char* token) {
    WatchedAccesses w;
    REQUIRE(w.asks(request) == "");
    CHECK_THAT(w.hears(a), Contains(token));
  };
  said(write(), answer(AccessStatus::kDone, 0x1234'5679),
       "status 0, address 0x041, word 0x12345679 to a write that expected 0x12345678");
  // The upper half of the word counts too.
  said(write(), answer(AccessStatus::kDone, 0x1235'5678), "to a write");
  said(write(), answer(AccessStatus::kDiffers), "status 1");
  said(write(), answer(static_cast<AccessStatus>(5)), "status 5");
  said(read(), answer(AccessStatus::kBusy), "status 4");
  for (const AccessStatus status :
       {AccessStatus::kDiffers, AccessStatus::kNoPermit, AccessStatus::kNotWritable})
    said(read(), answer(status), "to a read");
}

}  // namespace
}  // namespace muster::checkers
