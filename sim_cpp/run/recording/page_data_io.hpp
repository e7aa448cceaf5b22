// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "muster/core/provenance.hpp"
#include "muster/run/resolve.hpp"
#include "run/recording/recording.hpp"

namespace muster::run {

/// What a page says of a run beside what was recorded.
struct PageOrigin {
  std::string title;  ///< of the network: its name or its file
  Provenance origin;  ///< of the result
  std::vector<std::string>
      wave;  ///< words of a command that writes a waveform; none: there is none
};

/// The data of a page of one run, schema `muster-page-1` (docs/reference/formats.md).
std::string page_data(const ResolvedRun& run, const RunResult& result, const Recording& recording,
                      const PageOrigin& origin);

}  // namespace muster::run
