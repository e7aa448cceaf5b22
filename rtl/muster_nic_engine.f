// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
common/muster_above_lowest.sv
common/muster_link_tx.sv
common/muster_preferred_first.sv
common/muster_rr_arbiter.sv
nic/muster_nic_connections.sv
nic/muster_nic_contexts.sv
nic/muster_nic_crc.sv
nic/muster_nic_direct.sv
nic/muster_nic_event_context.sv
nic/muster_nic_event_counts.sv
nic/muster_nic_event_unit.sv
nic/muster_nic_events.sv
nic/muster_nic_groups.sv
nic/muster_nic_memory.sv
nic/muster_nic_queue.sv
nic/muster_nic_receive.sv
nic/muster_nic_records.sv
nic/muster_nic_registers.sv
nic/muster_nic_timers.sv
nic/muster_nic_transmit.sv
nic/muster_nic_walk.sv
nic/muster_nic_engine.sv
