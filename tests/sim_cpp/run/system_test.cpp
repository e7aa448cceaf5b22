// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "core/record.hpp"
#include "fabric/configurations.hpp"
#include "muster/run/command.hpp"
#include "muster/systems/preempt.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::run {
namespace {

/// A system with these names.
struct Names {
  std::string name = "ring";
  std::vector<std::string> schemes{"ring", "two-rings"};

  System::About about() const {
    System::About all{.name = name};
    for (const std::string& scheme : schemes)
      all.schemes.push_back({.name = scheme, .about = {}, .plan = nullptr});
    return all;
  }
};

TEST_CASE("a system whose name or scheme is taken is refused with both named",
          "[run][system][errors]") {
  const auto refused = [](const char* reason, auto&& change) {
    Names ring;
    change(ring);
    CHECK_THROWS_WITH(check_names(System(ring.about())), "system '" + ring.name + "': " + reason);
    CHECK_THROWS_AS(add_system(std::make_unique<System>(ring.about())), InternalError);
  };
  refused("another system has this name", [](Names& ring) { ring.name = "btin"; });
  refused("scheme 'unicast' is taken by system 'packets'",
          [](Names& ring) { ring.schemes.emplace_back("unicast"); });
  refused("scheme 'ring' is taken by itself",
          [](Names& ring) { ring.schemes.emplace_back("ring"); });
  for (const auto& system : systems()) CHECK(system->name() != "ring");
}

// What only one system has, set and read with public headers only.

RunSpec on_mesh(const char* scheme) {
  RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::generate_mesh(3, 3));
  spec.groups = {{"all", topology::parse_group(*spec.graph, "all", 1)}};
  spec.scheme = scheme;
  return spec;
}

TEST_CASE("what only another system has is refused", "[run][spec]") {
  RunSpec spec = on_mesh("btin");
  own<preempt::Spec>(spec).gap = 3;
  CHECK_THROWS_WITH(run_barriers(spec),
                    "RunSpec::own: of system 'preempt', but scheme 'btin' is of system 'btin'");
  CHECK_THROWS_WITH(own<btin::Spec>(spec), Contains("of system 'preempt', not of 'btin'"));
  spec = on_mesh("btin");
  auto& choice = own<btin::Spec>(spec);
  choice.in_band = true;
  choice.requests = {{.group = 1, .barrier = 2}};
  CHECK_THROWS_AS(run_barriers(spec), InputError);
}

/// The error of bad input names the option, the text and, behind "is not", what is expected.
void refused(const std::function<void()>& read, const std::string& text, const std::string& range) {
  CHECK_THROWS_AS(read(), InputError);
  CHECK_THROWS_WITH(read(), Contains("'" + text + "' is not a whole number from " + range));
}

