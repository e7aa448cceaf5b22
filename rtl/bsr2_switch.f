// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
common/above_lowest.sv
common/fifo.sv
common/lfsr.sv
common/link_rx.sv
common/link_tx.sv
common/rr_arbiter.sv
preempt/bsr_entry.sv
preempt/bsr_origin.sv
preempt/bsr_table.sv
preempt/bsr_unit.sv
preempt/crossbar_2.sv
preempt/crossbar_2x2.sv
preempt/drop_counters.sv
preempt/longest_wait.sv
preempt/message_buffer.sv
preempt/message_way.sv
preempt/pad_generator.sv
preempt/padded_head.sv
preempt/preempt_inputs.sv
preempt/preempt_output.sv
preempt/preempt_outputs.sv
preempt/preempt_registers.sv
preempt/preempt_switch.sv
preempt/unit_turn.sv
switch/channel_order.sv
switch/crossbar.sv
switch/input_queues.sv
switch/route_state.sv
switch/route_table.sv
switch/switch_allocator.sv
switch/switch_fabric.sv
switch/switch_registers.sv
preempt/bsr2_switch.sv
