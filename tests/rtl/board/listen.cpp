// SPDX-License-Identifier: Apache-2.0
// listen LINES: simulates board_top, as RTL or as what is read back from a bitstream (scripts/board
// compiles it with either), and prints what it sends over its serial line. Exit status 1 if it does
// not send so many lines.
#include <verilated.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "Vboard.h"
#include "serial_line.hpp"

int main(int argc, char** argv) {
  const long lines = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (lines <= 0) {
    std::fprintf(stderr, "usage: listen LINES\n");
    return 2;
  }
  constexpr unsigned kDivisor = 104;        // of board_top
  constexpr std::uint64_t kCycles = 20000;  // a line takes 9 * 10 * 104
  VerilatedContext context;
  Vboard model(&context);
  const auto line = muster::test::listen(model, kDivisor, static_cast<std::size_t>(lines),
                                         kCycles * static_cast<std::uint64_t>(lines));
  std::fputs(line.text().c_str(), stdout);
  const auto sent = std::count(line.text().begin(), line.text().end(), '\n');
  return line.framed() && sent == lines ? 0 : 1;
}
