// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

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

inline const std::string kFigure1 = std::string(MUSTER_SOURCE_DIR) + "/topologies/figure1.json";

}  // namespace muster::test
