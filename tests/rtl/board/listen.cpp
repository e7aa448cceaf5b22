// SPDX-License-Identifier: Apache-2.0
// listen DIVISOR LINES: simulates the top of a board, as RTL or as it is placed and routed
// (scripts/board compiles it with either), and prints what it sends over its serial line, DIVISOR
// cycles a bit. Exit status 1 if it does not send so many lines.
#include <verilated.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "Vboard.h"
#include "serial_line.hpp"

int main(int argc, char** argv) {
  const long divisor = argc == 3 ? std::strtol(argv[1], nullptr, 10) : 0;
  const long lines = argc == 3 ? std::strtol(argv[2], nullptr, 10) : 0;
  if (divisor <= 0 || lines <= 0) {
    std::fprintf(stderr, "usage: listen DIVISOR LINES\n");
    return 2;
  }
  const auto cycles = 200 * static_cast<std::uint64_t>(divisor);  // a line takes 9 * 10 bits
  VerilatedContext context;
  Vboard model(&context);
  const auto line =
      muster::test::listen(model, static_cast<unsigned>(divisor), static_cast<std::size_t>(lines),
                           cycles * static_cast<std::uint64_t>(lines));
  std::fputs(line.text().c_str(), stdout);
  const auto sent = std::count(line.text().begin(), line.text().end(), '\n');
  return line.framed() && sent == lines ? 0 : 1;
}
