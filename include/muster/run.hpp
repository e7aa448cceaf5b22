// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// A run of barriers: its specification, and what may be supplied from outside: engine, arrivals,
/// traffic pattern, timing profile.

#include "muster/run/arrivals.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/run/pattern.hpp"
#include "muster/run/profile.hpp"
#include "muster/run/resolve.hpp"
#include "muster/run/run.hpp"
#include "muster/run/spec.hpp"
