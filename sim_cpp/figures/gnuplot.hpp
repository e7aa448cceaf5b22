// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/figures/figure.hpp"

namespace muster::figures {

/// The panels side by side, curves with error bars, printed values as crosses.
std::string gnuplot_script(const FigureData& data);

/// What gnuplot writes to standard output for a script that sets an SVG terminal. Throws InputError
/// if there is no gnuplot, InternalError if it does not accept the script.
std::string run_gnuplot(const std::string& script);

/// Text in a gnuplot string.
std::string gnuplot_quote(const std::string& text);

}  // namespace muster::figures
