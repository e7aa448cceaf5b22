// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "app/process.hpp"
#include "bench/bench.hpp"
#include "muster/app.hpp"
#include "run/recording/page.hpp"

namespace muster::app {
namespace {

/// How help shows the value of an option.
std::string type_name(const run::Field& field) {
  using Kind = run::Field::Kind;
  if (field.kind == Kind::kNumber) return "UINT";
  if (field.kind == Kind::kReal) return "FLOAT";
  if (field.kind == Kind::kChoice) return fmt::format("TEXT:{{{}}}", fmt::join(field.choices, ","));
  return "TEXT";
}

std::string check_real(std::string& typed) {
  double number = 0.0;
  if (CLI::detail::lexical_cast(typed, number)) return {};
  return fmt::format("'{}' is not a number", typed);
}

void add_field(CLI::App& command, run::Field& field) {
  using Words = std::vector<std::string>;
  if (field.kind == run::Field::Kind::kFlag) {
    command.add_flag_callback(
        field.option, [&field] { field.take(""); }, field.help);
    return;
  }
  CLI::Option* const option =
      field.repeated
          ? command.add_option_function<Words>(
                field.option,
                [&field](const Words& words) {
                  for (const std::string& word : words) field.take(word);
                },
                field.help)
          : command.add_option_function<std::string>(
                field.option, [&field](const std::string& word) { field.take(word); }, field.help);
  option->type_name(type_name(field))->default_str(field.fallback());
  if (field.kind == run::Field::Kind::kReal) option->check(CLI::Validator(check_real, ""));
  if (!field.option.starts_with('-')) option->required();
}

void add_bench(CLI::App& app, const Context& context) {
  struct Options {
    bool quick = false;
    CommonOptions common;
  };
  auto options = std::make_shared<Options>();
  CLI::App* bench = app.add_subcommand(
      "bench",
      "Measure speed and latencies; goals that are missed are printed, with exit status 0");
  bench->add_flag("--quick", options->quick, "Small networks; takes seconds, not a minute");
  add_common(*bench, options->common);
  bench->callback([options, &context] {
    Outputs outputs;
    outputs.writes("--json", options->common.json);
    bench::Setting setting;
    setting.engines = context.engines;
    setting.seed = options->common.seed;
    setting.quick = options->quick;
    setting.progress = [](const std::string& group) { show_progress("measuring " + group); };
    const bench::Report report = bench::measure_all(setting);
    deliver(
        options->common, outputs,
        [&](core::Record& r) { bench::describe(r, report, setting.seed, context.origin); },
        [&] { return bench::report_to_text(report); });
  });
}

struct Typed {
  std::unique_ptr<run::Command> command;
  std::string engine = "golden";
  run::Fields fields, engine_fields;
  CommonOptions common;
};

void run_command(Typed& typed, const Context& context, int& status) {
  std::shared_ptr<const fabric::BankFactory> engine;
  if (typed.command->has_engine()) engine = context.engines->find(typed.engine);
  Outputs outputs;
  outputs.writes("--json", typed.common.json);
  Provenance origin = context.origin;
  origin.seed = typed.common.seed;
  const Interruption interruption;
  const run::CommandReport report =
      typed.command->run({.engine = engine,
                          .outputs = outputs,
                          .json_to_stdout = typed.common.json == "-",
                          .origin = origin,
                          .progress = show_progress,
                          .interrupted = [&] { return interruption.requested(); },
                          .warn =
                              [&](const std::string& text) {
                                complain(fmt::format("{}: warning: {}\n", context.program, text));
                              }});
  deliver(typed.common, outputs, report.json, report.text, report.violations != 0);
  status = interruption.end(report.interrupted, report.violations != 0,
                            "the result has what was complete");
}

std::string subcommands(const CLI::App& app) {
  std::string names;
  for (const CLI::App* sub : app.get_subcommands({}))
    names += (names.empty() ? "" : ", ") + sub->get_name();
  return names;
}

/// A command of the program and its name, "muster topo gen".
struct TypedCommand {
  const CLI::App* command;
  std::string name;
};

/// The innermost command that was typed.
TypedCommand typed_command(const CLI::App& app) {
  TypedCommand typed{&app, app.get_name()};
  while (!typed.command->get_subcommands().empty()) {
    typed.command = typed.command->get_subcommands().front();
    typed.name += " " + typed.command->get_name();
  }
  return typed;
}

/// What is wrong with the first of `words`, the command line, that no command takes. (CLI11 lists
/// such words in another order.)
std::string unexpected(const CLI::App& app, const std::vector<std::string>& words) {
  const auto [command, name] = typed_command(app);
  const std::vector<std::string> remaining = app.remaining(true);
  const auto first = std::ranges::find_first_of(words, remaining);
  const std::string& word = first == words.end() ? remaining.front() : *first;
  if (word.starts_with('-'))
    return fmt::format("{}: '{}' has no such option; see {} --help", word, name, name);
  const bool leaf = command->get_subcommands([](const CLI::App*) { return true; }).empty();
  return fmt::format("'{}': '{}' takes no such {}; see {} --help", word, name,
                     leaf ? "argument" : "subcommand", name);
}

int refuse(const Context& context, const std::string& message) {
  if (context.follows()) return 2;  // rank 0 says the same
  clear_progress();
  complain(fmt::format("{}: {}\n", context.program, printable(message, false)));
  return 2;
}

int fail(const Context& context, const std::string& report) {
  clear_progress();
  complain(fmt::format("{}: internal error: {}\n", context.program, printable(report, true)));
  if (context.ranks) context.ranks->abort(1);  // others would wait for this one
  return 1;
}

void add_view(CLI::App& app, const Context& context) {
  struct Options {
    std::vector<std::string> pages;
    std::string out;
    run::Fields fields;  ///< of these
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("view", "Show the pages of two runs (muster run --page) side by side");
  command->add_option("PAGE", options->pages, "Two pages, each of one run")
      ->required()
      ->expected(2);
  options->fields.text("--out", options->out, "Page to write: FILE.html");
  add_fields(*command, options->fields);
  command->get_option("--out")->required();
  command->callback([options, &context] {
    if (context.ranks) throw InputError("view: runs in one process; start it without mpirun");
    Outputs outputs;
    for (const std::string& page : options->pages) outputs.reads(page);
    outputs.writes("--out", options->out, ".html");
    std::vector<std::string> data;
    for (const std::string& page : options->pages) data.push_back(run::data_of_page(page));
    outputs.put(options->out, run::page_of(data));
    outputs.commit();
    print(fmt::format("page {}, {} runs side by side: open it in a browser\n", options->out,
                      data.size()));
  });
}

void add_system_command(CLI::App& app, std::unique_ptr<run::Command> command,
                        const Context& context, int& status) {
  auto typed = std::make_shared<Typed>();
  typed->command = std::move(command);
  const std::string name = typed->command->name();
  if (!app.get_subcommands([&](const CLI::App* other) { return other->get_name() == name; })
           .empty())
    throw InternalError("command '{}': the name is already in use", name);
  CLI::App* sub = app.add_subcommand(name, typed->command->about());
  typed->command->add_options(typed->fields);
  CliOptions(*sub).add(typed->fields, fmt::format("command '{}'", name));
  if (typed->command->has_engine()) {
    describe_engine(typed->engine_fields, typed->engine, *context.engines);
    add_fields(*sub, typed->engine_fields);
  }
  add_common(*sub, typed->common);
  sub->callback([typed, &context, &status] { run_command(*typed, context, status); });
}

}  // namespace

void add_fields(CLI::App& command, run::Fields& fields, std::span<const std::string> only) {
  for (run::Field& field : fields)
    if (!field.option.empty() &&
        (only.empty() || std::ranges::find(only, field.option) != only.end()))
      add_field(command, field);
}

void CliOptions::add(run::Fields& fields, const std::string& owner) {
  for (const run::Field& field : fields)
    if (!field.option.empty()) take(field.option, owner);
  add_fields(command_, fields);
}

void CliOptions::take(const std::string& name, const std::string& owner) {
  // Options that a subcommand gets later than these.
  constexpr const char* kLater[] = {"--seed", "--json", "--quiet", "--engine"};
  const auto [at, is_new] = owners_.emplace(name, owner);
  const bool later = std::find(std::begin(kLater), std::end(kLater), name) != std::end(kLater);
  if (is_new && !later && command_.get_option_no_throw(name) == nullptr) return;
  throw InternalError("{}: option {} is taken by {}", owner, name,
                      is_new ? "'" + command_.get_name() + "' itself" : at->second);
}

void describe_engine(run::Fields& f, std::string& engine, const fabric::EngineRegistry& engines) {
  f.text(
      "--engine",
      [&](const std::string& name) {
        engines.find(name);
        engine = name;
      },
      [&] { return engine; }, engines.choices());
}

void add_common(CLI::App& command, CommonOptions& options) {
  options.fields.number("--seed", options.seed, 0, run::kAnyNumber, "Seed of all random choices");
  options.fields.text("--json", options.json,
                      "Write the result as JSON to FILE, or - for standard output");
  options.fields.flag("--quiet", options.quiet, "Print no summary, unless a check failed");
  add_fields(command, options.fields);
}

void add_commands(CLI::App& app, const Context& context, int& status) {
  add_topo(app, context);
  add_run(app, context, status);
  add_compare(app, context, status);
  add_saturate(app, context, status);
  add_mpi(app, context, status);
  for (const auto& system : run::systems())
    for (std::unique_ptr<run::Command>& command : system->commands())
      add_system_command(app, std::move(command), context, status);
  add_view(app, context);
  add_bench(app, context);
  add_schema(app);
}

std::string printable(const std::string& text, bool lines) {
  std::string line;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (control && !(lines && c == '\n'))
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      line += c;
  }
  return line;
}

int run_main(int argc, const char* const* argv, const fabric::EngineRegistry& engines) {
  ignore_file_size_signal();
  Context context = context_of({argv, argv + argc}, engines);
  try {
    if (argc < 2 || std::string_view(argv[1]) != "mpi") context.ranks = process_ranks();
    if (context.ranks && (argc < 2 || std::string_view(argv[1]) != "run"))
      throw InputError("mpirun: only 'muster run' and 'muster mpi' support it; start one process");
  } catch (const InputError& error) {
    return refuse(context, error.what());
  }
  return run_command_line(context);
}

Context context_of(const std::vector<std::string>& words, const fabric::EngineRegistry& engines) {
  Context context;
  context.engines = &engines;
  context.origin.version = MUSTER_VERSION;
  if (!words.empty()) context.program = std::filesystem::path(words[0]).filename().string();
  context.origin.command = context.program;
  context.words = words;
  for (std::size_t i = 1; i < words.size(); ++i) context.origin.command += " " + words[i];
  return context;
}

int run_command_line(const Context& context) {
  int status = 0;
  CLI::App app{"Hardware barrier synchronization: plan, run and measure it on your topology.",
               context.program};
  app.set_version_flag("--version", fmt::format("muster {}", MUSTER_VERSION));
  app.require_subcommand(0,
                         1);  // none is refused below, as with topo: a wrong word gets named first
  try {
    add_commands(app, context, status);
    const std::vector<std::string>& words = context.words;
    // CLI11 takes them in reverse, without the program's name.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - (words.empty() ? 0 : 1)));
    const auto [command, name] = typed_command(app);
    if (const std::string known = subcommands(*command); !known.empty())
      throw InputError("a subcommand is required: {}; see {} --help", known, name);
    return status;
  } catch (const CLI::ExtrasError&) {
    return refuse(context, unexpected(app, context.words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0)
      return refuse(context,
                    fmt::format("{}; see {} --help", error.what(), typed_command(app).name));
    std::ostringstream text;  // --help, --version
    app.exit(error, text, text);
    print(text.str());
    return 0;
  } catch (const InputError& error) {
    return refuse(context, error.what());
  } catch (const InternalError& error) {
    return fail(context, fmt::format("{}\n  reproduce: {}", error.what(), context.origin.command));
  } catch (const std::exception& error) {
    return fail(context, error.what());
  }
}

int main(int argc, const char* const* argv,
         const std::vector<std::shared_ptr<const fabric::BankFactory>>& engines) {
  fabric::EngineRegistry registry;
  registry.add(run::make_golden_engine());
  for (const auto& engine : engines) registry.add(engine);
  return run_main(argc, argv, registry);
}

}  // namespace muster::app
