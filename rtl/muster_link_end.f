// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
link/muster_link_class.sv
link/muster_link_crc.sv
link/muster_link_credits.sv
link/muster_link_delivery.sv
link/muster_link_receiver.sv
link/muster_link_registers.sv
link/muster_link_replay.sv
link/muster_link_sender.sv
link/muster_link_session.sv
link/muster_link_end.sv
