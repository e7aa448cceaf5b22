// SPDX-License-Identifier: Apache-2.0
#include "fabric/configurations.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "core/text.hpp"
#include "fabric/configurations_text.hpp"
#include "muster/core/error.hpp"
#include "muster/core/outputs.hpp"

namespace muster::fabric {
namespace {

constexpr BlockField<SwitchConfig> kFields[] = {
    {"Ports", &SwitchConfig::ports},  {"Vcs", &SwitchConfig::vcs},
    {"Depth", &SwitchConfig::depth},  {"Regs", &SwitchConfig::regs},
    {"FlitW", &SwitchConfig::flit_w}, {"GidW", &SwitchConfig::gid_w},
    {"Dests", &SwitchConfig::dests}};
constexpr const char* kArchitecture = "Architecture";

/// The folder of the library, or program, that this function is in.
std::filesystem::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&model_folders), &info) == 0) return ".";
  std::error_code none;
  return std::filesystem::weakly_canonical(info.dli_fname, none).parent_path();
}

constexpr std::size_t kLargest = 1 << 20;  // bytes of a description

/// The name is also that of a file and of a C function.
bool is_name(const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && std::ranges::all_of(name, [&](char c) { return fits(c) || c == '_'; });
}

std::vector<BlockEntry> read_own_blocks() {
  std::vector<BlockEntry> entries;
  for (const std::filesystem::path& folder : model_folders()) {
    std::error_code none;
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(folder, none))
      if (file.path().extension() == ".json") files.push_back(file.path());
    std::ranges::sort(files);
    for (const auto& file : files)
      for (BlockEntry& entry : read_blocks(read_file(file.string(), kLargest), file.string()))
        entries.push_back(std::move(entry));
  }
  return entries;
}

/// "8 ports where 12 are needed", for everything that is too small.
std::vector<std::string> lacks(const SwitchConfig& config, const Requirement& need) {
  std::vector<std::string> lacking;
  const auto compare = [&](std::string_view what, std::uint32_t has, std::uint32_t wants) {
    const std::string_view one = what.substr(0, what.find("s", what.size() - 1));
    if (has < wants)
      lacking.push_back(fmt::format("{} where {} are needed", counted(has, one, what), wants));
  };
  compare("ports", config.ports, need.ports);
  for (std::size_t i = 0; i < need.kind->variants.size(); ++i)
    compare(need.kind->variants[i].name, config.variant[i], need.variant[i]);
  compare("barrier registers", group_places(config), need.regs);
  compare("destinations", config.dests, need.dests);
  compare("virtual channels", config.vcs, need.vcs);
  compare("bits of data", Formats(config.flit_w, config.gid_w).data_width(), need.data_w);
  compare("bits of payload", config.flit_w, need.flit_w);
  if (need.depth != 0 && config.depth != need.depth)
    lacking.push_back(
        fmt::format("queues of {} flits where {} are needed", config.depth, need.depth));
  return lacking;
}

auto size(const SwitchConfig& c) {
  return std::tuple{c.ports, c.dests, group_places(c), c.vcs, c.depth, c.flit_w};
}

/// The order in which those that fit are preferred: with the usual channels of other schemes first,
/// the smallest of them first.
auto preference(const SwitchConfig& config, const Requirement& need) {
  return std::pair(config.vcs < need.usual_vcs, size(config));
}

/// Bits of a flit that has a barrier message with these data.
std::uint32_t flit_width_with_data(std::uint32_t data_w, std::uint32_t gid_w) {
  const std::uint32_t width = kTypeWidth + gid_w + data_w;
  if (width <= kMaxFlitWidth) return width;
  throw InputError(
      "barrier messages with {} bits of data need flits of {} bits, and these have {} at most",
      data_w, width, kMaxFlitWidth);
}

