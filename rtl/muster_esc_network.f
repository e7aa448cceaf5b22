// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
common/muster_lfsr.sv
esc/muster_block_random.sv
esc/muster_interchange_box.sv
esc/muster_output_buffers.sv
esc/muster_output_scan.sv
esc/muster_queue_fills.sv
esc/muster_scan_order.sv
esc/muster_turn_counters.sv
esc/muster_esc_network.sv
