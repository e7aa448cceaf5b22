// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <optional>

#include "fabric/configurations.hpp"
#include "muster/core/error.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "support/folder.hpp"

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
      core::Flit flit;
      flit.lo = 5;
      flit.kind = cycle == 0 ? core::Flit::kHead : std::uint8_t{0};
      bank.rx(1, 0) = flit;
      bank.wires(1).rx_valid = 1;
      bank.clock(cycle, all);
    }
  } catch (const BlockError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a failed assertion is reported with cycle, time, instance and fact", "[rtl]") {
  const auto bank = make_rtl_engine()->make_switches(run::configuration("sw8v1"), kBlocks, {});
  const auto error = overflow(*bank);
  REQUIRE(error);
  const std::string text = error->what();
  CAPTURE(text);
  CHECK(error->instance() == "sw1");
  CHECK(error->cycle() > 4);
  CHECK(text.find("cycle " + std::to_string(error->cycle()) + ", at " +
                  std::to_string(10 * error->cycle() + 5) + " ns: ") == 0);
  CHECK(text.find("Assertion failed in sw1.barrier_switch.") != std::string::npos);
}

TEST_CASE("a waveform goes on for 8 cycles after a failed assertion", "[rtl][wave]") {
  const test::Folder folder;
  fabric::BankOptions options;
  options.wave_file = folder.file("a.fst");
  std::optional<BlockError> error;
  {
    const auto bank =
        make_rtl_engine()->make_switches(run::configuration("sw8v1"), kBlocks, options);
    error = overflow(*bank);
  }
  REQUIRE(error);
  REQUIRE(std::system(("fst2vcd " + options.wave_file + " >" + folder.file("a.vcd")).c_str()) == 0);
  const std::string vcd = folder.read("a.vcd");
  CHECK(std::stoull(vcd.substr(vcd.rfind("\n#") + 2)) == 10 * (error->cycle() + 8) + 5);
}

}  // namespace muster::verif
