// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <memory>
#include <vector>

#include "app/cli_options.hpp"
#include "app/topo_command.hpp"
#include "muster/topology/generate.hpp"

namespace muster::app {
namespace {

using topology::kMaxPorts, topology::kMaxSwitches;

/// What was typed for a generator: its sizes in their order, and the rest of an irregular network.
struct Typed {
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
  topology::Graph (*make)(const Typed& typed);
};

topology::Graph irregular(const Typed& t) {
  topology::IrregularSpec spec = t.irregular;
  spec.switches = t.sizes[0];
  spec.nodes = t.sizes[1];
  spec.ports = t.sizes[2];
  return topology::generate_irregular(spec);
}

topology::Graph torus(const Typed& t) {
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
       [](const Typed& t) { return topology::generate_mesh(t.sizes[0], t.sizes[1], t.sizes[2]); }},
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
       [](const Typed& t) { return topology::generate_hypercube(t.sizes[0], t.sizes[1]); }},
      {"dragonfly",
       "Dragonfly, global links in absolute arrangement, up*/down* routing",
       {{"--groups", 9, kMaxSwitches, "Groups, g; at most a * h + 1"},
        {"--routers", 4, kMaxPorts, "Routers of a group, a"},
        {"--globals", 2, kMaxPorts, "Links of a router to other groups, h", 0},
        {"--nodes-per-router", 2, kMaxPorts, "Nodes on every router, p"}},
       [](const Typed& t) {
         return topology::generate_dragonfly({t.sizes[0], t.sizes[1], t.sizes[2], t.sizes[3]});
       }},
      {"tree",
       "k-ary tree of switches, nodes at the leaves",
       {{"--arity", 3, kMaxPorts, "Links of a switch to the level below, k"},
        {"--height", 3, kMaxSwitches, "Links from root to leaf", 0},
        {"--nodes-per-leaf", 1, kMaxPorts, "Nodes on every leaf switch"}},
       [](const Typed& t) { return topology::generate_tree(t.sizes[0], t.sizes[1], t.sizes[2]); }},
      {"fat-tree",
       "k-ary n-tree, every node reaches every top switch; Quadrics has k = 4",
       {{"--arity", 4, kMaxPorts - 1, "Links of a switch to the level below, k", 2},
        {"--dimension", 2, kMaxSwitches, "Levels of switches, n"},
        {"--taper", 1, kMaxPorts - 1, "Links down for each link up, a divisor of k"}},
       [](const Typed& t) {
         return topology::generate_fat_tree(t.sizes[0], t.sizes[1], t.sizes[2]);
       }},
      {"clos",
       "Clos network of crossbars, as in Myrinet",
       {{"--ports", 16, kMaxPorts, "Ports of a crossbar, half of them for nodes", 4},
        {"--leaves", 2, kMaxPorts, "Crossbars with nodes; with 1 the network is one crossbar"}},
       [](const Typed& t) { return topology::generate_clos(t.sizes[0], t.sizes[1]); }},
      {"complete",
       "Every switch linked to every other",
       {{"--switches", 5, kMaxSwitches, "Switches"}, nodes},
       [](const Typed& t) { return topology::generate_complete(t.sizes[0], t.sizes[1]); }}};
  return all;
}

void describe(run::Fields& f, topology::IrregularSpec& s) {
  using topology::RandomModel;
  f.real("--connectivity", s.connectivity, 0, 1, "Share of connected ports, f in the paper");
  f.choice("--model", s.model,
           {{"uniform", RandomModel::kUniform}, {"attachment", RandomModel::kAttachment}},
           "uniform over connected graphs, or attachment: switches are added one by one");
}

}  // namespace

void add_generators(CLI::App& gen,
                    const std::function<void(CLI::App& command, MakeNetwork make)>& finish) {
  for (const Generator& g : generators()) {
    auto typed = std::make_shared<Typed>();
    for (const Size& size : g.sizes)
      typed->fields.number(size.option, typed->sizes.emplace_back(size.usual), size.least,
                           size.most, size.help);
    if (g.make == irregular) describe(typed->fields, typed->irregular);
    CLI::App* command = gen.add_subcommand(g.name, g.about);
    finish(*command, [typed, make = g.make](std::uint64_t seed) {
      typed->irregular.seed = seed;
      return make(*typed);
    });
    add_fields(*command, typed->fields);
  }
}

}  // namespace muster::app
