// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/system.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/run/result.hpp"
#include "muster/systems/nic.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"
#include "systems/nic/nic_factory.hpp"

namespace muster::nic {
namespace {

using nlohmann::json;

struct Run {
  run::RunSpec spec;
  run::RunResult result;
  json out;
};

Run run_nic(const std::string& scheme, const std::function<void(run::RunSpec&)>& change) {
  static const test::Subject subject = test::Subject::figure1();
  Run run{.spec = subject.spec({"paper"}), .result = {}, .out = {}};
  run.spec.scheme = scheme;
  change(run.spec);
  run.result = run::run_barriers(run.spec);
  run.out = test::valid_json(run_to_json(run.spec, run.result, {"muster run", "0.1", 1}));
  return run;
}

TEST_CASE("the JSON of a NIC barrier says what was chosen", "[nic][json]") {
  const Run run = run_nic("nic-gather", [](run::RunSpec& spec) {
    spec.profile = run::find_profile("elan3");
    auto& choice = run::own<NicSpec>(spec);
    choice.level = NicLevel::kDirect;
    choice.degree = 3;
    choice.timeout = 4000;
    choice.retries = 7;
    choice.gap = 9;
    choice.data_passes = 4;
  });
  CHECK(run.out["parameters"]["nic"] == json{{"level", "direct"},
                                             {"degree", 3},
                                             {"chained", false},
                                             {"timeout_cycles", 4000},
                                             {"retries", 7},
                                             {"nack_gap_cycles", 9},
                                             {"host_step_cycles", 0},
                                             {"data_passes", 4},
                                             {"launch_pass_cycles", 0},
                                             {"faults", nullptr}});
  CHECK(run.spec.profile.interface_pass > 0);
  CHECK(run.out["parameters"]["profile"]["nic_pass_cycles"] == run.spec.profile.interface_pass);
}

TEST_CASE("without choices the JSON has the defaults that the run has taken", "[nic][json]") {
  const Run run = run_nic("nic-dissemination", [](run::RunSpec&) {});
  const json& chosen = run.out["parameters"]["nic"];
  CHECK(chosen["level"] == "collective");
  CHECK(chosen["degree"].is_null());
  CHECK(chosen["chained"] == false);
  CHECK(chosen["timeout_cycles"] == run::own<NicCost>(run.result).timeout);
  CHECK(chosen["timeout_cycles"] > 0);
  CHECK(chosen["faults"].is_null());
}

TEST_CASE("the JSON of chained remote writes has no timeout", "[nic][json]") {
  const Run run = run_nic("nic-pairwise", [](run::RunSpec& spec) {
    run::own<NicSpec>(spec).form = ListForm::kChained;
  });
  CHECK(run.out["parameters"]["nic"]["chained"] == true);
  CHECK(run.out["parameters"]["nic"]["timeout_cycles"] == 0);
}

TEST_CASE("the JSON counts a message of each step, and what crosses the host bus", "[nic][json]") {
  constexpr std::uint64_t kMembers = 14;
  for (const auto& [level, name] :
       {std::pair{NicLevel::kCollective, "collective"}, std::pair{NicLevel::kDirect, "direct"},
        std::pair{NicLevel::kHost, "host"}}) {
    CAPTURE(name);
    const Run run = run_nic("nic-pairwise", [level = level](run::RunSpec& spec) {
      run::own<NicSpec>(spec).level = level;
    });
    CHECK(run.out["parameters"]["nic"]["level"] == name);
    const json& nic = run.out["nic"];
    const std::uint64_t messages = nic["messages_planned"].get<std::uint64_t>() * 10;
    CHECK(messages > 0);
    const bool steps = level == NicLevel::kCollective;
    CHECK(nic["steps_sent"] == (steps ? messages : 0));
    CHECK(nic["data_sent"] == (steps ? 0 : messages));
    CHECK(nic["acks_sent"] == (steps ? 0 : messages));
    // The host that walks the list rings for each message, and hears of it at both ends.
    const bool host = level == NicLevel::kHost;
    const auto crossings = nic["bus_crossings"];
    CHECK(crossings["doorbells"].get<std::uint64_t>() + crossings["events"].get<std::uint64_t>() ==
          (host ? 3 * messages : 2 * kMembers * 10));
    CHECK(nic["faults"]["packets"] == 0);
    for (const auto& [reason, dropped] : nic["messages_dropped"].items()) {
      CAPTURE(reason);
      CHECK(dropped == 0);
    }
  }
}

TEST_CASE("the JSON tells faults asked for, done, and what NICs made of them", "[nic][json]") {
  const Run run = run_nic("nic-dissemination", [](run::RunSpec& spec) {
    spec.barriers = 30;
    run::own<NicSpec>(spec).faults = FaultRates{.drop = 0.05,
                                                .duplicate = 0.04,
                                                .delay = 0,
                                                .reorder = 0.02,
                                                .corrupt = 0.03,
                                                .longest_delay = 200};
  });
  CHECK(run.out["violations"] == 0);
  CHECK(run.out["parameters"]["nic"]["faults"] == json{{"drop", 0.05},
                                                       {"duplicate", 0.04},
                                                       {"delay", 0.0},
                                                       {"reorder", 0.02},
                                                       {"corrupt", 0.03},
                                                       {"longest_delay_cycles", 200}});
  const json& nic = run.out["nic"];
  const auto share = [&](const char* fault) {
    return nic["faults"][fault].get<double>() / nic["faults"]["packets"].get<double>();
  };
  CHECK(nic["faults"]["packets"] > 1000);
  CHECK(share("dropped") == Approx(0.05).margin(0.03));
  CHECK(share("duplicated") == Approx(0.04).margin(0.03));
  CHECK(share("reordered") == Approx(0.02).margin(0.02));
  CHECK(share("corrupted") == Approx(0.03).margin(0.03));
  CHECK(nic["faults"]["delayed"] == 0);
  CHECK(nic["nacks_sent"] > 0);
  CHECK(nic["steps_sent"] > 30 * nic["messages_planned"].get<int>());  // some are repeated
  CHECK(nic["messages_dropped"]["malformed"] > 0);
  CHECK(nic["messages_dropped"]["malformed"] <= nic["faults"]["corrupted"]);
}

TEST_CASE("runs without NICs have null in their place", "[nic][json]") {
  for (const char* scheme : {"btin", "unicast", "bsr-1"}) {
    CAPTURE(scheme);
    const Run run = run_nic(scheme, [](run::RunSpec&) {});
    CHECK(run.out["parameters"]["nic"].is_null());
    CHECK(run.out["nic"].is_null());
    CHECK(run.out["parameters"]["profile"]["nic_pass_cycles"] == 0);
  }
}

using Catch::Matchers::Contains;

/// Supports any NIC, or those of the list alone; makes nothing.
struct Nics : NicFactory {
  bool any;
  explicit Nics(bool a) : any(a) {}
  bool supports(const NicConfig& c) const override { return any || c.name != "fit"; }
  std::unique_ptr<NicBank> make_nics(const NicConfig&, std::uint32_t,
                                     const fabric::BankOptions&) const override {
    return nullptr;
  }
};

fabric::BlockMakers with_nics(bool any) {
  fabric::BlockMakers makers;
  makers.add<NicFactory>(std::make_shared<Nics>(any));
  return makers;
}

struct Engine : fabric::BankFactory {
  explicit Engine(fabric::BlockMakers makers) : BankFactory(std::move(makers)) {}
  explicit Engine(bool any) : Engine(with_nics(any)) {}
  std::string name() const override { return "test"; }
  bool supports(const fabric::SwitchConfig&) const override { return false; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig&, std::uint32_t,
                                            const fabric::BankOptions&) const override {
    return nullptr;
  }
};

TEST_CASE("the smallest NIC that has all that is needed is chosen", "[network][config]") {
  const Engine golden(true), rtl(false);
  NicConfig need{.name = "fit", .contexts = 1, .steps = 8, .conns = 4, .records = 2, .vcs = 2};
  CHECK(choose_nic(need, rtl).name == "nic4");
  CHECK(choose_nic(need, golden).name == "nic4");
  need.records = 4;
  CHECK(choose_nic(need, rtl).name == "nicv2");
  need.vcs = 1;
  CHECK(choose_nic(need, rtl).name == "nic");
  need.records = 1;
  need.conns = 1;
  need.chained = 1;
  CHECK(choose_nic(need, rtl).name == "nicev");
  need.vcs = 2;
  CHECK(choose_nic(need, rtl).name == "nic4ev");
  need.steps = 9;
  CHECK_THROWS_WITH(choose_nic(need, rtl), Contains("9 events"));
  need.chained = 0;
  need.records = 4;
  need.vcs = 3;
  CHECK(choose_nic(need, golden) == need);
  CHECK_THROWS_WITH(choose_nic(need, rtl), Contains("4 send records, 3 virtual channels") &&
                                               Contains("for switches with 2 virtual channels"));
}

TEST_CASE("an engine without NICs says so where some are needed", "[nic][config]") {
  CHECK_THROWS_WITH(choose_nic({.name = "fit"}, Engine(fabric::BlockMakers{})),
                    Contains("engine 'test' has no NIC with"));
}

}  // namespace

}  // namespace muster::nic
