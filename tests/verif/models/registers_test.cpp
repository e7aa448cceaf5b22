// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_bank.hpp"
#include "fabric/link_config.hpp"
#include "models/model_library.hpp"
#include "support/all_engines.hpp"
#include "support/register_check.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/switch_kinds.hpp"

using namespace muster;

namespace {

const fabric::SwitchKind* kind_of(const fabric::Block& block) {
  for (const fabric::SwitchKind* kind : {&btin::kBarrierSwitch, &packets::kMulticastSwitch,
                                         &preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3})
    if (fabric::is_of(block, *kind)) return kind;
  return nullptr;
}

/// One block of an entry; nullptr if it has no register port.
std::unique_ptr<core::Bank> one_block(const fabric::BankFactory& engine,
                                      const fabric::BlockEntry& entry) {
  fabric::BankOptions options;
  options.random_init = true;
  if (entry.kind == "nic")
    return nic::nics_of(engine)->make_nics(nic::nic_config(entry), 1, options);
  if (entry.kind == "link")
    return fabric::links_of(engine)->make_links(fabric::link_config(entry), 1, options);
  if (const fabric::SwitchKind* kind = kind_of(entry.block))
    return engine.make_switches(fabric::switch_config(entry, *kind), 1, options);
  return nullptr;
}

/// What registers it has: by its module and architecture, and by which of its parameters are not 0.
std::string features(const fabric::Block& block) {
  std::string text = block.top + std::to_string(block.param("Architecture"));
  for (const auto& [name, value] : block.params)
    if (value != 0) text += " " + name;
  return text;
}

}  // namespace

// The random tests read the registers of every model in lockstep with its golden.
TEST_CASE("each field of each register is as rdl/ says, in every golden and a model of each kind",
          "[registers]") {
  const fabric::EngineRegistry engines = test::all_engines();
  std::set<std::pair<std::string, std::uint32_t>> kinds;
  std::set<std::string> models;
  for (const std::string engine : {"rtl", "golden"})
    for (const fabric::BlockEntry& entry : verif::listed_models()) {
      CAPTURE(engine, entry.name);
      if (engine == "rtl" && !models.insert(features(entry.block)).second) continue;
      const auto make = [&] { return one_block(*engines.find(engine), entry); };
      if (make() == nullptr) continue;
      testing::check_registers<core::Bank>(make, entry.block);
      kinds.emplace(entry.block.top, entry.block.param("Architecture"));
    }
  CHECK(kinds.size() == 7);
}

TEST_CASE("each field of the unit switch, which is golden only, is as rdl/ says", "[registers]") {
  const fabric::SwitchConfig config{
      .name = "unit", .ports = 5, .gid_w = 6, .dests = 64, .kind = &packets::kUnitSwitch};
  const auto golden = test::all_engines().find("golden");
  fabric::Block block = fabric::block_of(config);
  block.top = "unit_switch";
  testing::check_registers<core::Bank>([&] { return golden->make_switches(config, 1, {}); }, block);
}
