// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::vector<Figure*> FigureList::find(const std::string& id) const {
  std::vector<Figure*> found;
  std::vector<std::string> ids{"all"};
  for (const auto& figure : figures_) {
    ids.push_back(figure->id());
    if (id == "all" || id == figure->id()) found.push_back(figure.get());
  }
  if (found.empty()) throw unknown_name("figure", id, ids);
  return found;
}

FigureList all_figures() {
  FigureList list;
  for (const auto& system : run::systems()) system->add_figures(list);
  add_systems_figures(list);
  return list;
}

}  // namespace muster::figures
