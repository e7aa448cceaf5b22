// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What Verilator's runtime prints with (it is compiled with this header): to standard error, so
/// that results on standard output stay clean. The last line is kept for the exception of stop.cpp.
int muster_verilated_printf(const char* format, ...);
