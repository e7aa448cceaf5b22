// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/sweep/farm.hpp"
#include "app/sweep/networks.hpp"
#include "app/sweep/plan_check.hpp"
#include "app/sweep/rows_file.hpp"
#include "app/sweep/shard.hpp"

namespace muster::app::sweep {

/// A plan that has been checked, and its runs.
struct Study {
  /// Throws InputError for a plan that cannot be run.
  Study(const std::string& file, const Context& context);
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  Plan plan;
  CommandShape shape;
  Runs runs;
};

/// How a study is run.
struct StudySetting {
  std::string out;             ///< file of rows
  unsigned jobs = 1;           ///< runs at a time
  std::optional<Shard> shard;  ///< none: all
  bool again = false;          ///< rows that failed are run again
  std::function<bool()> stop;  ///< asked several times a second
};

/// What became of it.
struct StudyEnd {
  bool complete = true;      ///< false: stopped
  std::uint64_t rows = 0;    ///< of the shard
  std::uint64_t there = 0;   ///< rows in the file
  std::uint64_t failed = 0;  ///< rows of a status other than 0
};

/// The words that run a row, after the program's name; `networks` has the file of its network.
std::vector<std::string> row_words(const Study& study, const Run& run, const Networks& networks);

/// Where generated networks of the rows in `out` lie, of all shards in one folder.
Networks networks_beside(const std::string& out, const Study& study);

/// Runs the rows that are not in the file. Throws InputError if the file cannot be written.
StudyEnd run_study(const Study& study, const StudySetting& setting, const Context& context);

}  // namespace muster::app::sweep
