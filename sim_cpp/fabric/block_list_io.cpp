// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/file_io.hpp"
#include "fabric/block_list.hpp"
#include "fabric/configurations_text.hpp"
#include "muster/core/error.hpp"

namespace muster::fabric {
namespace {

constexpr std::size_t kLargest = 1 << 20;  // bytes of a description

/// The name is also that of a file and of a C function.
bool is_name(const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [&](char c) { return fits(c) || c == '_'; });
}

std::vector<BlockEntry> read_own_blocks() {
  std::vector<BlockEntry> entries;
  for (const std::filesystem::path& folder : model_folders()) {
    std::error_code none;
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(folder, none))
      if (file.path().extension() == ".json") files.push_back(file.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files)
      for (BlockEntry& entry : read_blocks(read_file(file.string(), kLargest), file.string()))
        entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

std::vector<BlockEntry> read_blocks(const std::string& text, const std::string& file) {
  try {
    const auto json = nlohmann::json::parse(text);
    if (json.at("schema") != "muster-configurations-1")
      throw InputError(file + ": schema is not muster-configurations-1");
    std::vector<BlockEntry> entries;
    for (const auto& entry : json.at("configurations")) {
      entries.push_back({entry.at("name"),
                         entry.at("kind"),
                         {entry.at("top"), entry.at("params").get<decltype(Block::params)>()}});
      if (!is_name(entries.back().name))
        throw InputError(
            fmt::format("{}: name {} of a configuration: use lower-case letters, digits and '_'",
                        file, entry.at("name").dump(-1, ' ', true)));
    }
    return entries;
  } catch (const nlohmann::json::exception& e) {
    throw InputError(fmt::format("{}: {}", file, e.what()));
  }
}

const std::vector<BlockEntry>& listed_blocks() {
  static const auto list = read_blocks(kConfigurationsText, "rtl/configurations.json");
  return list;
}

const std::vector<BlockEntry>& own_blocks() {
  static const auto list = read_own_blocks();
  return list;
}

}  // namespace muster::fabric
