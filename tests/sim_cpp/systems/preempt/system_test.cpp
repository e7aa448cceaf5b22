// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/system.hpp"

#include <functional>

#include "muster/systems/preempt.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::preempt {
namespace {

using nlohmann::json;

json run_json(const std::string& scheme, double load,
              const std::function<void(run::RunSpec&)>& change = {}) {
  static const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.by(scheme, {"paper", "random:3"});
  spec.load_flits = load * subject.route_bound();
  if (change) change(spec);
  const run::RunResult result = run::run_barriers(spec);
  return test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
}

TEST_CASE("the bound of a hop is that of the architecture and its channels", "[preempt][json]") {
  const auto bound = [](const std::string& scheme, std::uint32_t vcs) {
    const json out = run_json(scheme, 0.5, [&](run::RunSpec& spec) {
      spec.config = fabric::SwitchConfig{
          .name = "test", .vcs = vcs, .kind = scheme == "bsr-1" ? &kBsr1 : &kBsr2};
    });
    CHECK(out["violations"] == 0);
    CHECK(out["data_channels"] == vcs);
    return out["bound_hop_wait_cycles"];
  };
  CHECK(bound("bsr-1", 1) == 19);
  CHECK(bound("bsr-2", 1) == 19);
  CHECK(bound("bsr-1", 2) == 3);
  CHECK(bound("bsr-2", 2) == 20);
}

TEST_CASE("groups that no built configuration has entries for leave I and II different machines",
          "[preempt][json]") {
  for (const auto& [scheme, bound] : {std::pair{"bsr-1", 3}, std::pair{"bsr-2", 20}}) {
    const json out = run_json(scheme, 0.2, [](run::RunSpec& spec) {
      spec.groups.assign(5, spec.groups.front());
      spec.barriers = 2;
    });
    CAPTURE(scheme);
    CHECK(out["parameters"]["config"]["name"] == "fit");
    CHECK(out["data_channels"] == 2);
    CHECK(out["bound_hop_wait_cycles"] == bound);
    CHECK(out["max_hop_wait_cycles"] <= bound);
  }
}

}  // namespace

}  // namespace muster::preempt