TEST_CASE("a number is decimal digits of at most 64 bits and nothing else", "[run][options]") {
  CHECK(number("0", "--x") == 0);
  CHECK(number("007", "--x") == 7);
  CHECK(number("18446744073709551615", "--x") == ~std::uint64_t{0});
  for (const char* wrong : {"", "-1", "+1", " 1", "1 ", "1.0", "0x10", "1e3", "ten", "1,000",
                            "18446744073709551616", "99999999999999999999999"})
    refused([&] { number(wrong, "--x"); }, wrong, "0 to 18446744073709551615");
  CHECK(number("3", "--x", 3, 4) == 3);
  for (const char* outside : {"2", "5", "-3"})
    refused([&] { number(outside, "--x", 3, 4); }, outside, "3 to 4");
  CHECK(number32("4294967295", "--y") == 0xffff'ffffu);
  for (const char* wrong : {"4294967296", "x"})
    refused([&] { number32(wrong, "--y"); }, wrong, "0 to 4294967295");
}

// What a system from outside the tree adds to the JSON of a run.

/// What the system below writes; it stays in the program after its test.
struct Written {
  Json own = Json::object(), result = Json::object(), barrier = Json::object();
};
std::optional<Written>& written() {
  static std::optional<Written> all;
  return all;
}

class Outside : public System {
 public:
  Outside() : System({.name = "outside"}) {}
  void report(const RunSpec&, const RunResult&, Report& out) const override {
    if (!written()) return;
    out.own.update(written()->own);
    add(written()->result, out.result);
  }
  void barrier_json(const RunResult&, const BarrierRecord&, core::Record& out) const override {
    if (written()) add(written()->barrier, out);
  }

 private:
  static void add(const Json& fields, core::Record& out) {
    for (const auto& [name, value] : fields.items()) out.add(name.c_str(), value);
  }
};

std::string json_with(const Written& fields) {
  static const bool added = (add_system(std::make_unique<Outside>()), true);
  REQUIRE(added);
  const test::Subject subject(test::star(3));
  RunSpec spec = subject.spec({"all"});
  spec.barriers = 2;
  const RunResult result = run_barriers(spec);
  written() = fields;
  const std::shared_ptr<void> end(nullptr, [](void*) { written().reset(); });
  return run_to_json(spec, result, {"muster run x", "0.1", 1});
}

TEST_CASE("fields of a system from outside have a place in a valid result", "[run][io]") {
  const auto json = test::valid_json(json_with({.own = {{"tokens", 7}, {"cycles", {1, 2}}}}));
  CHECK(json.at("systems") == nlohmann::json{{"outside", {{"tokens", 7}, {"cycles", {1, 2}}}}});
  CHECK(json.at("cycles") > 2);
}

TEST_CASE("a system that writes a field of others is refused", "[run][io][errors]") {
  CHECK_THROWS_WITH(json_with({.result = {{"cycles", 1}}}),
                    Contains("field 'cycles' of the result is there already"));
  CHECK_THROWS_AS(json_with({.result = {{"units", {{"hops", "none"}}}}}), InternalError);
  CHECK_THROWS_AS(json_with({.barrier = {{"hops", 0}}}), InternalError);
}

TEST_CASE("a configurations file that cannot be used is refused", "[workload][config]") {
  CHECK_THROWS_AS(fabric::read_blocks("{", "f"), InputError);
  CHECK_THROWS_AS(fabric::read_blocks(R"({"schema": "x", "configurations": []})", "f"), InputError);
  const auto narrow = fabric::read_blocks(
      R"({"schema": "muster-configurations-1", "configurations": [
      {"name": "s", "top": "muster_barrier_switch", "kind": "switch",
       "params": {"Ports": 2, "Vcs": 1, "Depth": 4, "Regs": 1,
       "FlitW": 16, "GidW": 8, "Dests": 64}}]})",
      "f");
  CHECK_THROWS_WITH(fabric::switch_config(narrow.front(), btin::kBarrierSwitch),
                    Contains("ports = 2"));
  for (const std::string name : {"", "A", "../a", "a\\u0000"})
    CHECK_THROWS_WITH(fabric::read_blocks(
                          R"({"schema": "muster-configurations-1", "configurations": [{"name": ")" +
                              name + R"(", "top": "x", "kind": "switch", "params": {}}]})",
                          "f"),
                      Contains("f: name \"" + name + "\" of a configuration"));
}

TEST_CASE("no two kinds of switches share a name, a module or a number", "[workload][config]") {
  std::set<std::string_view> names;
  std::set<std::pair<std::string_view, std::uint32_t>> modules;
  std::set<std::uint32_t> numbers;
  for (const fabric::SwitchKind* kind : switch_kinds()) {
    CAPTURE(kind->name);
    CHECK(names.insert(kind->name).second);
    CHECK(modules.emplace(kind->module, kind->architecture).second);
    CHECK(numbers.insert(kind->number).second);
  }
  CHECK(names.size() == 6);
}

// What a program that uses the library supplies, and what it leaves out.

/// The least that a specification must say.
RunSpec smallest() {
  RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::generate_mesh(3, 3));
  spec.groups = {{"all", topology::parse_group(*spec.graph, "all", 1)}};
  spec.barriers = 3;
  return spec;
}

/// All packets go to one node.
struct HotSpot : Pattern {
  std::uint32_t node;
  explicit HotSpot(std::uint32_t n) : node(n) {}
  std::uint32_t destination(std::uint32_t, Rng&) const override { return node; }
};

TEST_CASE("a pattern and an observer of the caller's are used", "[run][spec]") {
  RunSpec spec = smallest();
  const fabric::Layout layout(*spec.graph);
  std::array<std::uint32_t, 9> into{};  // heads on the channels into nodes
  spec.observers = {test::on_flits([&](std::uint64_t, const core::FlitEvent& e) {
    for (std::uint32_t n = 0; n < into.size(); ++n)
      into[n] += e.flit.head() && e.channel == layout.into_node(n);
  })};
  spec.load_flits = 0.02;
  spec.min_cycles = 2000;
  spec.pattern = std::make_shared<HotSpot>(4);
  const RunResult result = test::passes(spec);
  CHECK(into[4] == result.data->started);  // the network is empty at the end
  CHECK(into[4] > 0);
  CHECK(into[3] == 0);
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
  CHECK_THROWS_WITH(resolve(spec), Catch::Matchers::StartsWith("routes: "));
  CHECK_THROWS_AS(resolve(spec), InputError);
}

}  // namespace
}  // namespace muster::run
