// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
common/lfsr.sv
esc/block_random.sv
esc/interchange_box.sv
esc/output_buffer.sv
esc/output_scan.sv
esc/scan_order.sv
esc/stage_bypass.sv
esc/esc_network.sv