/// Throws InputError for more ports than any switch of the kind, or of the variant, has.
void require_ports(const Requirement& need) {
  const SwitchKind& kind = *need.kind;
  if (need.ports > kind.max_ports)
    throw InputError(
        "a switch of the network has {} ports, and {} switches have {} at most; use smaller "
        "switches or another scheme",
        need.ports, kind.name, kind.max_ports);
  for (std::size_t i = 0; i < kind.variants.size(); ++i)
    if (const VariantParameter& p = kind.variants[i];
        need.variant[i] != 0 && need.ports > p.most_ports)
      throw InputError(
          "a switch of the network has {} ports, and {} switches with {} have {} at most; use "
          "smaller switches, or omit the option that needs {}",
          need.ports, kind.name, p.param, p.most_ports, p.param);
}

/// Defaults of SwitchConfig where they suffice, in the parameters' ranges.
SwitchConfig made_to_measure(const Requirement& need) {
  require_ports(need);
  SwitchConfig config;
  config.ports = std::max(need.ports, 3u);
  config.kind = need.kind;
  if (const std::uint32_t places = group_memory(need); places != 0)
    config.gid_w = std::max(config.gid_w, static_cast<std::uint32_t>(std::bit_width(places - 1)));
  take_variant(config, need);
  config.name = "fit";
  config.regs = std::min(std::max(need.regs, config.regs), need.kind->max_regs);
  config.vcs =
      std::max({need.vcs, need.kind->min_vcs, std::min(need.usual_vcs, need.kind->max_vcs)});
  config.dests = std::max(need.dests, 16u);
  config.flit_w = std::max({config.flit_w, need.flit_w, flit_width_for(need.dests),
                            flit_width_with_data(need.data_w, config.gid_w)});
  config.depth = std::max(need.depth != 0 ? need.depth : config.depth, need.kind->min_depth);
  validate(config);
  return config;
}

}  // namespace

std::uint32_t Block::param(const std::string& name) const {
  const auto found = params.find(name);
  return found == params.end() ? 0 : found->second;
}

bool same(const Block& a, const Block& b) {
  const auto has = [](const Block& block, const Block& other) {
    return std::ranges::all_of(other.params,
                               [&](const auto& p) { return block.param(p.first) == p.second; });
  };
  return a.top == b.top && has(a, b) && has(b, a);
}

SwitchConfig switch_config(const BlockEntry& entry, const SwitchKind& kind) {
  SwitchConfig config;
  config.name = entry.name;
  take_fields(config, kFields, entry);
  for (std::size_t i = 0; i < kind.variants.size(); ++i)
    config.variant[i] = entry.block.param(std::string(kind.variants[i].param));
  config.kind = &kind;
  const Block known = block_of(config);
  for (const auto& [param, value] : entry.block.params)
    if (value != known.param(param))
      throw InputError("switch configuration '{}': {} has no parameter {}; remove it", entry.name,
                       kind.module, param);
  return validate(config);
}

bool is_of(const Block& block, const SwitchKind& kind) {
  return block.top == kind.module && block.param(kArchitecture) == kind.architecture;
}

Block block_of(const SwitchConfig& config) {
  Block block = give_fields(config.kind->module, config, kFields);
  for (std::size_t i = 0; i < config.kind->variants.size(); ++i)
    block.params.emplace(config.kind->variants[i].param, config.variant[i]);
  if (config.kind->architecture != 0) block.params[kArchitecture] = config.kind->architecture;
  return block;
}

std::vector<std::filesystem::path> model_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* const given = std::getenv("MUSTER_MODELS")) {
    std::istringstream list(given);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.push_back(folder);
  }
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none) folders.push_back(program.parent_path() / "models");
  if (none || program.parent_path() != own_folder()) folders.push_back(own_folder() / "models");
  folders.push_back(own_folder() / "muster" / "models");
  return folders;
}

std::string build_folder() {
  const std::filesystem::path folder = own_folder();
  std::error_code none;
  if (!std::filesystem::exists(folder / "CMakeCache.txt", none)) return "build";
  return std::filesystem::proximate(folder, none).string();
}

