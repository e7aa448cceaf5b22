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
  Study(Plan given, const Context& context);
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  Plan plan;
  CommandShape shape;
  Runs runs;
};

/// How a study is run.
struct StudySetting {
  std::string out;             ///< file of rows
  unsigned jobs = 1;           ///< runs at a time, in each rank
  std::optional<Shard> shard;  ///< none: all
  Reuse reuse;                 ///< of the rows in the file
  std::function<bool()> stop;  ///< asked several times a second
};

/// Its outcome.
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

/// Runs the rows that are not in the file; with ranks this is rank 0, and the others serve
/// (serve_study). Throws InputError if the file cannot be written, or a row of status 0 has no
/// field that the plan keeps; the rows before it are in the file.
StudyEnd run_study(const Study& study, const StudySetting& setting, const Context& context);

/// Runs rows that rank 0 asks for until it releases this one. REQUIRES: this is another rank.
void serve_study(const Study& study, unsigned jobs, const Context& context);

/// Releases the ranks that serve when it goes. REQUIRES: this is rank 0, or there are no ranks.
class ServingRanks {
 public:
  explicit ServingRanks(const Context& context) : farm_{{}, {}, 1, context.ranks.get()} {}
  ~ServingRanks() { farm_.close(); }
  ServingRanks(const ServingRanks&) = delete;
  ServingRanks& operator=(const ServingRanks&) = delete;

 private:
  Farm farm_;
};

}  // namespace muster::app::sweep
