// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "sw/driver_bench.hpp"

using namespace muster;
using namespace muster::driven;

TEST_CASE("a link that is down is started again, and no other", "[driver]") {
  Words memory;
  memory.words = {{0, 0x4D530805}, {1, 2u << 24 | 1u << 16 | 7u << 8 | 2}};
  const muster_bus bus = memory.bus();
  muster_link link{};
  REQUIRE(muster_link_open(&link, &bus) == MUSTER_OK);
  const muster_link_status up = muster_link_read(&link);
  CHECK(up.state == MUSTER_LINK_STATE_UP);
  CHECK(up.replays == 7);
  CHECK(up.rejected == 1);
  CHECK(up.lost == 2);
  CHECK(muster_link_wait_up(&link, 1) == MUSTER_OK);
  CHECK(muster_link_retrain(&link) == MUSTER_NOT_DOWN);
  memory.words[1] = 1u << 5 | 1u << 2 | 3;
  const muster_link_status down = muster_link_read(&link);
  CHECK(down.drained);
  CHECK(std::string(muster_link_state_text(down.state)) == "down");
  CHECK(std::string(muster_link_reason_text(down.reason)) == "the other end is silent");
  CHECK(muster_link_wait_up(&link, 3) == MUSTER_TIMEOUT);
  CHECK(muster_link_retrain(&link) == MUSTER_OK);
  CHECK(memory.words[1] == 1);
  muster_link_take_down(&link);
  CHECK(memory.words[1] == 2);
  muster_link_clear_counters(&link);
  CHECK(memory.words[1] == 4);
}

namespace {
/// A member that is released at the nth look at its state.
struct Looked {
  unsigned looks = 0, released_at = 0;
  std::uint32_t operand = 0, always = 0;
  bool interrupt = false;
  muster_member member(bool interrupts = true) {
    return {[](void* at, std::uint32_t word) { static_cast<Looked*>(at)->operand = word; },
            [](void* at) {
              auto& self = *static_cast<Looked*>(at);
              const bool released = self.released_at != 0 && ++self.looks > self.released_at;
              return self.always | (released ? MUSTER_MEMBER_RELEASED : 0u);
            },
            [](void* at) { return static_cast<Looked*>(at)->operand + 1; },
            interrupts ? [](void* at, bool on) { static_cast<Looked*>(at)->interrupt = on; }
                       : static_cast<void (*)(void*, bool)>(nullptr),
            this};
  }
};
}  // namespace

TEST_CASE("a member arrives once, and waits no longer than it is told", "[driver]") {
  Looked looked;
  const muster_member member = looked.member();
  CHECK(muster_arrive(&member, 7) == MUSTER_OK);
  CHECK(looked.operand == 7);
  CHECK(muster_test(&member) == MUSTER_UNDER_WAY);
  std::uint32_t result = 0;
  CHECK(muster_wait(&member, 10, &result) == MUSTER_TIMEOUT);
  CHECK(result == 0);
  looked.released_at = 5;
  CHECK(muster_wait(&member, 5, &result) == MUSTER_TIMEOUT);
  CHECK(muster_wait(&member, 1, &result) == MUSTER_OK);
  CHECK(result == 8);
  looked.always = MUSTER_MEMBER_WAITING;
  CHECK(muster_arrive(&member, 9) == MUSTER_UNDER_WAY);
  CHECK(looked.operand == 7);
  looked.always = MUSTER_MEMBER_REFUSED;
  CHECK(muster_arrive(&member, 9) == MUSTER_REFUSED);
  looked.always = MUSTER_MEMBER_FAILED;
  CHECK(muster_wait(&member, 1, nullptr) == MUSTER_FAILED);
  CHECK(muster_interrupt(&member, true) == MUSTER_OK);
  CHECK(looked.interrupt);
  const muster_member silent = looked.member(false);
  CHECK(muster_interrupt(&silent, true) == MUSTER_NOT_SUPPORTED);
}
