// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/resolve.hpp"
#include "run/recording/recording.hpp"

namespace muster::run {

/// What was recorded of a run as trace events, the JSON that chrome://tracing has defined and
/// Perfetto opens (docs/reference/formats.md, Trace events).
std::string trace_events(const ResolvedRun& run, const Recording& recording);

}  // namespace muster::run
