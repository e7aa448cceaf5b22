// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "fabric/configurations.hpp"
#include "fabric/configurations_text.hpp"

namespace muster::fabric {

std::vector<SwitchConfig> read_configurations(const std::string& text, const std::string& file) {
  try {
    const auto json = nlohmann::json::parse(text);
    if (json.at("schema") != "muster-configurations-1") {
      throw InputError(file + ": schema is not muster-configurations-1");
    }
    std::vector<SwitchConfig> list;
    for (const auto& entry : json.at("configurations")) {
      if (entry.at("kind") != "switch") continue;  // other kinds of block have their own parameters
      const auto& params = entry.at("params");
      const auto value = [&](const char* name) { return params.at(name).get<std::uint32_t>(); };
      list.push_back({.name = entry.at("name"),
                      .ports = value("Ports"),
                      .vcs = value("Vcs"),
                      .depth = value("Depth"),
                      .regs = params.value("Regs", std::uint32_t{0}),
                      .flit_w = value("FlitW"),
                      .gid_w = value("GidW"),
                      .dests = value("Dests"),
                      .kind = switch_kind(entry.at("top").get<std::string>()),
                      .serial = params.value("Serial", 0) == 1});
      validate(list.back());
    }
    return list;
  } catch (const nlohmann::json::exception& e) {
    throw InputError(fmt::format("{}: {}", file, e.what()));
  }
}

std::vector<nic::NicConfig> read_nic_configurations(const std::string& text,
                                                    const std::string& file) {
  try {
    const auto json = nlohmann::json::parse(text);
    std::vector<nic::NicConfig> list;
    for (const auto& entry : json.at("configurations")) {
      if (entry.at("kind") != "nic") continue;
      const auto& params = entry.at("params");
      const auto value = [&](const char* name) { return params.at(name).get<std::uint32_t>(); };
      list.push_back({.name = entry.at("name"),
                      .contexts = value("Contexts"),
                      .steps = value("Steps"),
                      .conns = value("Conns"),
                      .records = value("Records"),
                      .seq_w = value("SeqW"),
                      .vcs = value("Vcs"),
                      .depth = value("Depth"),
                      .flit_w = value("FlitW")});
      validate(list.back());
    }
    return list;
  } catch (const nlohmann::json::exception& e) {
    throw InputError(fmt::format("{}: {}", file, e.what()));
  }
}

const std::vector<nic::NicConfig>& nic_configurations() {
  static const auto list = read_nic_configurations(kConfigurationsText, "rtl/configurations.json");
  return list;
}

const std::vector<SwitchConfig>& configurations() {
  static const auto list = read_configurations(kConfigurationsText, "rtl/configurations.json");
  return list;
}

}  // namespace muster::fabric
