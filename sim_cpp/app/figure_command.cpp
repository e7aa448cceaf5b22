// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "app/commands.hpp"
#include "app/interruption.hpp"
#include "figures/gnuplot.hpp"
#include "muster/core/error.hpp"
#include "muster/figures/figure.hpp"

namespace muster::app {

namespace {

struct FigureOptions {
  std::vector<std::string> ids;
  std::string out = ".", engine = "golden";
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::uint32_t repetitions = 0;
  CommonOptions common;
};

/// The folder of --out and those above it; what was made and is empty in the end goes away with the
/// object.
class OutFolder {
 public:
  explicit OutFolder(const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code error;
    // The innermost comes first.
    for (fs::path path = fs::absolute(folder, error).lexically_normal();
         path.has_relative_path() && !fs::exists(path, error); path = path.parent_path())
      if (path.has_filename()) made_.push_back(path);
    fs::create_directories(folder, error);
    if (fs::is_directory(folder)) return;
    remove_empty();
    throw InputError(fmt::format("--out {}: cannot be made: {}", folder, error.message()));
  }
  ~OutFolder() { remove_empty(); }
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

 private:
  void remove_empty() const {
    std::error_code not_empty;
    for (const std::filesystem::path& path : made_) std::filesystem::remove(path, not_empty);
  }

  std::vector<std::filesystem::path> made_;
};

constexpr const char* kEndings[] = {".json", ".csv", ".svg"};

/// The files of a figure, in a folder; those of kEndings are announced.
void put_figure(Outputs& outputs, const std::string& base, const figures::FigureData& data,
                const std::string& json) {
  outputs.put(base + ".json", json);
  if (!data.panels.empty()) {
    outputs.put(base + ".csv", figures::figure_to_csv(data));
    outputs.put(base + ".svg", figures::run_gnuplot(figures::gnuplot_script(data)));
  }
  for (const auto& attachment : data.attachments) {
    const std::string path = base + "-" + attachment.name;
    outputs.writes("--out", path);
    outputs.put(path, attachment.content);
  }
}

void write_figure(figures::Figure& figure, const FigureOptions& options, const Context& context,
                  const figures::FigureSetting& setting, Outputs& outputs, int& status) {
  const std::string id = figure.id();
  const figures::FigureData data = figure.measure(setting);
  Provenance origin = context.origin;
  origin.seed = setting.seed;
  std::string json = figures::figure_to_json(id, data, setting, origin);
  put_figure(outputs, options.out + "/" + id, data, json);
  deliver(
      options.common, outputs, [&] { return json; },
      [&] { return figures::figure_to_text(id, data); });
  if (data.violations != 0) status = 1;
}

/// One after the other. An interruption keeps the figures that are complete and writes nothing of
/// the one that is measured or drawn: with points missing it would pass for a whole one.
void write_figures(const FigureOptions& options, const Context& context, int& status) {
  const figures::FigureList list = figures::all_figures();
  const auto figures = list.find_all(options.ids);
  figures::FigureSetting setting;
  setting.engine = context.engines->find(options.engine);
  setting.seed = options.common.seed;
  setting.threads = options.threads;
  if (options.repetitions != 0) setting.repetitions = options.repetitions;
  if (!options.common.json.empty() && figures.size() > 1)
    throw InputError("--json: is for one figure; the files of all are in --out");
  const OutFolder folder(options.out);
  Outputs outputs;
  outputs.writes("--json", options.common.json);
  for (const figures::Figure* figure : figures)
    for (const char* ending : kEndings)
      outputs.writes("--out", fmt::format("{}/{}{}", options.out, figure->id(), ending));
  const Interruption interruption;
  for (figures::Figure* figure : figures) {
    setting.progress = [&, id = figure->id()](const std::string& what) {
      if (interruption.requested()) throw Interrupted();
      show_progress(fmt::format("{}: {}", id, what));
    };
    try {
      if (interruption.requested()) throw Interrupted();
      write_figure(*figure, options, context, setting, outputs, status);
    } catch (const std::exception&) {
      // Whatever it says: a terminal sends the signal to gnuplot as well.
      if (!interruption.requested()) throw;
      interruption.report(figure->id() + " is not written");
      status = interruption.status();
      return;
    }
  }
}

}  // namespace

void add_figure(CLI::App& app, const Context& context, int& status) {
  auto options = std::make_shared<FigureOptions>();
  CLI::App* command = app.add_subcommand("figure", "Measure and draw a figure of a paper");
  command->add_option("ID", options->ids, "Names of figures, or all")->required();
  add_text(*command, "--out", options->out, "Folder for ID.csv, ID.json, ID.svg")
      ->capture_default_str();
  command->add_option("--engine", options->engine, context.engines->choices())
      ->capture_default_str();
  add_number(*command, "--sessions", options->repetitions,
             "Sessions or networks for each point; default: as in the paper, 125 or 100", 1,
             1'000'000);
  add_number(*command, "--threads", options->threads,
             "Number of threads; the result is the same for any number", 1, 256)
      ->capture_default_str();
  add_common(*command, options->common);
  command->callback([options, &context, &status] { write_figures(*options, context, status); });
}

}  // namespace muster::app
