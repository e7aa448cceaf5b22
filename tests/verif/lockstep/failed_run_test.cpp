// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "app/commands.hpp"
#include "lockstep/fabric/lockstep_switch_bank.hpp"
#include "models/model_library.hpp"
#include "models/switch_models.hpp"
#include "support/all_engines.hpp"
#include "support/folder.hpp"
#include "support/valid_json.hpp"
#include "verif/lockstep/worlds.hpp"

using namespace muster;
using Catch::Matchers::Contains;

namespace {

constexpr std::uint64_t kCycle = testing::SwitchWorld::Bank::kCycle;

/// The engine lockstep with golden switches of which the first is wrong in one cycle.
class WrongGolden final : public fabric::BankFactory {
 public:
  std::string name() const override { return "wrong"; }
  bool has_models() const override { return true; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return verif::knows(fabric::block_of(config));
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    using Wrong = testing::SwitchWorld::Bank;
    constexpr std::uint32_t kNoRegister = 1u << 12;
    return std::make_unique<verif::LockstepSwitchBank>(
        std::make_unique<Wrong>([](Wrong& bank) { bank.wires(0).tx_valid ^= 1; }, kNoRegister,
                                blocks, config),
        verif::makers<verif::SwitchMakers>(verif::load(fabric::block_of(config)))
            .rtl(blocks, config, options));
  }
};

/// The violation that a run of the small network with this engine ends with.
std::string violation(const test::Folder& folder, std::vector<std::string> more) {
  fabric::EngineRegistry engines;
  engines.add(std::make_unique<WrongGolden>());
  const std::string json = folder.file("run.json");
  std::vector<std::string> words = {
      "muster",  "run",    std::string(MUSTER_SOURCE_DIR) + "/topologies/figure1.json",
      "--group", "paper",  "--engine",
      "wrong",   "--json", json};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  CHECK(app::run_main(static_cast<int>(arguments.size()), arguments.data(), engines) == 1);
  const auto result = test::valid_json(folder.read("run.json"));
  REQUIRE(result.at("violation_texts").size() == 1);
  return result.at("violation_texts").at(0);
}

}  // namespace

TEST_CASE("a run that ends with a difference names the command that shows it", "[lockstep][app]") {
  const test::Folder folder;
  const std::string text = violation(folder, {"--barriers", "2", "--no-skip"});
  CHECK_THAT(text, Contains("cycle 4, sw0, tx_valid: golden 0x1, RTL 0x0"));
  CHECK_THAT(text, Contains("reproduce with a waveform: muster run ") &&
                       Contains(" --barriers 2 --no-skip --wave failure.fst --wave-only sw0"));
}

TEST_CASE("a waveform goes on for 8 cycles after a difference, and its view opens there",
          "[lockstep][app][wave]") {
  const test::Folder folder;
  const std::string wave = folder.file("a.fst");
  const std::string text = violation(folder, {"--wave", wave, "--wave-only", "sw0"});
  CHECK(text.find("reproduce") == std::string::npos);
  CHECK_THAT(folder.read("a.gtkw"), Contains(" 45 -1 ") && Contains("[timestart] 0\n"));
  REQUIRE(std::system(("fst2vcd " + wave + " >" + folder.file("a.vcd")).c_str()) == 0);
  const std::string vcd = folder.read("a.vcd");
  const std::string last = vcd.substr(vcd.rfind("\n#") + 2);
  CHECK(std::stoull(last) == 10 * (kCycle + 8) + 5);
}
