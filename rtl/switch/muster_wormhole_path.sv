// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The wormhole data path of a barrier switch: input queues, routes read on arrival, output
// channels, crossbar, output registers with credits, and a way out for barrier messages.
// docs/systems/barrier-switch.md tells cycle by cycle what it does; in short, for a flit on the
// wires in t:
//
//   data head   t table read   t+1 channel    t+2 taken   t+3 traversal   t+4 on the next wires
//   data body   t+1 taken      t+2 traversal  t+3 on the next wires, if nothing is before it
//   sync        not seen: muster_barrier_messages takes it from the wires (not so with Queued)
//
// Each of these steps begins and ends at flip-flops.
//
// A barrier message offered at barrier_i[p] goes out in the cycle in which barrier_go_o[p] answers:
// at once if no data flit is traversing to p, else one or two cycles later, see muster_output_port.
//
// Packets for this switch end at its access unit, a part of the path: docs/systems/groups.md.
//
// With Queued sync flits come through the queues of virtual channel 0, are at message_o in t + 3 at
// best, and a barrier message goes as an answer does, on channel 0 of its output and with a credit:
// docs/systems/barrier-switch.md, Queued.
module muster_wormhole_path #(
  /// ports, 3 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  /// entries of the routing table, 16 to 65536. Requires FlitW >= $clog2(Dests) + 5
  parameter int unsigned Dests = 2048,
  /// registers that packets may write, 0 to 16
  parameter int unsigned Regs = 4,
  /// what others do wrong is refused, dropped or given up, docs/systems/guard.md; 0 to 1. Requires
  /// Guard == 0 || Depth >= 2
  parameter int unsigned Guard = 0,
  /// entries of the routing table have a parity bit; 0 to 1
  parameter int unsigned Parity = 0,
  /// barrier messages come and go with the packets of virtual channel 0; 0 to 1. Excludes Guard
  parameter int unsigned Queued = 0,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned RouteW = $clog2(Dests)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// links in; see muster_link_rx
  input  wire logic [Ports-1:0]              rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]     rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]   rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]          rx_credit_o,

  /// links out; see muster_link_tx
  output logic [Ports-1:0]                   tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]          tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]        tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]        tx_payload_o,
  input  wire logic [Ports-1:0][Vcs-1:0]     tx_credit_i,

  /// output p is held: its virtual channels have no credit
  input  wire logic [Ports-1:0]              hold_i,

  /// send this message to port p; held until barrier_go_o[p], but may be replaced before
  input  wire logic [Ports-1:0]              barrier_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   barrier_payload_i,
  output logic [Ports-1:0]                   barrier_go_o,
  /// with Queued: a message of port i leaves its queue
  output logic [Ports-1:0]                   message_o,
  output logic [Ports-1:0][FlitW-1:0]        message_payload_o,

  /// routing table, written before the first packet
  input  wire logic                          route_write_i,
  input  wire logic [RouteW-1:0]             route_addr_i,
  input  wire logic [Ports:0]                route_entry_i,
  /// queue v * Ports + i has dropped a packet without a route; a headless flit is on the wires
  output logic [Ports*Vcs-1:0]               unroutable_o,
  output logic [Ports-1:0]                   headless_o,
  /// output p takes no flit, although one waits for it
  output logic [Ports-1:0]                   stalled_o,

  /// the access unit on the register port: ports that may write, what the host does there, the word
  /// read; and the outcome of its packets, by port. See muster_register_agent
  input  wire logic [Ports-1:0]              permit_i,
  input  wire logic                          host_read_i,
  input  wire logic                          host_write_i,
  input  wire logic                          host_touches_i,
  output logic                               agent_read_o,
  output logic                               agent_write_o,
  output logic [11:0]                        agent_address_o,
  output logic [31:0]                        agent_data_o,
  input  wire logic [31:0]                   agent_word_i,
  output logic [3:0][Ports-1:0]              agent_event_o,
  output logic [3:0][Ports-1:0]              agent_late_o,
  /// with Guard, see muster_register_agent; and muster_input_stage
  input  wire logic                          harmful_i,
  input  wire logic                          foreign_i,
  input  wire logic [3:0]                    patience_i,
  output logic [Ports-1:0]                   agent_port_o,
  output logic                               guarded_o,
  output logic [Ports-1:0]                   lost_o,
  output logic                               sweeping_o,
  /// with Parity, see muster_input_stage
  output logic                               wrong_o,

  /// all queues, the crossbar and the outputs are empty, none is closed, and the access unit has
  /// nothing to do
  output logic                               quiescent_o
);
  localparam int unsigned Queues = Ports * Vcs;

  `MUSTER_RANGE(Dests, 16, 65536)
  `MUSTER_REFUSE(queued, Queued > 1 || (Queued == 1 && Guard == 1),
                 "Queued must be 0 or 1, without Guard")

  // Index of a queue, and of an output channel: virtual channel * Ports + port.
  localparam int unsigned FlightW = FlitW + 3;  // {cut, head, tail, payload}
  logic [Queues-1:0][FlightW-1:0] leaving;
  logic [Vcs-1:0][Ports*Ports-1:0] want, fresh, behind;
  logic [Queues-1:0] ready, tail, taken, here, here_first;
  logic [muster_pkg::DestW-1:0] answer_dest;
  logic [Ports-1:0] answer_mask;
  logic answer_read, inputs_empty, channels_idle, traversal_idle, outputs_idle;

  // ---- Input queues and routes ----------------------------------------------------------------
  muster_input_stage #(
    .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .Dests(Dests), .Guard(Guard),
    .Parity(Parity), .Queued(Queued)
  ) inputs (
    .answer_read_i(answer_read),
    .answer_dest_i(answer_dest),
    .answer_mask_o(answer_mask),
    .want_o(want),
    .new_o(fresh),
    .behind_o(behind),
    .ready_o(ready),
    .tail_o(tail),
    .taken_i(taken),
    .flit_o(leaving),
    .local_o(here),
    .local_first_o(here_first),
    .empty_o(inputs_empty),
    .*
  );

  // ---- Allocation and traversal -------------------------------------------------------------
  logic [Queues-1:0] open, allocated;
  logic [Vcs-1:0][Ports-1:0] closed, owned;
  logic [Queues*Ports-1:0] select;
  logic [Ports-1:0][FlightW-1:0] crossing;

  muster_output_allocator #(.Ports(Ports), .Vcs(Vcs)) allocator (
    .clk_i, .rst_ni,
    .want_i(want),
    .new_i(fresh),
    .behind_i(behind),
    .ready_i(ready),
    .tail_i(tail),
    .open_i(open),
    .closed_i(closed),
    .taken_o(taken),
    .select_o(select),
    .allocated_o(allocated),
    .stalled_o,
    .owned_o(owned),
    .idle_o(channels_idle)
  );

  muster_queue_crossbar #(.Ports(Ports), .Queues(Queues), .Width(FlightW)) xbar (
    .clk_i, .rst_ni,
    .select_i(select),
    .flit_i(leaving),
    .flit_o(crossing),
    .idle_o(traversal_idle)
  );

  // ---- The access unit, whose answers go out beside the queues' packets -------------------------
  logic [Ports-1:0] answer_want, answer_free, answer_go, answer_cut;
  logic [Ports-1:0][Vcs-1:0] offer_vc;
  logic [Queues-1:0] offer_channel;
  logic [Ports-1:0][KindW-1:0] offer_kind;
  logic [Ports-1:0][WordW-1:0] offer_word;
  logic [Ports-1:0][FlitW-1:0] offer_payload;
  logic [Ports-1:0] message_free;  // with Queued: a message is offered, in place of an answer
  logic answer_leaves, tails_idle;
  logic [Vcs-1:0] answer_vc;
  logic [KindW-1:0] answer_kind;
  logic [WordW-1:0] answer_word;
  logic agent_quiescent;

  // Its index of a queue is port * Vcs + virtual channel: of the queues of a port the lowest comes
  // first.
  logic [Queues-1:0] agent_taken, agent_first, agent_tail, agent_cut;
  logic [Queues-1:0][WordW-1:0] agent_flit;
  logic [Queues*FlightW-1:0] left;
  assign left = leaving;
  for (genvar i = 0; i < Ports; i++) begin : gen_message
    assign message_payload_o[i] = leaving[i][FlitW-1:0];
  end
  always_comb begin
    for (int unsigned q = 0; q < Queues; q++) begin
      agent_taken[q%Ports*Vcs+q/Ports] = here[q];
      agent_first[q%Ports*Vcs+q/Ports] = here_first[q];
      agent_tail[q%Ports*Vcs+q/Ports] = left[q*FlightW+FlitW+muster_pkg::KindTail];
      agent_cut[q%Ports*Vcs+q/Ports] = left[q*FlightW+FlitW+:2] == 2'b11;
      agent_flit[q%Ports*Vcs+q/Ports] = left[q*FlightW+:WordW];
    end
  end

  muster_register_agent #(.Ports(Ports), .Vcs(Vcs), .Regs(Regs), .Guard(Guard)) agent (
    .clk_i, .rst_ni,
    .taken_i(agent_taken),
    .first_i(agent_first),
    .tail_i(agent_tail),
    .cut_i(agent_cut),
    .payload_i(agent_flit),
    .permit_i,
    .host_read_i,
    .host_write_i,
    .host_touches_i,
    .read_o(agent_read_o),
    .write_o(agent_write_o),
    .address_o(agent_address_o),
    .data_o(agent_data_o),
    .word_i(agent_word_i),
    .route_read_o(answer_read),
    .route_dest_o(answer_dest),
    .route_mask_i(answer_mask),
    .want_o(answer_want),
    .vc_o(answer_vc),
    .kind_o(answer_kind),
    .payload_o(answer_word),
    .leaves_i(answer_leaves),
    .harmful_i,
    .foreign_i,
    .patience_i,
    .port_o(agent_port_o),
    .guarded_o,
    .cut_o(answer_cut),
    .event_o(agent_event_o),
    .late_o(agent_late_o),
    .quiescent_o(agent_quiescent)
  );

  if (Guard == 1) begin : gen_guard
    assign message_free = '0;
    muster_owed_tails #(.Ports(Ports), .Vcs(Vcs)) tails (
      .clk_i, .rst_ni,
      .want_i(answer_want),
      .vc_i(answer_vc),
      .kind_i(answer_kind),
      .word_i(answer_word),
      .leaves_o(answer_leaves),
      .cut_i(answer_cut),
      .owned_i(owned),
      .closed_o(closed),
      .offer_o(answer_free),
      .vc_o(offer_vc),
      .kind_o(offer_kind),
      .word_o(offer_word),
      .go_i(answer_go),
      .idle_o(tails_idle)
    );
  end else begin : gen_no_guard
    always_comb begin
      closed = '0;
      answer_free = '0;
      if (answer_want != '0) begin
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (answer_vc[v]) begin
            closed[v] = answer_want;
            answer_free = answer_want & ~owned[v];
          end
        end
      end
      if (Queued == 1) closed[0] = closed[0] | barrier_i;
    end
    assign message_free = (Queued == 1) ? barrier_i & ~owned[0] &
                                          ~(answer_want & {Ports{answer_vc[0]}}) : '0;
    for (genvar p = 0; p < Ports; p++) begin : gen_offer
      assign offer_vc[p] = message_free[p] ? Vcs'(1) : answer_vc;
      assign offer_kind[p] = message_free[p] ? KindW'(1 << muster_pkg::KindSync) : answer_kind;
    end
    assign offer_word = {Ports{answer_word}};
    assign answer_leaves = |(answer_go & ~message_free);
    assign tails_idle = 1'b1;

    logic unused;
    assign unused = &{1'b0, answer_cut};
  end

  // ---- Outputs ------------------------------------------------------------------------------
  logic [Ports-1:0] passing_go;
  logic [Queues-1:0] credit, credit_given, offer_given;  // given: port * Vcs + virtual channel
  assign credit_given = tx_credit_i;
  assign offer_given = offer_vc;
  always_comb begin
    for (int unsigned q = 0; q < Queues; q++) begin
      credit[q] = credit_given[q%Ports*Vcs+q/Ports];
      offer_channel[q] = offer_given[q%Ports*Vcs+q/Ports];
    end
    for (int unsigned p = 0; p < Ports; p++) begin
      offer_payload[p] = message_free[p] ? barrier_payload_i[p] : FlitW'(offer_word[p]);
    end
  end
  assign barrier_go_o = (Queued == 1) ? answer_go & message_free : passing_go;

  muster_output_ports #(.Ports(Ports), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) outputs (
    .clk_i, .rst_ni,
    .reserve_i(allocated),
    .crossing_i(crossing),
    .open_o(open),
    .hold_i,
    .barrier_i((Queued == 1) ? '0 : barrier_i),
    .barrier_payload_i,
    .barrier_go_o(passing_go),
    .answer_i(answer_free | message_free),
    .answer_vc_i(offer_channel),
    .answer_kind_i(offer_kind),
    .answer_payload_i(offer_payload),
    .answer_go_o(answer_go),
    .idle_o(outputs_idle),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i(credit)
  );

  // Of what follows from the rest in every state that can be reached, so much as makes a state that
  // cannot be quiet too: then it is proved without knowing which can.
  assign quiescent_o = inputs_empty && channels_idle && traversal_idle && outputs_idle &&
                       (tx_valid_o == '0) && (rx_credit_o == '0) && agent_quiescent && tails_idle;

endmodule

`default_nettype wire
