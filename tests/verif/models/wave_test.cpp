// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <csignal>

#include "app/commands.hpp"
#include "fabric/configurations.hpp"
#include "models/model_library.hpp"
#include "models/switch_model.hpp"
#include "support/all_engines.hpp"
#include "support/folder.hpp"
#include "verif/lockstep/worlds.hpp"

namespace muster::verif {
namespace {

constexpr std::uint32_t kBlocks = 2;

/// Sends the second of two switches flits for which it has given no credit, until one assertion
/// fails.
std::optional<BlockError> overflow(core::Bank& bank) {
  const std::uint32_t all[kBlocks] = {0, 1};
  bank.write_register(1, 0x800 + 5, 0b10);
  try {
    for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
      bank.rx(1, 0) = {.lo = 5, .kind = cycle == 0 ? core::Flit::kHead : std::uint8_t{0}};
      bank.wires(1).rx_valid = 1;
      bank.clock(cycle, all);
    }
  } catch (const BlockError& error) {
    return error;
  }
  return std::nullopt;
}

/// Files of this process take only so many bytes while the object lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

struct Options : fabric::BankOptions {
  test::Folder folder;
  std::vector<std::string> reasons;
  Options() {
    wave_file = folder.file("a.fst");
    wave_failed = [this](const std::string& reason) { reasons.push_back(reason); };
  }
};

std::unique_ptr<core::Bank> two_switches(const fabric::BankOptions& options) {
  return make_rtl_engine()->make_switches(run::configuration("sw8v1"), kBlocks, options);
}

void clock(core::Bank& bank, std::uint64_t cycles) {
  const std::vector<std::uint32_t> both{0, 1};
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) bank.clock(cycle, both);
}

TEST_CASE("a failed assertion is reported with cycle, time, instance and fact", "[rtl]") {
  const auto error = overflow(*two_switches({}));
  REQUIRE(error);
  const std::string text = error->what();
  CAPTURE(text);
  CHECK(error->instance() == "sw1");
  CHECK(error->cycle() > 4);
  CHECK(text.find("cycle " + std::to_string(error->cycle()) + ", at " +
                  std::to_string(10 * error->cycle() + 5) + " ns: ") == 0);
  CHECK(text.find("Assertion failed in sw1.muster_barrier_switch.") != std::string::npos);
}

TEST_CASE("a waveform goes on for 8 cycles after a failed assertion", "[rtl][wave]") {
  const Options options;
  const auto error = overflow(*two_switches(options));
  REQUIRE(error);
  const std::string file = options.folder.file("a.vcd");
  REQUIRE(std::system(("fst2vcd " + options.wave_file + " >" + file).c_str()) == 0);
  const std::string vcd = options.folder.read("a.vcd");
  CHECK(std::stoull(vcd.substr(vcd.rfind("\n#") + 2)) == 10 * (error->cycle() + 8) + 5);
}

TEST_CASE("a waveform that is complete tells nothing and leaves no scratch file", "[rtl][wave]") {
  const Options options;
  auto bank = two_switches(options);
  clock(*bank, 20);
  CHECK(options.folder.files() == 1);  // while it is written as well
  bank.reset();
  CHECK(options.reasons.empty());
  CHECK(options.folder.files() == 1);
}

TEST_CASE("a waveform that cannot be begun is refused", "[rtl][wave]") {
  const Options options;
  {
    const FileLimit limit(100);
    CHECK_THROWS_WITH(two_switches(options), Contains("a.fst: the waveform cannot be "
                                                      "written: File too large"));
  }
  CHECK(options.reasons == std::vector<std::string>{"File too large"});
  CHECK(options.folder.files() == 0);
}

TEST_CASE("a waveform that cannot be completed is told and removed", "[rtl][wave]") {
  const Options options;
  auto bank = two_switches(options);
  clock(*bank, 20);
  CHECK(options.reasons.empty());
  {
    const FileLimit limit(1000);
    bank.reset();
  }
  CHECK(options.reasons == std::vector<std::string>{"File too large"});
  CHECK(options.folder.files() == 0);
}

constexpr std::uint64_t kCycle = testing::SwitchWorld::Bank::kCycle;

/// The engine lockstep with golden switches of which the first is wrong in one cycle.
class WrongGolden final : public fabric::BankFactory {
 public:
  std::string name() const override { return "wrong"; }
  bool has_models() const override { return true; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return knows(fabric::block_of(config));
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    using Wrong = testing::SwitchWorld::Bank;
    constexpr std::uint32_t kNoRegister = 1u << 12;
    return std::make_unique<LockstepSwitchBank>(
        std::make_unique<Wrong>([](Wrong& bank) { bank.wires(0).tx_valid ^= 1; }, kNoRegister,
                                blocks, config),
        make_bank<SwitchModels>(config, blocks, options));
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

}  // namespace
}  // namespace muster::verif
