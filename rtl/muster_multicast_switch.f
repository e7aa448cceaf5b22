// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
baselines/muster_multicast_inputs.sv
baselines/muster_worm_buffer.sv
baselines/muster_worm_output.sv
common/muster_above_lowest.sv
common/muster_fifo.sv
common/muster_link_rx.sv
common/muster_link_tx.sv
common/muster_preferred_first.sv
common/muster_rr_arbiter.sv
switch/muster_channel_order.sv
switch/muster_crossbar.sv
switch/muster_input_queues.sv
switch/muster_route_state.sv
switch/muster_route_table.sv
switch/muster_switch_allocator.sv
switch/muster_switch_counters.sv
switch/muster_switch_fabric.sv
switch/muster_switch_registers.sv
baselines/muster_multicast_switch.sv
