// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/sweep/plan.hpp"

namespace muster::app::sweep {

/// What a run is given as its network, from its `parameters.network`: a file is named as in the
/// plan, from the plan's folder; a generated network has a file in a folder of its own, named by
/// generator and hash of options and version.
class Networks {
 public:
  Networks(std::filesystem::path folder, std::string version)
      : folder_(std::move(folder)), version_(std::move(version)) {}

  static bool is_generated(const Json& network) { return network.is_object(); }
  std::string path(const Json& network) const;
  /// The words of `topo gen` that make a generated one.
  std::vector<std::string> command(const Json& network) const;
  /// A generated one in a message: "irregular switches 9 seed 2".
  static std::string label(const Json& network);
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::string version_;
};

}  // namespace muster::app::sweep
