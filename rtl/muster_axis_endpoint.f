// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
common/muster_above_lowest.sv
common/muster_fifo.sv
common/muster_link_rx.sv
common/muster_link_tx.sv
common/muster_preferred_first.sv
common/muster_rr_arbiter.sv
common/muster_rr_select.sv
wrap/muster_endpoint_group.sv
wrap/muster_endpoint_receiver.sv
wrap/muster_endpoint_registers.sv
wrap/muster_endpoint_sender.sv
wrap/muster_axis_endpoint.sv
