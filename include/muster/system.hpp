// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// A system of barrier synchronization: all that Muster knows of it.

#include "muster/run/command.hpp"
#include "muster/run/gtkwave.hpp"
#include "muster/run/option_list.hpp"
#include "muster/run/option_values.hpp"
#include "muster/run/resolve.hpp"
#include "muster/run/system.hpp"
