// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim_cpp/app/running.hpp"

namespace muster::test {

struct PlanFolder : Folder {
  explicit PlanFolder(const std::string& fields) {
    write("plan.json", R"({"schema": "muster-sweep-plan-1", )" + fields + "}");
  }
  std::string words(const std::string& options = "") const {
    return "sweep " + file("plan.json") + " --out " + file("r.jsonl") + " " + options;
  }
  Outcome sweep(const std::string& options = "") const { return muster_command(words(options)); }
};

inline std::string of_figure1(const std::string& options) {
  return R"("network": ")" + kFigure1 + R"(", "options": {"group": "paper", "barriers": 2)" +
         (options.empty() ? "" : ", ") + options + "}";
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Rows of a file, without its header.
inline std::vector<nlohmann::json> rows_of(const std::string& text) {
  std::vector<nlohmann::json> rows;
  for (const std::string& line : lines_of(text)) rows.push_back(nlohmann::json::parse(line));
  REQUIRE_FALSE(rows.empty());
  rows.erase(rows.begin());
  return rows;
}

}  // namespace muster::test
