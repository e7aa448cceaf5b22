// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
link/link_class.sv
link/link_crc.sv
link/link_credits.sv
link/link_delivery.sv
link/link_receiver.sv
link/link_registers.sv
link/link_replay.sv
link/link_sender.sv
link/link_session.sv
link/link_end.sv
