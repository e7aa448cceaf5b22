// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/networks.hpp"

#include <fmt/format.h>

#include "app/sweep/runs.hpp"

namespace muster::app::sweep {

std::string Networks::path(const Json& network) const {
  if (!is_generated(network)) return network.get<std::string>();
  const std::string name = fmt::format("{}-{}.json", network["generate"].get<std::string>(),
                                       text_hash(nlohmann::json(network).dump() + version_));
  return (std::filesystem::absolute(folder_) / name).string();
}

std::vector<std::string> Networks::command(const Json& network) const {
  std::vector<std::string> words{"topo", "gen"};
  for (const auto& [name, value] : network.items()) {
    if (name == "generate")
      words.push_back(value.get<std::string>());
    else
      for (std::string& word : typed_option(name, value)) words.push_back(std::move(word));
  }
  words.push_back("--out=" + path(network));
  return words;
}

std::string Networks::label(const Json& network) {
  std::string text;
  for (const auto& [name, value] : network.items()) {
    const std::string word = value.is_string() ? value.get<std::string>() : value.dump();
    text += name == "generate" ? word : fmt::format(" {} {}", name, word);
  }
  return text;
}

}  // namespace muster::app::sweep
