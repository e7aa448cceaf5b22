// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/unknown_name.hpp"
#include "figures/systems_figures.hpp"
#include "muster/core/error.hpp"
#include "muster/figures/figure.hpp"
#include "muster/run/system.hpp"

namespace muster::figures {

void FigureList::add(std::unique_ptr<Figure> figure) {
  for (const auto& known : figures_)
    if (known->id() == figure->id())
      throw InternalError(fmt::format("figure '{}' is there twice", figure->id()));
  figures_.push_back(std::move(figure));
}

std::vector<Figure*> FigureList::find_all(const std::vector<std::string>& ids) const {
  std::vector<std::string> known{"all"};
  for (const auto& figure : figures_) known.push_back(figure->id());
  for (const std::string& id : ids)
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw unknown_name("figure", id, known);
  std::vector<Figure*> found;
  for (const auto& figure : figures_)
    if (std::any_of(ids.begin(), ids.end(),
                    [&](const auto& id) { return id == "all" || id == figure->id(); }))
      found.push_back(figure.get());
  return found;
}

FigureList all_figures() {
  FigureList list;
  for (const auto& system : run::systems()) system->add_figures(list);
  add_systems_figures(list);
  return list;
}

}  // namespace muster::figures
