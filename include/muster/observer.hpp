// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Seeing everything that is on the links, without a model of it.

#include "muster/core/digest.hpp"
#include "muster/core/observer.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/layout.hpp"
