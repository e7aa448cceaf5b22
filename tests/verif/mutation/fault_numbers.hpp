// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// The numbers of faults that a program of scripts/mutate is asked for; none, and a line on how to
/// use it, if they are not numbers from 1.
inline std::vector<std::uint32_t> fault_numbers(int argc, char** argv, const char* program) {
  std::vector<std::uint32_t> faults;
  for (int i = 1; i < argc; ++i)
    faults.push_back(static_cast<std::uint32_t>(std::strtoul(argv[i], nullptr, 10)));
  if (faults.empty() || std::find(faults.begin(), faults.end(), 0U) != faults.end()) {
    std::fprintf(stderr, "usage: %s FAULT..., numbers from 1\n", program);
    return {};
  }
  return faults;
}
