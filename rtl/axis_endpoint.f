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
common/rr_select.sv
wrap/endpoint_group.sv
wrap/endpoint_receiver.sv
wrap/endpoint_registers.sv
wrap/endpoint_sender.sv
wrap/axis_endpoint.sv
