// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Blocks: the contract of a bank, kinds of switches, and engines, which make banks.

#include "muster/core/bank.hpp"
#include "muster/core/engine.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/network.hpp"
#include "muster/fabric/switch_config.hpp"
