// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/inputs.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "app/sweep/runs.hpp"
#include "muster/run/golden_engine.hpp"
#include "sim_cpp/app/sweep/refusal.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::app::sweep;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

/// An engine whose blocks are models, as far as a sweep asks.
struct ModelEngine : fabric::BankFactory {
  std::string name() const override { return "models"; }
  bool has_models() const override { return true; }
  bool supports(const fabric::SwitchConfig&) const override { return true; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig&, std::uint32_t,
                                            const fabric::BankOptions&) const override {
    return nullptr;
  }
};

fabric::EngineRegistry two_engines() {
  fabric::EngineRegistry engines;
  engines.add(run::make_golden_engine());
  engines.add(std::make_shared<ModelEngine>());
  return engines;
}

constexpr const char* kRecording = R"({"schema": "muster-arrivals-1", "ranks": 2,
  "calls": [{"call": "MPI_Barrier", "work_ns": [100, 200]}]})";

/// A plan in a folder of its own.
struct Planned {
  explicit Planned(std::string options) : options_(std::move(options)) {}

  Inputs inputs() const { return read_inputs(plan(), two_engines()); }
  std::string id(std::uint64_t row = 0) const {
    const Plan read = plan();
    return Runs(read, read_inputs(read, two_engines()), "1").at(row).id;
  }
  std::string refused() const {
    return test::refusal([&] { inputs(); });
  }
  test::Folder folder;

 private:
  Plan plan() const {
    return parse_plan(R"({"schema": "muster-sweep-plan-1", "options": {)" + options_ + "}}",
                      folder.file("p.json"));
  }
  std::string options_;
};

/// The environment has this folder of models while the object lives.
struct ModelsVariable {
  explicit ModelsVariable(const std::string& folder) {
    ::setenv("MUSTER_MODELS", folder.c_str(), 1);
  }
  ~ModelsVariable() { ::unsetenv("MUSTER_MODELS"); }
};

}  // namespace

TEST_CASE("an id is of the content of a file that an option names", "[sweep][inputs]") {
  const Planned planned(R"("arrivals": [null, "a.json"])");
  planned.folder.write("a.json", kRecording);
  const std::string without = planned.id(0), before = planned.id(1);
  CHECK(planned.inputs().files.at("a.json") == text_hash(kRecording));
  planned.folder.write("a.json", std::string(kRecording) + " ");
  CHECK(planned.id(1) != before);
  CHECK(planned.id(0) == without);
  planned.folder.write("a.json", kRecording);
  CHECK(planned.id(1) == before);
}

TEST_CASE("a file that is not a recording is refused with its place in the plan",
          "[sweep][inputs]") {
  const Planned planned(R"("arrivals": "a.json")");
  CHECK_THAT(planned.refused(), StartsWith(planned.folder.file("p.json: options.\"arrivals\": ")) &&
                                    Contains("a.json: cannot be read"));
  planned.folder.write("a.json", R"({"schema": "muster-arrivals-1", "ranks": 0, "calls": []})");
  CHECK_THAT(planned.refused(), EndsWith("options.\"arrivals\": a.json: ranks: 0 ranks; a "
                                         "recording has at least one"));
}

TEST_CASE("an id is of the model of a configuration, if an engine loads it", "[sweep][inputs]") {
  const Planned planned(R"("engine": [null, "golden", "models"], "config": [null, "sw8"])");
  planned.folder.write("sw8.so", "one");
  const ModelsVariable variable(planned.folder.file(""));
  CHECK(planned.inputs().models == Inputs::Digests{{"sw8", text_hash("one")}});
  std::vector<std::string> before;
  for (std::uint64_t row = 0; row < 6; ++row) before.push_back(planned.id(row));
  planned.folder.write("sw8.so", "other");
  for (std::uint64_t row = 0; row < 5; ++row) CHECK(planned.id(row) == before[row]);
  CHECK(planned.id(5) != before[5]);
}

TEST_CASE("models are looked for from the folder of the plan, as runs do", "[sweep][inputs]") {
  const Planned planned(R"("engine": "models", "config": "sw8")");
  const ModelsVariable variable("mine");
  // A model of this name may be built.
  const Inputs none = planned.inputs();
  std::filesystem::create_directory(planned.folder.file("mine"));
  planned.folder.write("mine/sw8.so", "mine");
  CHECK(planned.inputs().models.at("sw8") == text_hash("mine"));
  CHECK(planned.inputs().models != none.models);
}

TEST_CASE("no model is read for an engine without models", "[sweep][inputs]") {
  const Planned planned(R"("engine": "golden", "config": "sw8")");
  planned.folder.write("sw8.so", "one");
  const ModelsVariable variable(planned.folder.file(""));
  CHECK(planned.inputs().models.empty());
}
