// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "Vscan_order_n2.h"
#include "Vscan_order_n4.h"
#include "Vscan_order_n8.h"

namespace {

template <class M, unsigned N>
struct Order {
  using Model = M;
  static constexpr unsigned kSize = N;
};

}  // namespace

TEMPLATE_TEST_CASE("a scan goes around from its start, in its direction", "[rtl][esc]",
                   (Order<Vscan_order_n2, 2>), (Order<Vscan_order_n4, 4>),
                   (Order<Vscan_order_n8, 8>)) {
  constexpr unsigned n = TestType::kSize;
  typename TestType::Model dut;
  for (unsigned start = 0; start < n; ++start)
    for (const bool down : {false, true}) {
      std::vector<unsigned> order;
      for (unsigned k = 0; k < n; ++k) order.push_back((down ? start + n - k : start + k) % n);
      dut.start_i = start;
      dut.down_i = down;
      dut.eval();
      for (unsigned j = 0; j < n; ++j)
        for (unsigned i = 0; i < n; ++i) {
          CAPTURE(start, down, j, i);
          const bool after =
              std::find(order.begin(), order.end(), i) > std::find(order.begin(), order.end(), j);
          CHECK(((std::uint64_t{dut.after_o} >> (j * n + i)) & 1) == after);
        }
    }
}
