// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "app/commands.hpp"
#include "app/interruption.hpp"
#include "app/process_ranks.hpp"
#include "app/sweep/csv.hpp"
#include "app/sweep/merge.hpp"
#include "app/sweep/study.hpp"

namespace muster::app {

namespace {

struct SweepOptions {
  std::string plan, out, csv, shard;
  std::vector<std::string> merge;
  unsigned jobs = 1;
  bool list = false, again = false, mixed = false;
};

std::string counted(std::uint64_t rows, const std::string& what) {
  return rows == 0 ? "" : fmt::format(", {} {}", rows, what);
}

/// The commands of all rows, for a shell.
void list_rows(const sweep::Study& study, const std::string& out, const Context& context) {
  const sweep::Networks networks = sweep::networks_beside(out, study);
  std::string text;
  for (std::uint64_t row = 0; row < study.runs.size(); ++row) {
    text += fmt::format("{} {}", row, context.program);
    for (const std::string& word : sweep::row_words(study, study.runs.at(row), networks)) {
      const bool plain = word.find_first_of(" \t\n'\"\\$`*?#;&|<>(){}[]~!") == std::string::npos;
      text += plain ? " " + word : fmt::format(" '{}'", word);
    }
    text += "\n";
  }
  print(text);
}

/// The rows that were there before are in the table too.
void put_csv(const std::string& csv, const std::string& rows) {
  Outputs outputs;
  outputs.reads(rows);
  outputs.writes("--csv", csv);
  outputs.put(csv, sweep::rows_to_csv(sweep::read_rows(rows).rows));
  outputs.commit();
}

/// In all ranks but the first, until that has no more rows. The others would wait for one that
/// cannot go on.
void serve(const sweep::Study& study, const SweepOptions& options, const Context& context) {
  const Interruption interruption;  // rank 0 is told too, and ends the study
  try {
    sweep::serve_study(study, options.jobs, context);
  } catch (const InputError& error) {
    fmt::print(stderr, "{}: rank {}: {}\n", context.program, context.ranks->rank(), error.what());
    context.ranks->abort(2);
  }
}

void run_plan(SweepOptions options, const Context& context, int& status) {
  std::optional<const sweep::Study> checked;
  together(context.ranks.get(), [&] { checked.emplace(sweep::read_plan(options.plan), context); });
  const sweep::Study& study = *checked;
  if (context.follows()) return serve(study, options, context);
  const sweep::ServingRanks others(context);
  if (options.out.empty())
    options.out = std::filesystem::path(options.plan).filename().replace_extension(".jsonl");
  if (options.list) return list_rows(study, options.out, context);
  sweep::StudySetting setting;
  setting.out = options.out;
  setting.jobs = options.jobs;
  setting.reuse = {.failed = !options.again, .mixed = options.mixed};
  if (!options.shard.empty())
    setting.shard = sweep::shard_named(options.shard);
  else
    setting.shard = sweep::slurm_shard();
  std::string rows = options.out, csv = options.csv;
  if (setting.shard) {
    rows = sweep::shard_file(rows, *setting.shard);
    if (!csv.empty()) csv = sweep::shard_file(csv, *setting.shard);
  }
  Outputs check;
  check.reads(options.plan);
  check.writes("--out", rows);
  check.writes("--csv", csv);
  const Interruption interruption;
  setting.stop = [&] { return interruption.requested(); };
  const sweep::StudyEnd end = sweep::run_study(study, setting, context);
  if (!csv.empty()) put_csv(csv, rows);
  clear_progress();
  if (!end.complete) {
    interruption.report(fmt::format("{} of {} rows are in {}; repeat the command to continue",
                                    end.there, end.rows, rows));
    status = interruption.status();
    return;
  }
  print(fmt::format("{}: {} rows{}{}\n", rows, end.rows, counted(end.failed, "failed"),
                    setting.shard
                        ? fmt::format(" (shard {} of {})", setting.shard->number, setting.shard->of)
                        : ""));
  status = end.failed == 0 ? 0 : 1;
}

void merge_files(const SweepOptions& options, int& status) {
  if (options.out.empty() && options.csv.empty())
    throw InputError("--merge: writes nothing; name a file with --out or --csv");
  Outputs outputs;
  outputs.writes("--out", options.out);
  outputs.writes("--csv", options.csv);
  const sweep::RowsText merged = sweep::merge_rows(options.merge, options.mixed);
  outputs.put(options.out, sweep::sorted_text(merged.header, merged.rows));
  outputs.put(options.csv, sweep::rows_to_csv(merged.rows));
  outputs.commit();
  std::uint64_t failed = 0;
  for (const sweep::Json& row : merged.rows) failed += row["status"] != 0;
  const std::uint64_t missing =
      merged.header["rows"].get<std::uint64_t>() - std::uint64_t{merged.rows.size()};
  print(fmt::format("{}: {} rows{}{}\n", options.out.empty() ? options.csv : options.out,
                    merged.rows.size(), counted(failed, "failed"), counted(missing, "missing")));
  status = failed + missing == 0 ? 0 : 1;
}

}  // namespace

void add_sweep(CLI::App& app, const Context& context, int& status) {
  auto options = std::make_shared<SweepOptions>();
  if (!context.ranks) options->jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command = app.add_subcommand(
      "sweep", "Run a command with many values of its options, one row for each");
  CLI::Option* plan = command->add_option("PLAN", options->plan, "Plan of the study, JSON");
  CLI::Option* merge =
      command->add_option("--merge", options->merge, "Merge the rows of these files; run nothing");
  merge->excludes(plan);
  add_text(*command, "--out", options->out,
           "File of rows, one JSON object per line, which also resumes a sweep; default: the "
           "plan's name with .jsonl");
  add_text(*command, "--csv", options->csv, "The rows as a table");
  add_number(*command, "--jobs", options->jobs,
             "Simultaneous runs of each rank; rows are the same for any number", 1, 256)
      ->capture_default_str();
  add_text(*command, "--shard", options->shard,
           "2/8: the second of eight parts of the plan; default: by the task of a Slurm array");
  command->add_flag("--again", options->again, "Repeat failed rows");
  command->add_flag("--mixed", options->mixed,
                    "Continue with rows of other builds of the program, or merge them");
  command->add_flag("--list", options->list, "Print the command of each row; run nothing");
  command->callback([options, &context, &status] {
    if (!options->merge.empty()) return context.follows() ? void() : merge_files(*options, status);
    if (options->plan.empty())
      throw InputError("a plan is required: muster sweep PLAN; see muster sweep --help");
    run_plan(*options, context, status);
  });
}

}  // namespace muster::app
