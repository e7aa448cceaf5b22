// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
common/above_lowest.sv
common/fifo.sv
common/link_rx.sv
common/link_tx.sv
common/rr_arbiter.sv
multicast/multicast_inputs.sv
multicast/worm_buffer.sv
multicast/worm_output.sv
switch/channel_order.sv
switch/crossbar.sv
switch/input_queues.sv
switch/route_state.sv
switch/route_table.sv
switch/switch_allocator.sv
switch/switch_fabric.sv
switch/switch_registers.sv
multicast/multicast_switch.sv
