// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/route_table.hpp"

#include <catch2/catch.hpp>

#include "muster/topology/generate.hpp"

namespace muster::golden {
namespace {

TEST_CASE("a routing table has what the host has written", "[golden][routes]") {
  RouteTable table(16);
  CHECK(table.dests() == 16);
  CHECK(table.mask(3) == 0);
  CHECK_FALSE(table.local(3));
  table.write(3, 0b110, false);
  table.write(4, 0, true);
  table.write(5, 0, true);
  CHECK(table.mask(3) == 0b110);
  CHECK((table.local(4) && table.local(5)));
  table.write(4, 0b1, false);
  CHECK(table.mask(4) == 0b1);
  CHECK((!table.local(4) && table.local(5)));
}

TEST_CASE("a shared table is the network's until the host writes", "[golden][routes]") {
  const topology::Graph graph = topology::generate_mesh(4, 3, 2);
  const topology::Routes routes = topology::routes_for(graph);
  RouteTable table(graph.destinations()), other(graph.destinations());
  table.write(0, 0b1000, true);  // forgotten
  table.share(routes, 5, true);
  other.share(routes, 5, false);
  const std::uint32_t own = graph.nodes() + 5;
  for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
    REQUIRE(table.mask(d) == routes.mask(5, d));
    REQUIRE(table.local(d) == (d == own));
    REQUIRE_FALSE(other.local(d));
  }
  table.write(7, 0b11, false);
  for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
    REQUIRE(table.mask(d) == (d == 7 ? 0b11 : routes.mask(5, d)));
    REQUIRE(other.mask(d) == routes.mask(5, d));
  }
  CHECK(table.local(own));
  table.write(own, 0, false);
  CHECK_FALSE(table.local(own));
}

TEST_CASE("where the network has no destination a shared table has no route", "[golden][routes]") {
  const topology::Graph trees[] = {topology::generate_fat_tree(2, 3),
                                   topology::generate_mesh(4, 3, 2)};
  for (const topology::Graph& graph : trees) {
    const topology::Routes routes = topology::routes_for(graph);
    RouteTable table(2 * graph.destinations());
    table.share(routes, 1, false);
    for (std::uint32_t d = graph.destinations(); d < table.dests(); ++d)
      REQUIRE(table.mask(d) == 0);
    table.write(0, 0b1, false);  // has its own entries now
    for (std::uint32_t d = graph.destinations(); d < table.dests(); ++d)
      REQUIRE(table.mask(d) == 0);
  }
}

}  // namespace
}  // namespace muster::golden
