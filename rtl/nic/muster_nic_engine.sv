// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The NIC barrier engine (docs/systems/nic-engine.md, docs/systems/nic-link.md): barriers of up to
// Contexts groups without help of the switches. It stands at a switch port in place of a node.
//
// Latency, with credits and nothing else to do: the tail of an awaited STEP on the wires in t, the
// head of the STEP that it triggers in t + 5; a doorbell on the register port in t, the head in
// t + 3; the last awaited STEP in t, the event in t + 4. With Chained, an event unit
// (docs/systems/nic-engine.md): t + 4, t + 4 and t + 4.
//
// All outputs but reg_rdata_o are functions of state. reg_rdata_o answers in the same cycle.
module muster_nic_engine #(
  /// groups served at once, 1 to 8
  parameter int unsigned Contexts = 4,
  /// entries of a step list, 2 to 32
  parameter int unsigned Steps = 16,
  /// connections of the point-to-point path, 1 to 32
  parameter int unsigned Conns = 16,
  /// its send packets, 1 to 8
  parameter int unsigned Records = 4,
  /// bits of all sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8,
  /// virtual channels of the link, 1 to 4
  parameter int unsigned Vcs = 1,
  /// places in each queue of the switch, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 80
  parameter int unsigned FlitW = 16,
  /// 0 to 1: 1 for events and chained descriptors in place of step lists
  parameter int unsigned Chained = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,

  /// link from the switch; every flit is taken at once
  input  wire logic                              rx_valid_i,
  input  wire logic [VcW-1:0]                    rx_vc_i,
  input  wire logic [muster_pkg::KindW-1:0]      rx_kind_i,
  input  wire logic [FlitW-1:0]                  rx_payload_i,
  output logic [Vcs-1:0]                         rx_credit_o,
  /// link to the switch
  output logic                                   tx_valid_o,
  output logic [VcW-1:0]                         tx_vc_o,
  output logic [muster_pkg::KindW-1:0]           tx_kind_o,
  output logic [FlitW-1:0]                       tx_payload_o,
  input  wire logic [Vcs-1:0]                    tx_credit_i,

  /// register port of the host: a write at the edge, a read answered at once
  input  wire logic                              reg_valid_i,
  input  wire logic                              reg_write_i,
  input  wire logic [muster_pkg::RegAddrW-1:0]   reg_addr_i,
  input  wire logic [muster_pkg::RegDataW-1:0]   reg_wdata_i,
  output logic [muster_pkg::RegDataW-1:0]        reg_rdata_o,
  /// event port of the host: the word stays until it is taken
  output logic                                   event_valid_o,
  output logic [31:0]                            event_o,
  input  wire logic                              event_ready_i,

  /// with idle inputs nothing changes
  output logic                                   quiescent_o
);
  // The ranges of the other parameters are checked by the parts that have them.
  localparam int unsigned MessageW = muster_pkg::NicMessageW;
  localparam int unsigned Asks = (Chained == 0) ? 1 : Contexts;
  localparam int unsigned ContextW = (Contexts > 1) ? $clog2(Contexts) : 1;

  logic [1:0] own_channel;
  logic [muster_pkg::DestW-1:0] self;
  logic [31:0] times;  // {gap, retries, timeout}
  logic timed;
  logic [23:0] quiet_time;

  // ---- The message register -----------------------------------------------------------------
  logic message_valid, arrives, malformed, collective, is_data, is_ack;
  muster_pkg::nic_message_t message;

  muster_nic_receive #(.SeqW(SeqW), .Vcs(Vcs), .FlitW(FlitW)) receive (
    .clk_i, .rst_ni,
    .rx_valid_i,
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .channel_i(own_channel),
    .self_i(self),
    .arrives_o(arrives),
    .message_valid_o(message_valid),
    .message_o(message),
    .malformed_o(malformed)
  );
  assign is_data = message_valid && (message.kind == muster_pkg::NicData);
  assign is_ack = message_valid && (message.kind == muster_pkg::NicAck);
  assign collective = message_valid && !is_data && !is_ack;

  // ---- Groups -------------------------------------------------------------------------------
  logic [Contexts-1:0] control, doorbell, entry, notice, loaded;
  logic [ContextW-1:0] event_at;
  logic [31:0] event_word, control_word, received, sent;
  logic [Asks+1:0] want, grant;  // contexts, reply queue, point-to-point path
  logic [Asks-1:0][MessageW-1:0] sends;
  logic [1:0][MessageW-1:0] late;  // of the reply queue and of the path, after their grants
  logic ask, taken, gap_over, to_context, of_direct, unknown, stale, lost, answers, refused, still;
  muster_pkg::nic_message_t answer;

  muster_nic_groups #(.Contexts(Contexts), .Steps(Steps), .SeqW(SeqW), .Chained(Chained)) groups (
    .clk_i, .rst_ni,
    .control_i(control),
    .doorbell_i(doorbell),
    .entry_i(entry),
    .entry_at_i(reg_addr_i[4:0]),
    .word_i(reg_wdata_i),
    .at_i(reg_addr_i[2+:ContextW]),
    .refused_o(refused),
    .control_o(control_word),
    .received_o(received),
    .sent_o(sent),
    .timed_i(timed),
    .timeout_i(times[15:0]),
    .retries_i(times[19:16]),
    .quiet_i(quiet_time),
    .comes_i(rx_valid_i),
    .arrives_i(arrives),
    .message_i(message),
    .message_valid_i(message_valid),
    .collective_i(collective),
    .data_i(to_context),
    .direct_o(of_direct),
    .unknown_o(unknown),
    .stale_o(stale),
    .limited_o(lost),
    .reply_o(answers),
    .answer_o(answer),
    .want_o(want[Asks-1:0]),
    .message_o(sends),
    .gap_over_i(gap_over),
    .grant_i(grant[Asks-1:0]),
    .ask_o(ask),
    .taken_i(taken),
    .notice_o(notice),
    .event_at_i(event_at),
    .event_o(event_word),
    .loaded_i(loaded),
    .still_o(still)
  );

  // ---- Point-to-point path ------------------------------------------------------------------
  logic [Conns-1:0] connection;
  logic send, lost_token, link_unknown, link_stale, link_limited, acks, reply_full, reply_empty;
  logic queues_event, event_full, dead, dead_loaded, link_quiet;
  logic [31:0] connection_word, queued_event, dead_event;
  muster_pkg::nic_message_t ack;

  muster_nic_direct #(.Conns(Conns), .Records(Records), .SeqW(SeqW)) direct_path (
    .clk_i, .rst_ni,
    .timed_i(timed),
    .timeout_i(times[15:0]),
    .retries_i(times[19:16]),
    .write_i(connection),
    .at_i(reg_addr_i[ConnW-1:0]),
    .send_i(send),
    .word_i(reg_wdata_i),
    .link_o(connection_word),
    .ask_i(ask),
    .asked_i(sends[0]),
    .taken_o(taken),
    .refused_o(lost_token),
    .comes_i(rx_valid_i),
    .message_i(message),
    .data_i(is_data),
    .ack_i(is_ack),
    .to_context_i(of_direct),
    .reply_full_i(reply_full),
    .event_full_i(event_full),
    .unknown_o(link_unknown),
    .stale_o(link_stale),
    .limited_o(link_limited),
    .reply_o(acks),
    .answer_o(ack),
    .context_o(to_context),
    .event_o(queues_event),
    .word_o(queued_event),
    .want_o(want[Asks+1]),
    .packet_o(late[1]),
    .granted_i(grant[Asks+1]),
    .dead_o(dead),
    .dead_event_o(dead_event),
    .loaded_i(dead_loaded),
    .quiet_o(link_quiet)
  );

  // ---- Replies ------------------------------------------------------------------------------
  muster_nic_queue #(.Width(MessageW), .Depth(4)) replies (
    .clk_i, .rst_ni,
    .push_i(acks || (answers && !reply_full)),
    .data_i(answers ? answer : ack),
    .pop_i(grant[Asks]),
    .data_o(late[0]),
    .empty_o(reply_empty),
    .full_o(reply_full)
  );
  assign want[Asks] = !reply_empty;

  // ---- Sending, events, registers -------------------------------------------------------------
  logic transmit_quiet, events_quiet;
  muster_nic_transmit #(.Asks(Asks), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) transmit (
    .clk_i, .rst_ni,
    .channel_i(own_channel),
    .self_i(self),
    .gap_i(times[31:20]),
    .want_i(want),
    .message_i(sends),
    .late_i(late),
    .grant_o(grant),
    .gap_over_o(gap_over),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i,
    .quiet_o(transmit_quiet)
  );

  muster_nic_events #(.Contexts(Contexts)) events (
    .clk_i, .rst_ni,
    .notice_i(notice),
    .at_o(event_at),
    .word_i(event_word),
    .loaded_o(loaded),
    .dead_i(dead),
    .dead_word_i(dead_event),
    .dead_loaded_o(dead_loaded),
    .push_i(queues_event),
    .pushed_i(queued_event),
    .full_o(event_full),
    .event_valid_o,
    .event_o,
    .event_ready_i,
    .quiet_o(events_quiet)
  );

  logic [3:0] drops;
  assign drops = {link_limited || lost || (answers && reply_full), link_stale || stale,
                  link_unknown || unknown, malformed};

  muster_nic_registers #(
    .Contexts(Contexts), .Steps(Steps), .Conns(Conns), .Records(Records), .SeqW(SeqW), .Vcs(Vcs),
    .Depth(Depth), .FlitW(FlitW), .Chained(Chained)
  ) registers (
    .clk_i, .rst_ni,
    .reg_valid_i,
    .reg_write_i,
    .reg_addr_i,
    .reg_wdata_i,
    .reg_rdata_o,
    .channel_o(own_channel),
    .self_o(self),
    .times_o(times),
    .timed_o(timed),
    .quiet_time_o(quiet_time),
    .control_o(control),
    .doorbell_o(doorbell),
    .entry_o(entry),
    .connection_o(connection),
    .send_o(send),
    .control_i(control_word),
    .received_i(received),
    .sent_i(sent),
    .connection_i(connection_word),
    .drop_i(drops),
    .refused_i(refused || lost_token)
  );

  assign quiescent_o = transmit_quiet && events_quiet && link_quiet && still &&
                       reply_empty && !message_valid && (rx_credit_o == '0);

  `MUSTER_ASSERT(QuietAsksNothing_A, !quiescent_o || (want == '0 && !ask))
  `MUSTER_ASSERT(OneReply_A, !(acks && answers))

endmodule

`default_nettype wire
