// SPDX-License-Identifier: Apache-2.0
#include "run/system_names.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

#include "muster/core/error.hpp"

namespace muster::run {

namespace {

/// What is named, and who has it.
class Names {
 public:
  /// `what`: "scheme", for messages.
  explicit Names(std::string what) : what_(std::move(what)) {}

  void add(const std::string& name, const std::string& owner) {
    const auto [at, is_new] = owners_.emplace(name, owner);
    if (!is_new)
      throw InternalError(fmt::format("system '{}': {} '{}' is taken by {}", owner, what_, name,
                                      at->second == owner ? "itself" : quoted(at->second)));
  }

 private:
  static std::string quoted(const std::string& owner) {
    return owner.empty() ? "Muster itself" : fmt::format("system '{}'", owner);
  }

  std::string what_;
  std::map<std::string, std::string> owners_;
};

}  // namespace

void check_names(const System& added) {
  Names schemes("scheme"), profiles("profile");
  profiles.add(Profile{}.name, "");
  const auto add = [&](const System& system) {
    const std::string owner(system.name());
    for (const SchemeFactory& scheme : system.schemes()) schemes.add(scheme.name, owner);
    for (const Profile& profile : system.profiles()) profiles.add(profile.name, owner);
  };
  for (const auto& system : systems()) {
    if (system->name() == added.name())
      throw InternalError(fmt::format("system '{}': another system has this name", added.name()));
    add(*system);
  }
  add(added);
}

}  // namespace muster::run
