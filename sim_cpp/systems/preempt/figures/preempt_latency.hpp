// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::preempt {

/// The variables of the model in section 4.1 of the paper of docs/systems/bsr-tree.md; times in
/// cycles. The defaults are those of its Figure 11, preempting_cycles the lower end of its Table 1.
struct PreemptModel {
  double startup_cycles = 100;     ///< Ts, software, both phases together
  double hop_cycles = 16;          ///< Tb, a barrier message over one hop
  double preempting_cycles = 6;    ///< Tp, to preempt a virtual channel
  double congestion_cycles = 100;  ///< tau
  double occupied = 0.8;           ///< p, a virtual channel serves a data message: 0..1
  double blocked = 0.2;            ///< pf, its flits do not move: 0..1
  std::uint32_t ports = 16;        ///< k, inputs of a switch: at least 1
  std::uint32_t levels = 9;        ///< L, of the tree, its root counted: at least 1
};

/// Who carries the barrier, and the number of its equation.
enum class PreemptScheme {
  kSwitch1 = 1,  ///< any virtual channel can be preempted
  kSwitch2,      ///< one fixed one can
  kSwitch3,      ///< one whose flits move can
  kTree          ///< [4]: nothing is preempted
};

/// Cycles of one barrier, not the first of its group, by equations (1) to (4) as printed.
///
/// With m = 2 (L - 1) each is Ts + m Tb + m (Tb + w), and w what a hop waits for data on average:
/// p^k Tp, p Tp, p^k ((1 - pf) Tp + pf tau), p tau. So without any congestion (w = 0) a barrier
/// takes Ts and m Tb twice, though m already counts the hops of both phases: twice what Theorem 2
/// bounds it by.
double preempt_latency(PreemptScheme scheme, const PreemptModel& model);

}  // namespace muster::preempt
