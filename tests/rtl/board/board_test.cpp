// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include <catch2/catch.hpp>

#include "Vboard_cube.h"
#include "Vboard_mesh.h"
#include "Vboard_nic.h"
#include "Vboard_preempt.h"
#include "rtl/board/golden.hpp"
#include "rtl/board/serial_line.hpp"

using namespace muster::test;

namespace {

template <class M, unsigned Number>
struct BoardOf {
  using Model = M;
  static constexpr unsigned kSystem = Number;
};

}  // namespace

TEMPLATE_TEST_CASE("a board's serial line has the cycles of golden's barriers", "[board]",
                   (BoardOf<Vboard_mesh, 0>), (BoardOf<Vboard_preempt, 1>),
                   (BoardOf<Vboard_cube, 2>), (BoardOf<Vboard_nic, 3>)) {
  constexpr unsigned kLines = 300, kDivisor = 4;  // numbers of lines begin again
  VerilatedContext context;
  context.randReset(2);
  typename TestType::Model model(&context, "board");
  const SerialLine line = listen(model, kDivisor, kLines, 2000 * kLines);
  REQUIRE(line.framed());
  CHECK(line.text() == golden_lines(TestType::kSystem, kDivisor, kLines));
  model.final();
}
