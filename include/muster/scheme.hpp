// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What nodes do between arrival and release, and how that is planned.

#include "muster/fabric/network.hpp"
#include "muster/run/barrier_data.hpp"
#include "muster/run/barrier_traffic.hpp"
#include "muster/run/lifecycle.hpp"
#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/scheme.hpp"
