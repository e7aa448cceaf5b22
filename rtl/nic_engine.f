// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
common/above_lowest.sv
common/fifo.sv
common/link_tx.sv
common/rr_arbiter.sv
nic/nic_connection.sv
nic/nic_connections.sv
nic/nic_context.sv
nic/nic_contexts.sv
nic/nic_crc.sv
nic/nic_direct.sv
nic/nic_event_context.sv
nic/nic_event_counts.sv
nic/nic_event_unit.sv
nic/nic_events.sv
nic/nic_groups.sv
nic/nic_memory.sv
nic/nic_progress.sv
nic/nic_receive.sv
nic/nic_record.sv
nic/nic_records.sv
nic/nic_registers.sv
nic/nic_steps.sv
nic/nic_timer.sv
nic/nic_transmit.sv
nic/nic_engine.sv
