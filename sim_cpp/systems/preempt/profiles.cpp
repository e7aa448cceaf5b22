// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/profiles.hpp"

namespace muster::preempt {

namespace {
constexpr std::uint32_t kHop = 16;  // T_b, cycles

run::Profile with_startup(const char* name, std::uint32_t startup, std::uint32_t hop = 0) {
  return {.name = name, .arrive = startup / 2, .leave = startup - startup / 2, .hop = hop};
}
}  // namespace

std::vector<run::Profile> paper_profiles() {
  return {with_startup("ts-100", 100), with_startup("ts-1000", 1000),
          with_startup("ts-100-tb-16", 100, kHop), with_startup("ts-1000-tb-16", 1000, kHop)};
}

}  // namespace muster::preempt
