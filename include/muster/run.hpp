// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/outputs.hpp"
#include "muster/run/arrivals.hpp"
#include "muster/run/result.hpp"
#include "muster/run/run.hpp"
#include "muster/run/spec.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/topology/routes.hpp"

/// \file
/// Networks: graph, files, generators, groups of nodes, routes.

/// \file
/// A run of barriers: its specification, and what may be supplied from outside: engine, arrivals,
/// traffic pattern, timing profile.

/// \file
/// What comes out of a run, and its text and JSON.
