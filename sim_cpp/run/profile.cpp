// SPDX-License-Identifier: Apache-2.0
#include "muster/run/profile.hpp"

#include <fmt/format.h>

#include "core/unknown_name.hpp"
#include "muster/core/error.hpp"
#include "muster/run/system.hpp"

namespace muster::run {

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = [] {
    std::vector<Profile> list{Profile{}};
    for (const auto& system : systems())
      for (Profile& profile : system->profiles()) list.push_back(std::move(profile));
    return list;
  }();
  return all;
}

const Profile& find_profile(const std::string& name) {
  for (const Profile& profile : profiles())
    if (profile.name == name) return profile;
  throw unknown_name("--profile", name, {profile_names()});
}

std::string profile_names() {
  std::string names;
  for (const Profile& profile : profiles()) names += (names.empty() ? "" : ", ") + profile.name;
  return names;
}

}  // namespace muster::run
