// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "support/folder.hpp"

namespace muster::test {

struct Outcome {
  int status;
  std::string out, err;
};

/// Runs `muster ARGUMENTS` as a user would, standard output to `out` if given; the time limit turns
/// a hang into status 124.
inline Outcome muster_command(const std::string& arguments, const std::string& out = "") {
  const Folder folder;
  const std::string line = std::string("timeout 100 ") + MUSTER_COMMAND + " " + arguments + " >" +
                           (out.empty() ? folder.file("out") : out) + " 2>" + folder.file("err") +
                           " </dev/null";
  const int result = std::system(line.c_str());
  return {WIFEXITED(result) ? WEXITSTATUS(result) : -1, folder.read("out"), folder.read("err")};
}

/// `muster ARGUMENTS` ends with status 2, one line on standard error that says `reason`, nothing on
/// standard output.
inline void refuses(const std::string& arguments, const std::string& reason) {
  const Outcome got = muster_command(arguments);
  CAPTURE(arguments, got.err, got.out);
  CHECK(got.status == 2);
  CHECK(got.out.empty());
  CHECK(std::count(got.err.begin(), got.err.end(), '\n') == 1);
  CHECK(got.err.starts_with("muster: "));
  CHECK(got.err.find(reason) != std::string::npos);
}

inline const std::string kFigure1 = std::string(MUSTER_SOURCE_DIR) + "/topologies/figure1.json";
inline std::string run(const std::string& options) { return "run " + kFigure1 + " " + options; }

}  // namespace muster::test
