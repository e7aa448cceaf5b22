// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {

// What a program that uses the library supplies, and what it leaves out.
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// The least that a specification must say.
RunSpec smallest() {
  RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::generate_mesh(3, 3));
  spec.groups = {{"all", topology::parse_group(*spec.graph, "all", 1)}};
  spec.barriers = 3;
  return spec;
}

/// All packets go to one node.
class HotSpot : public Pattern {
 public:
  explicit HotSpot(std::uint32_t node) : node_(node) {}
  std::uint32_t destination(std::uint32_t, Rng&) const override { return node_; }

 private:
  std::uint32_t node_;
};

/// Counts heads on the channels into nodes.
class Heads : public core::Observer {
 public:
  explicit Heads(const topology::Graph& graph) : layout(graph), into(graph.nodes()) {}
  void observe(std::uint64_t, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& event : flits)
      for (std::uint32_t n = 0; n < into.size(); ++n)
        if (event.flit.head() && event.channel == layout.into_node(n)) ++into[n];
  }
  fabric::Layout layout;
  std::vector<std::uint32_t> into;
};

TEST_CASE("a pattern and an observer of the caller's are used", "[run][spec]") {
  RunSpec spec = smallest();
  const auto heads = std::make_shared<Heads>(*spec.graph);
  spec.observers = {heads};
  spec.load_flits = 0.02;
  spec.min_cycles = 2000;
  spec.pattern = std::make_shared<HotSpot>(4);
  const RunResult result = test::passes(spec);
  CHECK(heads->into[4] == result.data->started);  // the network is empty at the end
  CHECK(heads->into[4] > 0);
  CHECK(heads->into[3] == 0);
  spec.pattern = std::make_shared<HotSpot>(9);
  CHECK_THROWS_WITH(run_barriers(spec), Contains("sends to node 9; there are 9"));
}

TEST_CASE("loads, periods and faults that cannot be are refused", "[run][spec]") {
  const test::Subject subject(test::star(3)), lonely(test::star(1));
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  const auto refused = [](RunSpec spec, const std::string& token, auto&& change) {
    CHECK_NOTHROW(resolve(spec));
    change(spec);
    CHECK_THROWS_AS(resolve(spec), InputError);
    CHECK_THROWS_WITH(resolve(spec), Contains(token));
  };
  RunSpec spec = subject.spec({"all"});
  refused(spec, "--wave: engine golden has", [](RunSpec& s) { s.bank.wave_file = "a.fst"; });
  for (const double ns : {0.0, -1.0, nan, infinite})
    refused(spec, "clock_ns", [&](RunSpec& s) { s.profile.clock_ns = ns; });
  for (const double load : {-0.1, nan, infinite, -infinite})
    refused(spec, "load: ", [&](RunSpec& s) { s.load_flits = load; });
  refused(spec, "--barriers 0: ", [](RunSpec& s) { s.barriers = 0; });
  refused(lonely.spec({"all"}), "two nodes", [](RunSpec& s) { s.load_flits = 0.1; });
  spec.stopped = {{5, 0, true, true}};  // the last of three nodes
  refused(spec, "fault: there is no channel 6", [](RunSpec& s) { s.stopped[0].channel = 6; });
  spec = subject.spec({});
  spec.barriers = 0;
  CHECK_NOTHROW(resolve(spec));
}

TEST_CASE("routes of another network are refused before the first cycle", "[run][spec]") {
  const test::Subject mesh(topology::generate_mesh(3, 3)), line(topology::generate_mesh(9, 1));
  RunSpec spec = mesh.spec({"all"});
  CHECK_NOTHROW(resolve(spec));
  spec.routes = core::borrowed(line.routes);
  CHECK_THROWS_WITH(resolve(spec), StartsWith("routes: "));
  CHECK_THROWS_AS(resolve(spec), InputError);
}

}  // namespace

}  // namespace muster::run
