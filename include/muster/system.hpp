// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/error.hpp"
#include "muster/core/observer.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/barrier_data.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/command.hpp"
#include "muster/run/gtkwave.hpp"
#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/run.hpp"
#include "muster/run/scheme.hpp"
#include "muster/run/system.hpp"

/// \file
/// Seeing everything that is on the links, without a model of it.

/// \file
/// Checkers: properties of what is seen on the links, and the list of them that a run has.

/// \file
/// What nodes do between arrival and release, and how that is planned.

/// \file
/// A system of barrier synchronization: all that Muster knows of it.
