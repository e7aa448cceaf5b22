// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "run/recording/recorder.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::test {

/// A run with what was recorded of it.
struct Recorded {
  std::shared_ptr<run::Recorder> recorder;
  run::RunResult result;
  const run::Recording* recording;
};

inline Recorded record(run::RunSpec spec, std::uint64_t from = 0, std::uint64_t to = 1'000'000) {
  Recorded r{std::make_shared<run::Recorder>(from, to), {}, nullptr};
  spec.watcher = r.recorder;
  r.result = run::run_barriers(spec);
  REQUIRE(r.result.violations.empty());
  r.recording = &r.recorder->recording();
  return r;
}

inline run::RunSpec spec_of(const Subject& subject, const std::string& scheme) {
  run::RunSpec spec = subject.spec({"paper", "random:5"});
  spec.scheme = scheme;
  spec.barriers = 6;
  spec.load_flits = 0.02;
  return spec;
}

}  // namespace muster::test
