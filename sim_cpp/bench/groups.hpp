// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/report.hpp"

namespace muster::bench {

// The measurement groups; each appends to the report. REQUIRES, where said, that engines are there.

/// Time of a switch-cycle on all engines on the same work, cost of checkers and assertions. Needs
/// rtl and lockstep.
void measure_engine_speed(const Setting& setting, Report& report);

/// What the harness adds to the Verilated models themselves. Needs rtl.
void measure_harness_overhead(const Setting& setting, Report& report);

/// Flit-hops per second of golden on a mesh and on an irregular network.
void measure_golden_speed(const Setting& setting, Report& report);

/// What a switch-cycle of golden costs in a large network, by one in a small network.
void measure_golden_size(const Setting& setting, Report& report);

/// A box-cycle of the Extra Stage Cube on every engine that has boxes; the time of its figure
/// esc-5.
void measure_box_speed(const Setting& setting, Report& report);

/// The cost of a switch with nothing to do, and of being one of many. Needs rtl.
void measure_scaling(const Setting& setting, Report& report);

/// What a second thread is good for. Needs rtl.
void measure_thread_speed(const Setting& setting, Report& report);

/// Cycles of a hop in an empty network, for barrier messages and data.
void measure_hop_latency(const Setting& setting, Report& report);

/// Flits per cycle of one link by buffer depth, golden.
void measure_link_throughput(const Setting& setting, Report& report);

Machine this_machine(const fabric::EngineRegistry& engines);

}  // namespace muster::bench
