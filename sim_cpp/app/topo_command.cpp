// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/commands.hpp"
#include "app/run_options.hpp"
#include "fabric/verilog/network_verilog.hpp"
#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/configurations.hpp"
#include "run/engines.hpp"
#include "topology/drawing.hpp"
#include "topology/files/file_formats.hpp"
#include "topology/info.hpp"

namespace muster::app {
namespace {

using topology::Graph;
using topology::kMaxPorts, topology::kMaxSwitches;

/// What was typed for a generator: its sizes in their order, and the rest of an irregular network.
struct TypedSizes {
  std::deque<std::uint32_t> sizes;
  topology::IrregularSpec irregular;
  run::Fields fields;  ///< of these
};

/// A size from `least` to `most`. What sizes allow together the generators say.
struct Size {
  const char* option;
  std::uint32_t usual;
  std::uint32_t most;
  const char* help;
  std::uint32_t least = 1;
};

struct Generator {
  const char* name;
  const char* about;
  std::vector<Size> sizes;
  topology::Graph (*make)(const TypedSizes& typed);
};

topology::Graph irregular(const TypedSizes& t) {
  topology::IrregularSpec spec = t.irregular;
  spec.switches = t.sizes[0];
  spec.nodes = t.sizes[1];
  spec.ports = t.sizes[2];
  return topology::generate_irregular(spec);
}

topology::Graph torus(const TypedSizes& t) {
  std::vector<std::uint32_t> sizes(t.sizes.begin(), t.sizes.begin() + 3);
  if (sizes.back() == 1) sizes.pop_back();  // flat
  return topology::generate_torus(sizes, t.sizes[3]);
}

const std::vector<Generator>& generators() {
  static const Size nodes{"--nodes-per-switch", 1, kMaxPorts, "Nodes on every switch"};
  static const std::vector<Generator> all{
      {"irregular",
       "Random irregular network, as in the paper on barrier trees",
       {{"--switches", 75, kMaxSwitches, "Switches, q in the paper"},
        {"--nodes", 256, topology::kMaxNodes, "Nodes, p in the paper"},
        {"--ports", 8, kMaxPorts, "Ports of every switch, k in the paper"}},
       irregular},
      {"mesh",
       "2D mesh with X-Y routing",
       {{"--width", 8, kMaxSwitches, "Switches in a row"},
        {"--height", 8, kMaxSwitches, "Rows"},
        nodes},
       [](const TypedSizes& t) {
         return topology::generate_mesh(t.sizes[0], t.sizes[1], t.sizes[2]);
       }},
      {"torus",
       "Torus of up to three dimensions, up*/down* routing",
       {{"--width", 8, kMaxSwitches, "Switches in a row"},
        {"--height", 8, kMaxSwitches, "Rows of a layer"},
        {"--depth", 1, kMaxSwitches, "Layers"},
        nodes},
       torus},
      {"hypercube",
       "Hypercube, up*/down* routing",
       {{"--dimension", 4, kMaxPorts, "Links of a switch, 2^N switches", 0}, nodes},
       [](const TypedSizes& t) { return topology::generate_hypercube(t.sizes[0], t.sizes[1]); }},
      {"dragonfly",
       "Dragonfly, global links in absolute arrangement, up*/down* routing",
       {{"--groups", 9, kMaxSwitches, "Groups, g; at most a * h + 1"},
        {"--routers", 4, kMaxPorts, "Routers of a group, a"},
        {"--globals", 2, kMaxPorts, "Links of a router to other groups, h", 0},
        {"--nodes-per-router", 2, kMaxPorts, "Nodes on every router, p"}},
       [](const TypedSizes& t) {
         return topology::generate_dragonfly({t.sizes[0], t.sizes[1], t.sizes[2], t.sizes[3]});
       }},
      {"tree",
       "k-ary tree of switches, nodes at the leaves",
       {{"--arity", 3, kMaxPorts, "Links of a switch to the level below, k"},
        {"--height", 3, kMaxSwitches, "Links from root to leaf", 0},
        {"--nodes-per-leaf", 1, kMaxPorts, "Nodes on every leaf switch"}},
       [](const TypedSizes& t) {
         return topology::generate_tree(t.sizes[0], t.sizes[1], t.sizes[2]);
       }},
      {"fat-tree",
       "k-ary n-tree, every node reaches every top switch; Quadrics has k = 4",
       {{"--arity", 4, kMaxPorts - 1, "Links of a switch to the level below, k", 2},
        {"--dimension", 2, kMaxSwitches, "Levels of switches, n"},
        {"--taper", 1, kMaxPorts - 1, "Links down for each link up, a divisor of k"}},
       [](const TypedSizes& t) {
         return topology::generate_fat_tree(t.sizes[0], t.sizes[1], t.sizes[2]);
       }},
      {"pods",
       "Fat tree of three levels of k-port switches: k pods, k^3 / 4 nodes",
       {{"--ports", 8, kMaxPorts, "Ports of every switch, k, an even number", 4}},
       [](const TypedSizes& t) { return topology::generate_pods(t.sizes[0]); }},
      {"clos",
       "Clos network of crossbars, as in Myrinet",
       {{"--ports", 16, kMaxPorts, "Ports of a crossbar, half of them for nodes", 4},
        {"--leaves", 2, kMaxPorts, "Crossbars with nodes; with 1 the network is one crossbar"}},
       [](const TypedSizes& t) { return topology::generate_clos(t.sizes[0], t.sizes[1]); }},
      {"complete",
       "Every switch linked to every other",
       {{"--switches", 5, kMaxSwitches, "Switches"}, nodes},
       [](const TypedSizes& t) { return topology::generate_complete(t.sizes[0], t.sizes[1]); }}};
  return all;
}

void describe(run::Fields& f, topology::IrregularSpec& s) {
  using topology::RandomModel;
  f.real("--connectivity", s.connectivity, 0, 1, "Share of connected ports, f in the paper");
  f.choice("--model", s.model,
           {{"uniform", RandomModel::kUniform}, {"attachment", RandomModel::kAttachment}},
           "uniform over connected graphs, or attachment: switches are added one by one");
}

/// A format of `topo export`: of the network, or of it as a module.
struct Format {
  const char* name;
  std::string (*network)(const Graph&);
  std::string (*module)(const fabric::NetworkDesign&) = nullptr;
};
constexpr Format kFormats[] = {{"dot", topology::to_dot},
                               {"anynet", topology::to_anynet},
                               {"graphml", topology::to_graphml},
                               {"json", topology::to_json},
                               {"verilog", nullptr, fabric::to_verilog},
                               {"c-header", nullptr, fabric::to_c_header},
                               {"rdl", nullptr, fabric::to_rdl}};

/// What `topo export` is told.
struct ExportOptions {
  std::string file;
  const Format* format = &kFormats[0];
  // Of a network as a module.
  std::string config;               ///< of the switches; empty: the smallest that fits
  std::string module;               ///< its name; empty: from the file's
  std::vector<std::string> groups;  ///< in the image, group g with identifier g
  std::string root;                 ///< switch, of all groups; empty: the best one of each
  bool flat = false;                ///< the module around it, whose ports tools know
  run::Fields fields;               ///< of these

