// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <set>

#include "app/commands.hpp"
#include "app/plot/drawing.hpp"
#include "app/plot/where.hpp"
#include "app/sweep/commits.hpp"
#include "app/sweep/rows_text.hpp"
#include "figures/gnuplot.hpp"

namespace muster::app {

namespace {

struct PlotOptions {
  std::string file, x, y, out = "plot";
  std::vector<std::string> by, where;
  bool log_x = false, log_y = false;
};

/// The plan's note, or the file.
std::string title_of(const PlotOptions& options, const run::Json& header) {
  const run::Json note = header["plan"].value("note", run::Json());
  return note.is_string() ? note.get<std::string>() : options.file;
}

/// The first row that failed, and why; empty if there is none.
std::string first_failure(const std::vector<run::Json>& rows) {
  for (const run::Json& row : rows) {
    if (row["status"] == 0) continue;
    const run::Json error = row.value("error", run::Json());
    return fmt::format("row {}, {}", row["row"].get<std::uint64_t>(),
                       error.is_string() ? error.get<std::string>() : "without a reason");
  }
  return "";
}

/// Rows of several builds may differ by what has changed in the program.
void warn_of_builds(const std::string& file, const run::Json& header,
                    const std::vector<plot::Fields>& rows, const std::string& program) {
  std::set<std::string> commits;
  for (const plot::Fields& row : rows)
    commits.insert(sweep::shown_commit(sweep::commit_of(header, {{"machine", row.at("machine")}})));
  if (commits.size() > 1)
    fmt::print(stderr,
               "{}: warning: {}: these rows are of {}; their results may differ with the program\n",
               program, file, fmt::join(commits, " and "));
}

void draw(const PlotOptions& options, const Context& context) {
  const std::string svg = options.out + ".svg", dat = options.out + ".dat";
  Outputs outputs;
  outputs.reads(options.file);
  for (const std::string& file : {svg, dat}) outputs.writes("--out", file);
  sweep::RowsText text = sweep::read_rows(options.file);
  const std::size_t all = text.rows.size();
  const std::string reason = first_failure(text.rows);
  std::erase_if(text.rows, [](const run::Json& row) { return row["status"] != 0; });
  if (text.rows.empty())
    throw InputError(fmt::format("{}: none of its {} rows has status 0; there is nothing to plot{}",
                                 options.file, all, reason.empty() ? "" : ": " + reason));
  const auto fields = plot::rows_where(plot::fields_of(text.rows), options.where);
  plot::Drawing drawing{
      {plot::whole_name(fields, "--x", options.x), plot::whole_name(fields, "--y", options.y), {}},
      title_of(options, text.header),
      context.origin.command,
      options.log_x,
      options.log_y};
  for (const std::string& name : options.by)
    drawing.axes.by.push_back(plot::whole_name(fields, "--by", name));
  const auto curves = plot::curves_of(fields, drawing.axes);
  const figures::FigureData figure = plot::figure_of(curves, drawing);
  outputs.put(dat, plot::curves_to_dat(curves, drawing));
  outputs.put(svg, figures::run_gnuplot(figures::gnuplot_script(figure)));
  outputs.commit();
  warn_of_builds(options.file, text.header, fields, context.program);
  const std::size_t failed = all - text.rows.size();
  std::size_t saturated = 0;
  for (const plot::Curve& curve : curves)
    for (const plot::CurvePoint& point : curve.points) saturated += point.saturated;
  print(fmt::format(
      "{}, {}: {} curve{} of {} rows{}{}\n", svg, dat, curves.size(), curves.size() == 1 ? "" : "s",
      fields.size(), saturated == 0 ? "" : fmt::format(", {} saturated", saturated),
      failed == 0 ? "" : fmt::format("; {} failed rows are left out: {}", failed, reason)));
}

}  // namespace

void add_plot(CLI::App& app, const Context& context) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = app.add_subcommand("plot", "Plot rows of muster sweep");
  command->add_option("FILE", options->file, "Rows, one JSON object per line")->required();
  add_text(*command, "--x", options->x, "Field of the horizontal axis: load")->required();
  add_text(*command, "--y", options->y, "Field of the vertical axis: latency_us.mean")->required();
  command->add_option("--by", options->by,
                      "A curve for each value of this field; repeat it for several fields");
  command->add_option(
      "--where", options->where,
      "NAME=VALUE, or with != < <= > >=: only these rows; repeat it for more conditions");
  command->add_flag("--log-x", options->log_x, "Logarithmic axis, base 2");
  command->add_flag("--log-y", options->log_y, "Logarithmic axis, base 10");
  add_text(*command, "--out", options->out, "Writes OUT.svg and OUT.dat")->capture_default_str();
  command->callback([options, &context] { draw(*options, context); });
}

}  // namespace muster::app
