// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "app/commands.hpp"
#include "common/error.hpp"
#include "common/file_io.hpp"
#include "experiment/figure.hpp"
#include "experiment/gnuplot.hpp"

namespace muster::app {

namespace {

struct FigureOptions {
  std::string id, out = ".", engine = "golden";
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::uint32_t repetitions = 0;
  CommonOptions common;
};

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw InputError(fmt::format("--out {}: cannot be made: {}", folder, error.message()));
  check_writable(folder + "/figure.csv");
}

/// All files of a figure, or an error before the first of them.
void write_figure(const std::string& folder, const std::string& id,
                  const experiment::FigureData& data, const std::string& json) {
  std::vector<std::pair<std::string, std::string>> files = {{".json", json}};
  if (!data.panels.empty()) {
    files.emplace_back(".csv", experiment::figure_to_csv(data));
    files.emplace_back(".svg", experiment::run_gnuplot(experiment::gnuplot_script(data)));
  }
  for (const auto& attachment : data.attachments)
    files.emplace_back("-" + attachment.name, attachment.content);
  for (const auto& [ending, content] : files) write_file(folder + "/" + id + ending, content);
}

}  // namespace

void add_figure(CLI::App& app, const Context& context, int& status) {
  auto options = std::make_shared<FigureOptions>();
  CLI::App* command = app.add_subcommand("figure", "Measure a paper's figure and draw it");
  command->add_option("ID", options->id, "Such as esc-5, or all")->required();
  command->add_option("--out", options->out, "Folder for ID.csv, ID.json, ID.svg")
      ->capture_default_str();
  command->add_option("--engine", options->engine, "golden, rtl or lockstep")
      ->capture_default_str();
  command
      ->add_option("--sessions", options->repetitions,
                   "Sessions or networks a point; default the paper's, 125 or 100")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--threads", options->threads, "The result is the same for any number")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  add_common(*command, options->common);
  command->callback([options, &context, &status] {
    const experiment::FigureList list = experiment::all_figures();
    const auto figures = list.find(options->id);
    experiment::FigureSetting setting;
    setting.engine = &context.engines->find(options->engine);
    setting.seed = options->common.seed;
    setting.threads = options->threads;
    if (options->repetitions != 0) setting.repetitions = options->repetitions;
    if (options->common.json == "-" && figures.size() > 1)
      throw InputError("--json -: is for one figure; the files of all are in --out");
    require_writable(options->common.json);
    make_folder(options->out);
    for (experiment::Figure* figure : figures) {
      const std::string id = figure->id();
      setting.progress = [&id](const std::string& what) { show_progress(id + ": " + what); };
      const experiment::FigureData data = figure->measure(setting);
      Provenance origin = context.origin;
      origin.seed = setting.seed;
      const std::string json = experiment::figure_to_json(id, data, setting, origin);
      write_figure(options->out, id, data, json);
      deliver(
          options->common, [&] { return json; },
          [&] { return experiment::figure_to_text(id, data); });
      if (data.violations != 0) status = 1;
    }
  });
}

}  // namespace muster::app
