// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/sweep/commits.hpp"
#include "app/sweep/merge.hpp"
#include "muster/core/error.hpp"

namespace muster::app::sweep {

namespace {

/// Takes the rows of one file after the other.
class Merger {
 public:
  explicit Merger(bool mixed) : mixed_(mixed) {}

  void add(const std::string& file) {
    RowsText text = read_rows(file);
    if (merged_.header.is_null()) {
      merged_.header = text.header;
      merged_.header["shard"] = nullptr;
      merged_.header["machines"] = Json::array();
      first_ = file;
    }
    for (const char* field : {"version", "plan", "networks", "files", "models", "rows"})
      if (text.header[field] != merged_.header[field])
        throw InputError(
            fmt::format("{}: has other '{}' than {}; merge rows of one plan", file, field, first_));
    const std::vector<std::size_t> machines = add_machines(file, text.header["machines"]);
    for (Json& row : text.rows) {
      const auto machine = row["machine"].get<std::size_t>();
      if (machine >= machines.size())
        throw InputError(
            fmt::format("{}: row {}: its machine is not in the header", file, row["row"].dump()));
      if (!mixed_) check_commit(file, commit_of(text.header, row));
      row["machine"] = machines[machine];
      add_row(file, std::move(row));
    }
  }

  RowsText take() {
    for (auto& [number, row] : rows_) merged_.rows.push_back(std::move(row));
    return std::move(merged_);
  }

 private:
  /// Rows of another build may differ by what has changed in the program.
  void check_commit(const std::string& file, const std::string& commit) {
    const auto& [known, first] = *commits_.emplace(commit, file).first;
    for (const auto& [other, where] : commits_)
      if (other != known)
        throw InputError(fmt::format(
            "{}: has rows of {}, {} has rows of {}; run them with one build, or allow both with "
            "--mixed",
            first, shown_commit(known), where, shown_commit(other)));
  }

  /// The places of a file's machines in the list of all.
  std::vector<std::size_t> add_machines(const std::string& file, const Json& machines) {
    if (machines.empty()) throw InputError(file + ": line 1: has no machine");
    Json& all = merged_.header["machines"];
    std::vector<std::size_t> places;
    for (const Json& machine : machines) {
      const auto found = std::find(all.begin(), all.end(), machine);
      places.push_back(static_cast<std::size_t>(found - all.begin()));
      if (found == all.end()) all.push_back(machine);
    }
    return places;
  }

  void add_row(const std::string& file, Json row) {
    const auto number = row["row"].get<std::uint64_t>();
    const auto [at, is_new] = rows_.emplace(number, row);
    if (is_new) return;
    for (const char* varies : {"machine", "seconds"}) row[varies] = at->second[varies];
    if (row != at->second)
      throw InputError(fmt::format(
          "{}: row {} differs from the same row of another file; run it again", file, number));
  }

  bool mixed_;
  std::map<std::string, std::string> commits_;  ///< of each the first file with such rows
  RowsText merged_;
  std::string first_;  ///< file
  std::map<std::uint64_t, Json> rows_;
};

}  // namespace

RowsText merge_rows(const std::vector<std::string>& files, bool mixed) {
  Merger merger(mixed);
  for (const std::string& file : files) merger.add(file);
  return merger.take();
}

}  // namespace muster::app::sweep
