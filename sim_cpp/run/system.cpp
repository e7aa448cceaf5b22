// SPDX-License-Identifier: Apache-2.0
#include "muster/run/system.hpp"

#include <fmt/format.h>

#include "core/unknown_name.hpp"
#include "muster/core/error.hpp"
#include "muster/run/checker_list.hpp"

namespace muster::run {

std::unique_ptr<checkers::CheckerList> make_checkers(const checkers::Subject& subject,
                                                     const checkers::Bounds& bounds,
                                                     const core::Parts& groups) {
  return std::make_unique<checkers::CheckerList>(subject, bounds, [&](checkers::CheckerList& list) {
    for (const auto& system : systems()) system->add_checkers(list, groups);
  });
}

FoundScheme find_scheme(const std::string& name) {
  for (const auto& system : systems())
    for (const SchemeFactory& scheme : system->schemes())
      if (name.empty() || name == scheme.name) return {*system, scheme};
  throw unknown_name("--scheme", name, {scheme_names()});
}

std::string scheme_names() {
  std::string names;
  for (const auto& system : systems())
    for (const SchemeFactory& scheme : system->schemes())
      names += (names.empty() ? "" : ", ") + scheme.name;
  return names;
}

}  // namespace muster::run
