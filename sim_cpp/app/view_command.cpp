// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "muster/core/error.hpp"
#include "run/recording/page_file.hpp"

namespace muster::app {

namespace {

struct ViewOptions {
  std::vector<std::string> pages;
  std::string out;
};

void view(const ViewOptions& options) {
  // Outputs knows of one file that is read.
  for (const std::string& page : options.pages) {
    Outputs each;
    each.reads(page);
    each.writes("--out", options.out);
  }
  Outputs outputs;
  outputs.writes("--out", options.out);
  std::vector<std::string> data;
  for (const std::string& page : options.pages) data.push_back(run::data_of_page(page));
  outputs.put(options.out, run::page_of(data));
  outputs.commit();
  print(fmt::format("page {}, {} runs side by side: open it in a browser\n", options.out,
                    data.size()));
}

}  // namespace

void add_view(CLI::App& app, const Context& context) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command =
      app.add_subcommand("view", "Show the pages of two runs (muster run --page) side by side");
  command->add_option("PAGE", options->pages, "Two pages, each of one run")
      ->required()
      ->expected(2);
  add_text(*command, "--out", options->out, "Page to write: FILE.html")->required();
  command->callback([options, &context] {
    if (context.ranks) throw InputError("view: runs in one process; start it without mpirun");
    view(*options);
  });
}

}  // namespace muster::app
