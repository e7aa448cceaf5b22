// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "systems/esc/scheme/routing.hpp"

using namespace muster;
using namespace muster::esc;

namespace {

struct Size {
  std::uint32_t pes, n;
};
const std::vector<Size> kSizes = {{4, 2},  {4, 4},  {8, 2},  {8, 8},   {16, 2}, {16, 4},
                                  {64, 2}, {64, 4}, {64, 8}, {256, 4}, {512, 8}};

}  // namespace

TEST_CASE("a cube exists for powers of the box size up to 65536", "[esc]") {
  CHECK(esc::Cube::exists(65536, 2));
  CHECK(esc::Cube::exists(65536, 4));
  CHECK(esc::Cube::exists(32768, 8));
  CHECK_FALSE(esc::Cube::exists(65536, 8));
  CHECK_FALSE(esc::Cube::exists(8, 4));
  CHECK_FALSE(esc::Cube::exists(2, 4));
  CHECK_FALSE(esc::Cube::exists(131072, 2));
  CHECK_FALSE(esc::Cube::exists(100, 2));
  CHECK_FALSE(esc::Cube::exists(0, 2));
}

TEST_CASE("box and port of every link lead back to it and share all digits but one", "[esc]") {
  for (const auto& [pes, n] : kSizes) {
    const esc::Cube cube(pes, n);
    for (unsigned stage = 0; stage <= cube.input_stage(); ++stage) {
      std::vector<std::set<std::uint32_t>> links(cube.boxes_per_stage());
      for (std::uint32_t link = 0; link < pes; ++link) {
        const std::uint32_t box = cube.box(stage, link), port = cube.port(stage, link);
        REQUIRE(box < cube.boxes_per_stage());
        REQUIRE(port == cube.digit(link, stage == cube.input_stage() ? 0 : stage));
        REQUIRE(cube.link(stage, box, port) == link);
        links[box].insert(link);
      }
      const unsigned digit = stage == cube.input_stage() ? 0 : stage;
      for (const auto& of_box : links) {
        REQUIRE(of_box.size() == n);
        for (const std::uint32_t link : of_box)
          REQUIRE(cube.with_digit(link, digit, 0) == cube.with_digit(*of_box.begin(), digit, 0));
      }
    }
  }
}

TEST_CASE("the network of Figure 2 has these boxes", "[esc]") {
  const esc::Cube cube(8, 2);
  CHECK(cube.input_stage() == 3);
  CHECK(cube.boxes() == 16);
  // Links that meet in a box: 0 and 1 in stages 3 and 0, 0 and 4 in stage 2, 0 and 2 in stage 1.
  const auto partner = [&](unsigned stage, std::uint32_t link) {
    return cube.link(stage, cube.box(stage, link), 1 - cube.port(stage, link));
  };
  CHECK(partner(3, 0) == 1);
  CHECK(partner(2, 0) == 4);
  CHECK(partner(1, 0) == 2);
  CHECK(partner(0, 0) == 1);
  CHECK(partner(2, 3) == 7);
  CHECK(partner(1, 5) == 7);
}

TEST_CASE("tags lead from every PE to every PE on n paths without a common inner link", "[esc]") {
  for (const auto& [pes, n] : kSizes) {
    if (pes > 64) continue;
    const esc::Cube cube(pes, n);
    const esc::OuterStages normal{.input = false, .output = true},
        both{.input = true, .output = true}, late{.input = true, .output = false};
    for (std::uint32_t s = 0; s < pes; ++s) {
      for (std::uint32_t d = 0; d < pes; ++d) {
        REQUIRE(esc::link_after(cube, normal, s, cube.tag(d, 0), 0) == d);
        REQUIRE(esc::link_after(cube, late, s, cube.tag(d, cube.digit(d, 0)), 1) == d);
        std::set<std::uint32_t> inner;
        for (std::uint32_t x = 0; x < n; ++x) {
          REQUIRE(esc::link_after(cube, both, s, cube.tag(d, x), 0) == d);
          for (unsigned stage = 1; stage <= cube.input_stage(); ++stage) {
            const std::uint32_t link = esc::link_after(cube, both, s, cube.tag(d, x), stage);
            REQUIRE(cube.digit(link, 0) == x);
            inner.insert(stage * pes + link);
          }
        }
        REQUIRE(inner.size() == n * cube.input_stage());
      }
    }
  }
}