std::vector<BlockEntry> read_blocks(const std::string& text, const std::string& file,
                                    const char* list) {
  try {
    const auto json = nlohmann::json::parse(text);
    if (json.at("schema") != "muster-configurations-1")
      throw InputError(file + ": schema is not muster-configurations-1");
    std::vector<BlockEntry> entries;
    for (const auto& entry : json.at(list)) {
      entries.push_back({entry.at("name"),
                         entry.at("kind"),
                         {entry.at("top"), entry.at("params").get<decltype(Block::params)>()}});
      if (!is_name(entries.back().name))
        throw InputError("{}: name {} of a configuration: use lower-case letters, digits and '_'",
                         file, entry.at("name").dump(-1, ' ', true));
    }
    return entries;
  } catch (const nlohmann::json::exception& e) {
    throw InputError("{}: {}", file, e.what());
  }
}

const std::vector<BlockEntry>& listed_blocks() {
  static const auto list = read_blocks(kConfigurationsText, "rtl/configurations.json");
  return list;
}

const std::vector<BlockEntry>& mapped_blocks() {
  static const auto list = read_blocks(kConfigurationsText, "rtl/configurations.json", "mapped");
  return list;
}

const std::vector<BlockEntry>& own_blocks() {
  static const auto list = read_own_blocks();
  return list;
}

bool is_variant(const SwitchConfig& config, const Requirement& need) {
  return config.kind == need.kind &&
         std::ranges::equal(config.variant, need.variant,
                            [](auto has, auto wants) { return (has != 0) == (wants != 0); });
}

void take_variant(SwitchConfig& config, const Requirement& need) {
  for (std::size_t i = 0; i < need.kind->variants.size(); ++i) {
    const VariantParameter& p = need.kind->variants[i];
    if (need.variant[i] == 0 || config.variant[i] != 0) continue;
    config.variant[i] = p.group_memory ? 1u << config.gid_w : need.variant[i];
    config.name += fmt::format("-{}", p.suffix);
  }
}

bool fits(const SwitchConfig& config, const Requirement& need) {
  return is_variant(config, need) && lacks(config, need).empty();
}

void require_kind(const SwitchConfig& config, const SwitchKind& kind) {
  if (config.kind == &kind) return;
  throw InputError("switch configuration '{}' is a {} switch; this run needs {} ones", config.name,
                   config.kind->name, kind.name);
}

void require(const SwitchConfig& config, const Requirement& need) {
  require_kind(config, *need.kind);
  const auto lacking = lacks(config, need);
  if (lacking.empty()) return;
  throw InputError("switch configuration '{}' is too small for this run: {}", config.name,
                   fmt::join(lacking, ", "));
}

SwitchConfig choose(std::span<const SwitchConfig> choices, const Requirement& need,
                    const BankFactory& engine) {
  const SwitchConfig* best = nullptr;
  const SwitchConfig* nearest = nullptr;
  for (const SwitchConfig& c : choices) {
    if (!is_variant(c, need) || !engine.supports(c)) continue;
    if (fits(c, need)) {
      if (best == nullptr || preference(c, need) < preference(*best, need)) best = &c;
    } else if (nearest == nullptr || std::pair(lacks(c, need).size(), size(*nearest)) <
                                         std::pair(lacks(*nearest, need).size(), size(c))) {
      nearest = &c;
    }
  }
  if (best != nullptr) return *best;
  SwitchConfig fitted = made_to_measure(need);
  if (engine.supports(fitted)) return fitted;
  if (need.ports > need.kind->max_rtl_ports)
    throw InputError(
        "a switch of the network has {} ports, and no RTL of {} switches has more than {}; use "
        "engine golden",
        need.ports, need.kind->name, need.kind->max_rtl_ports);
  if (nearest == nullptr) {
    throw InputError(
        "engine '{}' has no {} switches in its list; use engine golden, or select a model of your "
        "own with --config",
        engine.name(), need.kind->name);
  }
  std::string build = "build one: scripts/model own";
  const Block block = block_of(fitted);
  build += fmt::format(" {}", block.top);
  for (const auto& [param, value] : block.params)
    if (value != 0) build += fmt::format(" {}={}", param, value);
  throw InputError(
      "no switch configuration of engine '{}' fits; the nearest, '{}', has {}; {}, or use engine "
      "golden",
      engine.name(), nearest->name, fmt::join(lacks(*nearest, need), ", "), build);
}

}  // namespace muster::fabric
