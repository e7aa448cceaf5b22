// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "figures/systems_points.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/topology/generate.hpp"

using namespace muster;

TEST_CASE("barriers by switches, NICs and hosts on one network, with and without data",
          "[experiment][systems]") {
  const auto engine = run::make_golden_engine();
  figures::FigureSetting setting;
  setting.engine = engine;
  const topology::Graph mesh = topology::generate_mesh(4, 4);
  const figures::SystemNetwork network{"mesh", mesh, topology::routes_for(mesh)};
  constexpr std::uint32_t kMembers = 8;
  std::vector<figures::SystemCase> cases;
  for (const figures::System& system : figures::systems())
    for (const bool own : {false, true})
      for (const double load : {0.0, 0.5})
        if (system.own || !own) cases.push_back({system, kMembers, load, own, 10});
  figures::FigureData data;
  const auto points =
      figures::measure_systems(network, cases, run::find_profile("native"), setting, data);
  CHECK(data.violations == 0);
  REQUIRE(points.size() == cases.size());
  const auto at = [&](const std::string& name, double load, bool own) {
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (cases[i].system.name == name && cases[i].load == load && cases[i].own == own)
        return points[i];
    throw std::logic_error(name);
  };
  for (const figures::SystemPoint& point : points) {
    CHECK_FALSE(point.stands_still);
    CHECK((point.mean_us > 0.1 && point.longest_us >= point.mean_us && point.messages > kMembers));
  }
  for (const figures::System& system : figures::systems()) {
    CAPTURE(system.name);
    CHECK(at(system.name, 0.5, false).mean_us > at(system.name, 0.0, false).mean_us);
    if (system.own) CHECK(at(system.name, 0.5, true).mean_us < at(system.name, 0.5, false).mean_us);
  }
  const figures::SystemPoint tree = at("barrier switch", 0.0, false);
  const figures::SystemPoint collective = at("NIC, dissemination", 0.0, false);
  const figures::SystemPoint direct = at("NIC, direct", 0.0, false);
  CHECK(at("barrier switch, reflecting", 0.0, false).mean_us < tree.mean_us);
  CHECK(tree.mean_us < collective.mean_us);
  CHECK(collective.mean_us < direct.mean_us);
  CHECK(tree.flits == tree.messages);
  CHECK(collective.flits == 5 * collective.messages);
  CHECK(direct.flits == 2 * collective.flits);  // each DATA has its ACK
}
