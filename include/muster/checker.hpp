// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Checkers: properties of what is seen on the links, and the list of them that a run has.

#include "muster/core/error.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/fabric/checkers/owed_messages.hpp"
#include "muster/fabric/checkers/own_messages.hpp"
#include "muster/run/checker_list.hpp"
