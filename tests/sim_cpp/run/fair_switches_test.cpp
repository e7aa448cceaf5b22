// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/fabric/formats.hpp"
#include "muster/run/resolve.hpp"
#include "muster/run/result_io.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;

fabric::SwitchConfig chosen(const test::Subject& subject, const std::string& scheme) {
  RunSpec spec = subject.spec({"random:6"});
  spec.scheme = scheme;
  return resolve(spec)->config;
}

TEST_CASE("all schemes of a network get the same channels, depth and width", "[run][fair]") {
  const topology::Graph large = topology::generate_irregular(
      {.switches = 40, .nodes = 200, .ports = 12, .connectivity = 0.75, .seed = 3});
  for (const test::Subject& subject :
       {test::Subject::figure1(), test::Subject(topology::generate_mesh(4, 4)),
        test::Subject(large)}) {
    const fabric::SwitchConfig first = chosen(subject, "btin");
    CHECK((first.vcs == 2 && first.depth == 4 && first.flit_w == 16));
    for (const auto& system : systems())
      for (const SchemeFactory& scheme : system->schemes()) {
        CAPTURE(subject.graph.name, scheme.name);
        const fabric::SwitchConfig config = chosen(subject, scheme.name);
        CHECK(config.vcs == first.vcs);
        CHECK(config.flit_w == first.flit_w);
        // An input queue of a switch with a barrier unit holds a message of it.
        CHECK(config.depth ==
              (scheme.name == "tree-units" ? fabric::kBarrierPacketFlits : first.depth));
      }
  }
}

TEST_CASE("the first line of a report tells the switches and who else gets them", "[run][fair]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  const auto line = [&] { return switches_to_text(spec, resolve(spec)->config); };
  CHECK(line() ==
        "switches     sw8: 8 ports, 2 virtual channels of 4 flits, 16 bits wide, barrier kind; "
        "every scheme gets the same channels\n");
  spec.parts.make<btin::Spec>().retry = true;
  CHECK_THAT(line(), Contains("sw8r: 8 ports, 1 virtual channel of 4 flits") &&
                         Contains("other schemes get 2 virtual channels"));
  spec.config = resolve(spec)->config;
  CHECK_THAT(line(), Contains("; as named"));
}

}  // namespace
}  // namespace muster::run
