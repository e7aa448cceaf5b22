// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Networks: graph, files, generators, groups of nodes, routes.

#include "muster/topology/center.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/topology/load_file.hpp"
#include "muster/topology/routes.hpp"
