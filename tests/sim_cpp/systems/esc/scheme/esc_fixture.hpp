// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/golden_engine.hpp"
#include "support/seed.hpp"
#include "systems/esc/scheme/batch.hpp"

namespace muster::test {

/// A small network with little warm-up.
inline esc::Spec small_spec(std::uint32_t pes, std::uint32_t n, const std::string& policy) {
  esc::Spec spec;
  spec.pes = pes;
  spec.box.size = n;
  spec.sessions = 2;
  spec.sigma = 5;
  spec.mean = 200;
  spec.seed = muster_seed();
  esc::set_policy(spec, policy);
  return spec;
}

inline esc::BatchResult run_golden(const esc::Spec& spec) {
  return esc::run_batch(spec, *run::make_golden_engine());
}

}  // namespace muster::test
