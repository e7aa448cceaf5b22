// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/study.hpp"

#include <fmt/format.h>

#include <chrono>
#include <set>
#include <utility>

#include "app/progress.hpp"
#include "app/sweep/header.hpp"
#include "app/sweep/row.hpp"
#include "muster/core/error.hpp"

namespace muster::app::sweep {

namespace {

using Clock = std::chrono::steady_clock;

/// One pass over the rows that are missing.
class Pass {
 public:
  Pass(const Study& study, const StudySetting& setting, Networks networks, const Context& context)
      : study_(study),
        setting_(setting),
        networks_(std::move(networks)),
        farm_{context.program, study.plan.folder, setting.jobs, context.ranks.get()},
        file_(setting.out, header_of(study, setting.shard, context), study.runs, setting.reuse),
        rows_(rows_of_shard()),
        progress_(rows_.size(), rows_.size() - missing_.size(), "rows") {}

  StudyEnd run() {
    StudyEnd end;
    end.complete = make_networks() && run_rows();
    if (end.complete && !missing_.empty()) file_.sort();
    for (const std::uint64_t row : rows_) end.there += file_.has(row);
    end.rows = rows_.size();
    return end;
  }

 private:
  std::vector<std::uint64_t> rows_of_shard() {
    std::vector<std::uint64_t> rows;
    for (std::uint64_t row = 0; row < study_.runs.size(); ++row) {
      if (setting_.shard && !setting_.shard->has(row)) continue;
      rows.push_back(row);
      if (!file_.has(row)) missing_.push_back(row);
    }
    return rows;
  }

  /// The generated networks of missing rows. False if it was stopped.
  bool make_networks() {
    std::vector<Json> wanted;
    std::set<std::string> paths;
    for (const std::uint64_t row : missing_) {
      const Json network = study_.runs.at(row).parameters.value("network", Json());
      if (!Networks::is_generated(network)) continue;
      const std::string path = networks_.path(network);
      if (!std::filesystem::exists(path) && paths.insert(path).second) wanted.push_back(network);
    }
    if (wanted.empty()) return true;
    std::error_code error;
    std::filesystem::create_directories(networks_.folder(), error);
    if (error)
      throw InputError(fmt::format("{}: cannot be made: {}; it is for generated networks",
                                   networks_.folder().string(), error.message()));
    return farm_.run(
        wanted.size(), [&](std::uint64_t job) { return networks_.command(wanted[job]); },
        [&](std::uint64_t job, const ChildOutcome& outcome) {
          if (outcome.status != 0) refused_[networks_.path(wanted[job])] = outcome;
        },
        setting_.stop);
  }

  bool run_rows() {
    // A row whose network could not be made has what the generator said.
    std::vector<std::uint64_t> started;
    for (const std::uint64_t row : missing_) {
      const Run run = study_.runs.at(row);
      const auto refused = refused_.find(network_path(run));
      if (refused == refused_.end())
        started.push_back(row);
      else
        add(run, refused->second);
    }
    return farm_.run(
        started.size(),
        [&](std::uint64_t job) {
          std::vector<std::string> words =
              row_words(study_, study_.runs.at(started[job]), networks_);
          words.push_back("--json=-");
          return words;
        },
        [&](std::uint64_t job, const ChildOutcome& outcome) {
          add(study_.runs.at(started[job]), outcome);
        },
        [&] {
          show();
          return setting_.stop();
        });
  }

  std::string network_path(const Run& run) const {
    return run.parameters.contains("network") ? networks_.path(run.parameters["network"]) : "";
  }

  void add(const Run& run, const ChildOutcome& outcome) {
    Renamed renamed;
    if (const Json network = run.parameters.value("network", Json());
        Networks::is_generated(network))
      renamed = {networks_.path(network), Networks::label(network)};
    std::vector<std::string> missing;
    const Json row = make_row(run, outcome, study_.plan.keep, file_.machine(), renamed, missing);
    // Before there are more rows without the field.
    check_kept(study_.plan, row, missing, outcome);
    file_.append(row);
    progress_.add(row["status"] != 0);
  }

  void show() const {
    const std::chrono::duration<double> time = Clock::now() - start_;
    if (shows_progress()) show_progress(progress_.line(time.count()));
  }

  const Study& study_;
  const StudySetting& setting_;
  Networks networks_;
  Farm farm_;
  RowsFile file_;
  std::vector<std::uint64_t> missing_;
  std::vector<std::uint64_t> rows_;
  Progress progress_;
  std::map<std::string, ChildOutcome> refused_;  ///< by path
  Clock::time_point start_ = Clock::now();
};

}  // namespace

void serve_study(const Study& study, unsigned jobs, const Context& context) {
  Farm{context.program, study.plan.folder, jobs, context.ranks.get()}.serve();
}

Study::Study(Plan given, const Context& context)
    : plan(std::move(given)),
      shape(check_plan(plan, context)),
      runs(plan, read_inputs(plan, *context.engines), context.origin.version) {}

std::vector<std::string> row_words(const Study& study, const Run& run, const Networks& networks) {
  std::vector<std::string> words = study.plan.command;
  if (run.parameters.contains("network")) words.push_back(networks.path(run.parameters["network"]));
  words.insert(words.end(), run.options.begin(), run.options.end());
  if (study.shape.has_threads) words.push_back("--threads=1");
  return words;
}

Networks networks_beside(const std::string& out, const Study& study) {
  return {std::filesystem::path(out).replace_extension().string() + "-networks",
          study.runs.version()};
}

StudyEnd run_study(const Study& study, const StudySetting& setting, const Context& context) {
  StudySetting own = setting;
  if (own.shard) own.out = shard_file(own.out, *own.shard);
  StudyEnd end = Pass(study, own, networks_beside(setting.out, study), context).run();
  for (const Json& row : read_rows(own.out).rows) end.failed += row["status"] != 0;
  return end;
}

}  // namespace muster::app::sweep
