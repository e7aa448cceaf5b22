// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What comes out of a run, and its text and JSON.

#include "muster/core/provenance.hpp"
#include "muster/run/result.hpp"
#include "muster/run/result_io.hpp"
