// SPDX-License-Identifier: Apache-2.0
// board_golden SYSTEM DIVISOR LINES: prints what a board-level system sends over its serial line,
// DIVISOR cycles a bit, by golden models; scripts/board compares it with what is placed.
#include <cstdio>
#include <cstdlib>

#include "rtl/board/golden.hpp"

int main(int argc, char** argv) {
  const unsigned long system = argc == 4 ? std::strtoul(argv[1], nullptr, 10) : ~0ul;
  const unsigned long divisor = argc == 4 ? std::strtoul(argv[2], nullptr, 10) : 0;
  const unsigned long lines = argc == 4 ? std::strtoul(argv[3], nullptr, 10) : 0;
  if (system >= muster::test::kBoardSystems || divisor == 0 || lines == 0) {
    std::fprintf(stderr, "usage: board_golden SYSTEM DIVISOR LINES\n");
    return 2;
  }
  const std::string text = muster::test::golden_lines(static_cast<unsigned>(system),
                                                      static_cast<unsigned>(divisor), lines);
  std::fputs(text.c_str(), stdout);
  return 0;
}
