// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/engine_registry.hpp"

#include "core/text.hpp"

namespace muster::fabric {

void EngineRegistry::add(std::shared_ptr<const BankFactory> factory) {
  for (const auto& known : factories_)
    if (known->name() == factory->name())
      throw InternalError("engine '{}' is registered twice", factory->name());
  factories_.push_back(std::move(factory));
}

std::shared_ptr<const BankFactory> EngineRegistry::find(const std::string& name) const {
  for (const auto& factory : factories_)
    if (factory->name() == name) return factory;
  throw unknown_name("--engine", name, names());
}

std::vector<std::string> EngineRegistry::names() const {
  std::vector<std::string> names;
  for (const auto& factory : factories_) names.push_back(factory->name());
  return names;
}

std::string EngineRegistry::choices() const {
  std::string text;
  const auto all = names();
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
  return text;
}

}  // namespace muster::fabric