  /// The first one that is given of those that all these formats have, "--config"; empty if none.
  std::string given() const {
    for (const char* option : {"--config", "--module", "--root", "--group"})
      if (fields.typed(option)) return option;
    return {};
  }
};

/// The text of `topo info` of a network; shows its progress on a terminal.
topology::TopologyInfo described(const Graph& graph) {
  StepProgress progress;
  const topology::Steps steps = std::ref(progress);
  topology::TopologyInfo info =
      topology::describe_topology(graph, topology::routes_for(graph, steps), steps);
  clear_progress();
  return info;
}

/// What `topo info --json` writes of a network.
std::string topo_info(const Graph& graph, const CommonOptions& options, const Context& context) {
  Provenance origin = context.origin;
  origin.seed = options.seed;
  return topology::info_json(described(graph), origin);
}

constexpr std::uint32_t kNodeGroups = 2;  // of a node of which the image says nothing

/// "nets/mesh-2x2.json" gives muster_mesh_2x2.
std::string module_of_file(const std::string& file) {
  std::string name =
      "muster_" + (file == "-" ? "network" : std::filesystem::path(file).stem().string());
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

/// A run that is built and not run.
run::RunSpec specify_image(const Graph& graph, const std::string& file,
                           const ExportOptions& options, std::uint64_t seed) {
  run::RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(graph);
  spec.routes = std::make_shared<topology::Routes>(topology::routes_for(*spec.graph));
  std::optional<topology::SwitchId> root;
  if (!options.root.empty()) root = topology::parse_switch(graph, options.root, "--root");
  if (root && options.groups.empty())
    throw InputError("--root: there is no group in the image; add --group");
  run::specify_image(spec, root);
  spec.seed = seed;
  if (!options.config.empty()) spec.config = run::configuration(options.config);
  for (std::size_t g = 0; g < options.groups.size(); ++g) {
    const std::string& text = options.groups[g];
    spec.groups.push_back({text, topology::parse_group_of_file(graph, file, text, seed + g)});
    if (spec.groups.back().members.size() == 1)
      throw InputError(
          "--group '{}': has one member, and a switch releases two or more; add members", text);
  }
  return spec;
}

/// The most groups that one node is a member of, or as many as a node has anyway.
std::uint32_t groups_of_a_node(const run::RunSpec& spec) {
  std::vector<std::uint32_t> count(spec.graph->nodes(), 0);
  for (const run::RunGroup& group : spec.groups)
    for (const topology::NodeId n : group.members) ++count[n];
  return std::max(kNodeGroups, *std::ranges::max_element(count));
}

void describe(run::Fields& f, ExportOptions& o) {
  std::vector<std::pair<std::string, const Format*>> formats;
  for (const Format& format : kFormats) formats.emplace_back(format.name, &format);
  f.text("FILE", o.file, kNetworkHelp);
  f.choice("--format", o.format, formats,
           "Of the network: dot, anynet, graphml or json; of a module with all its switches: "
           "verilog, c-header or rdl");
  f.text("--config", o.config,
         "Of a module: configuration of the switches; default: the smallest that fits");
  f.text("--module", o.module, "Of a module: its name; default: muster_ and the name of FILE");
  f.texts("--group", o.groups,
          "Of a module: a group whose registers are in the image, as for muster run; it may be "
          "given several times, the first has identifier 0");
  f.text("--root", o.root,
         "Of a module: root switch of all groups in the image, by number (sw3, 3) or by its name "
         "in the file; by default that of the lowest tree of each group");
  f.flag("--flat", o.flat,
         "With --format verilog: a module NAME_flat around the network, with a port for each "
         "signal of AXI in place of structs");
}

/// The network of this file as a module, or what describes it. `seed` is that of random groups.
std::string network_module(const Graph& graph, const std::string& file, const Format& format,
                           const ExportOptions& options, std::uint64_t seed) {
  const auto recorder = std::make_shared<run::LoadRecorder>();
  run::RunSpec spec = specify_image(graph, file, options, seed);
  spec.engine = recorder;
  const std::unique_ptr<const run::ResolvedRun> resolved = resolve(file, std::move(spec));
  if (fabric::labels(resolved->config) && !options.groups.empty())
    throw InputError(
        "--config '{}': its switches need labels in messages, which the nodes of a module do not "
        "send; use another configuration",
        resolved->config.name);
  const std::vector<fabric::RegisterLoad> image = recorder->loads_of(*resolved);
  try {
    const fabric::NetworkDesign design{
        .module = options.module.empty() ? module_of_file(file) : options.module,
        .graph = *resolved->spec.graph,
        .config = resolved->config,
        .image = image,
        .node_groups = groups_of_a_node(resolved->spec),
        .groups = options.groups};
    return options.flat ? fabric::to_flat_verilog(design) : format.module(design);
  } catch (const InputError& error) {
    if (std::string_view(error.what()).starts_with("--")) throw;
    throw InputError("{}: {}", file, error.what());
  }
}

/// Where a network goes, and --seed and --json.
struct TopoOutput {
  std::string out = "-";
  CommonOptions common;

  void add_to(CLI::App& command) {
    common.fields.text("--out", out, "File to write, - for standard output");
    common.fields.number("--seed", common.seed, 0, run::kAnyNumber,
                         "Seed of all random choices; no effect without random choices");
    common.fields.text("--json", common.json,
                       "Write the result of topo info for the network as JSON to FILE; - for "
                       "standard output, in place of the network unless --out names a file");
    add_fields(command, common.fields);
  }

  /// Writes a network, read from `file` if that is not empty.
  void put(const std::string& file, const std::function<Graph()>& make,
           const std::function<std::string(const Graph&)>& text, const Context& context) const {
    Outputs outputs;
    outputs.reads(file);
    outputs.writes("--out", out);
    outputs.writes("--json", common.json);
    const Graph graph = make();
    const std::string content = text(graph);
    outputs.put(out, content);
    deliver(
        common, outputs, [&] { return topo_info(graph, common, context); },
        [&] { return out == "-" ? content : ""; });
  }
};

void add_gen(CLI::App& topo, const Context& context) {
  CLI::App* gen = topo.add_subcommand("gen", "Generate a network");
  gen->require_subcommand(0, 1);
  for (const Generator& g : generators()) {
    auto typed = std::make_shared<TypedSizes>();
    auto output = std::make_shared<TopoOutput>();
    for (const Size& size : g.sizes)
      typed->fields.number(size.option, typed->sizes.emplace_back(size.usual), size.least,
                           size.most, size.help);
    if (g.make == irregular) describe(typed->fields, typed->irregular);
    CLI::App* command = gen->add_subcommand(g.name, g.about);
    output->add_to(*command);
    add_fields(*command, typed->fields);
    command->callback([typed, output, make = g.make, &context] {
      typed->irregular.seed = output->common.seed;
      output->put(
          "", [&] { return make(*typed); }, topology::to_json, context);
    });
  }
}

void add_info(CLI::App& topo, const Context& context) {
  auto file = std::make_shared<std::string>();
  auto options = std::make_shared<CommonOptions>();
  CLI::App* info =
      topo.add_subcommand("info", "Print size, distances, route bound and freedom from deadlock");
  info->add_option("FILE", *file, kNetworkHelp)->required();
  add_common(*info, *options);
  info->callback([file, options, &context] {
    Outputs outputs;
    outputs.reads(*file);
    outputs.writes("--json", options->json);
    const Graph graph = topology::read_topology(*file);
    const auto text = [&] { return topology::info_text(described(graph)); };
    deliver(
        *options, outputs, [&] { return topo_info(graph, *options, context); }, text);
  });
}

void add_export(CLI::App& topo, const Context& context) {
  auto o = std::make_shared<ExportOptions>();
  auto output = std::make_shared<TopoOutput>();
  CLI::App* command = topo.add_subcommand("export", "Write a network in another format");
  describe(o->fields, *o);
  add_fields(*command, o->fields);
  command->get_option("--group")->allow_extra_args(false);
  output->add_to(*command);
  command->callback([o, output, &context] {
    const Format& format = *o->format;
    if (format.module == nullptr && !o->given().empty())
      throw InputError(
          "{}: has no meaning for --format {}; omit it, or use verilog, c-header or rdl",
          o->given(), format.name);
    if (o->flat && format.module != fabric::to_verilog)
      throw InputError("--flat: has no meaning for --format {}; omit it, or use verilog",
                       format.name);
    output->put(
        o->file, [&] { return topology::read_topology(o->file); },
        [&](const Graph& graph) {
          return format.network != nullptr
                     ? format.network(graph)
                     : network_module(graph, o->file, format, *o, output->common.seed);
        },
        context);
  });
}

}  // namespace

void add_topo(CLI::App& app, const Context& context) {
  CLI::App* topo = app.add_subcommand("topo", "Generate, inspect and export networks");
  topo->require_subcommand(0, 1);
  add_gen(*topo, context);
  add_info(*topo, context);
  add_export(*topo, context);
}

}  // namespace muster::app
