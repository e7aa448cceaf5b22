// SPDX-License-Identifier: Apache-2.0
#include "models/model_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

namespace muster::verif {
namespace {

using fabric::Block;
using fabric::BlockEntry;

std::vector<const Model*>& linked() {
  static std::vector<const Model*> models;
  return models;
}

Block block_of(const Model& model) {
  Block block{model.top, {}};
  for (const ModelParameter& p : model.parameters) block.params[p.name] = p.value;
  return block;
}

const Model* find_linked(const Block& block) {
  for (const Model* model : linked())
    if (same(block_of(*model), block)) return model;
  return nullptr;
}

const BlockEntry* find_entry(const Block& block) {
  for (const auto* list : {&fabric::own_blocks(), &fabric::listed_blocks()})
    for (const BlockEntry& entry : *list)
      if (same(entry.block, block)) return &entry;
  return nullptr;
}

std::string build_command(const std::string& name) {
  return fmt::format("cmake --build {} --target model_{}", fabric::build_folder(), name);
}

std::filesystem::path file_of(const std::string& name) {
  for (const std::filesystem::path& folder : fabric::model_folders()) {
    std::error_code none;
    if (const auto file = folder / (name + ".so"); std::filesystem::exists(file, none)) return file;
  }
  throw InputError("the model '{}' is not built; build it with: {}", name, build_command(name));
}

const Model& load_entry(const BlockEntry& entry) {
  const std::filesystem::path file = file_of(entry.name);
  const auto refuse = [&](const std::string& why) {
    return InputError("{}: the model {}; rebuild it with: {}", file.string(), why,
                      build_command(entry.name));
  };
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw refuse(fmt::format("cannot be loaded ({})", dlerror()));
  const std::string symbol = "muster_model_" + entry.name;
  const auto describe = reinterpret_cast<const Model* (*)()>(dlsym(library, symbol.c_str()));
  if (describe == nullptr) throw refuse("has another name");
  const Model& model = *describe();
  if (std::string_view(model.interface) != MUSTER_MODEL_INTERFACE)
    throw refuse("was built for another version of this program");
  if (!same(block_of(model), entry.block)) throw refuse("was built with other parameters");
  return model;
}

}  // namespace

LinkedModels::LinkedModels(std::initializer_list<const Model*> models) {
  linked().insert(linked().end(), models);
}

bool knows(const Block& block) {
  return find_linked(block) != nullptr || find_entry(block) != nullptr;
}

const Model& load(const Block& block) {
  static std::mutex mutex;
  static std::map<std::string, const Model*> loaded;  // by name
  if (const Model* const model = find_linked(block)) return *model;
  const BlockEntry* const entry = find_entry(block);
  if (entry == nullptr) throw InternalError("no model of '" + block.top + "' has this size");
  const std::scoped_lock lock(mutex);
  const Model*& model = loaded[entry->name];
  if (model == nullptr) model = &load_entry(*entry);
  return *model;
}

std::vector<BlockEntry> listed_models() {
  std::vector<BlockEntry> entries;
  if (linked().empty()) {
    constexpr std::string_view kSoak[] = {MUSTER_SOAK_MODELS};
    for (const BlockEntry& entry : fabric::listed_blocks())
      if (std::ranges::find(kSoak, entry.name) == std::end(kSoak)) entries.push_back(entry);
  }
  for (const Model* model : linked())
    entries.push_back({model->name, model->kind, block_of(*model)});
  return entries;
}

std::vector<fabric::SwitchConfig> listed_switches(const fabric::SwitchKind& kind) {
  std::vector<fabric::SwitchConfig> configs;
  for (const BlockEntry& entry : listed_models())
    if (fabric::is_of(entry.block, kind)) configs.push_back(fabric::switch_config(entry, kind));
  return configs;
}

}  // namespace muster::verif
