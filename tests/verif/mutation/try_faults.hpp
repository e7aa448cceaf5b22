// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

#include "support/test.hpp"

/// The main function of a program of scripts/mutate. `found(fault)` runs the tests with a fault on
/// and says what found it. Prints a line for each fault that is named by its number: the number,
/// `killed` or `survived`, and what found it. Returns the exit status: 1 if something is found with
/// no fault on, 2 on bad use.
inline int try_faults(int argc, char** argv,
                      std::optional<std::string> (*found)(std::uint32_t fault)) {
  std::vector<std::uint32_t> faults;
  for (int i = 1; i < argc; ++i)
    faults.push_back(static_cast<std::uint32_t>(std::strtoul(argv[i], nullptr, 10)));
  if (faults.empty() || std::ranges::find(faults, 0U) != faults.end()) {
    std::fprintf(stderr, "usage: %s FAULT..., numbers from 1\n", argv[0]);
    return 2;
  }
  if (const auto text = found(0)) {
    std::fprintf(stderr, "%s: without a fault: %s\n", argv[0], text->c_str());
    return 1;
  }
  for (const std::uint32_t fault : faults) {
    const auto text = found(fault);
    std::printf("%u\t%s\t%s\n", fault, text ? "killed" : "survived", text.value_or("").c_str());
    std::fflush(stdout);
  }
  return 0;
}
