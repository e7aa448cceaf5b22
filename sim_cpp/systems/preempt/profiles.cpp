// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/profiles.hpp"

namespace muster::preempt {

namespace {
run::Profile with_startup(const char* name, std::uint32_t startup) {
  return {.name = name, .arrive = startup / 2, .leave = startup - startup / 2};
}
}  // namespace

std::vector<run::Profile> paper_profiles() {
  return {with_startup("ts-100", 100), with_startup("ts-1000", 1000)};
}

}  // namespace muster::preempt
