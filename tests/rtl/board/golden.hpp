// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace muster::test {

/// Systems of muster_board_top.
inline constexpr unsigned kBoardSystems = 4;

/// The first lines on the serial line of a system, `divisor` cycles a bit: what the library's
/// golden models make of it, on the library's own plan of the network, beside nodes, timer and
/// serial line as the headers of rtl/board describe them.
std::string golden_lines(unsigned system, unsigned divisor, std::size_t lines);

}  // namespace muster::test
