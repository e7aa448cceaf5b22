// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "muster/figures/figure.hpp"
#include "systems/packets/scheme/baseline_latency.hpp"
#include "topology/generate/random_graph.hpp"

namespace muster::btin {

/// A kind of random network of BTIN section 5.
struct BtinSystem {
  std::uint32_t switches = 75, nodes = 256;
  double connectivity = 0.75;
  topology::RandomModel model = topology::RandomModel::kUniform;

  std::string name() const;                  ///< "256/75"
  std::vector<std::uint32_t> sizes() const;  ///< of groups: 2, 4, ... up to the nodes
};

/// How a barrier is measured.
struct Way {
  std::string name;     ///< of its curves
  std::string scheme;   ///< as `--scheme` has it
  std::string profile;  ///< as `--profile` has it
  /// Levels of up*/down* count from the switch of the barrier's root node, so that messages to it
  /// go by shortest ways; else from the routing root.
  bool around_root = false;
};

/// What happened in one barrier, all members arriving at once.
struct Measured {
  double latency_us = 0.0;
  double hops = 0.0;  ///< messages on links, node links included
};

/// One random group on one random network.
struct BtinSample {
  double height = 0.0;           ///< of its BTIN tree
  double formula_us = 0.0;       ///< BTIN by the paper's formula
  double branch = 0.0;           ///< members below the fullest port of the tree's root switch
  double shortest_hops = 0.0;    ///< of multicast along the tree, all members in one worm
  packets::BaselinePaths paths;  ///< of the baselines
  std::map<std::string, Measured> measured;  ///< by the name of the way
};

/// Random networks that have been measured, so that figures which share a system do it once.
class BtinPoints {
 public:
  struct Result {
    std::vector<std::uint32_t> sizes;
    std::vector<std::vector<BtinSample>> samples;  ///< by size, then by network
    std::uint64_t violations = 0;
  };
  /// 100 networks, or the setting's repetitions; network i has the seed setting.seed + i.
  const Result& at(const BtinSystem& system, const figures::FigureSetting& setting);

  /// The curve of a value of the samples over the group sizes, with its confidence intervals.
  static figures::Series curve(const std::string& name, const Result& result,
                               const std::function<double(const BtinSample&)>& value);

 private:
  std::map<std::string, Result> known_;
};

/// The schemes that are measured with the profile `btin`; their ways have their names.
const std::vector<std::string>& measured_schemes();
/// All that is measured: those, then BTIN and multicast with inputs that headers occupy.
const std::vector<Way>& measured_ways();

inline constexpr const char* kBtinOccupied = "btin, occupied inputs";
inline constexpr const char* kMulticastOccupied = "multicast, occupied inputs";
inline constexpr const char* kMulticastAroundRoot =
    "multicast, occupied inputs, routes around the root";

}  // namespace muster::btin
