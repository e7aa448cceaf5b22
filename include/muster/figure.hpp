// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Figures: measuring on threads, and what is drawn.

#include "muster/figures/figure.hpp"
#include "muster/figures/parallel.hpp"
