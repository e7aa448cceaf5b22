// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "support/folder.hpp"

namespace muster::test {

/// JSON that the program has written, which must be as the schema in schemas/ says that it names.
inline nlohmann::json valid_json(const std::string& text) {
  const Folder folder;
  folder.write("result.json", text);
  const std::string line = std::string(MUSTER_SOURCE_DIR "/scripts/validate ") +
                           folder.file("result.json") + " >" + folder.file("errors") + " 2>&1";
  const int status = std::system(line.c_str());
  INFO(folder.read("errors"));
  REQUIRE(status == 0);
  return nlohmann::json::parse(text);
}

}  // namespace muster::test
