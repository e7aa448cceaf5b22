// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The barrier unit of a preempting switch: the barrier buffers of each input port, the status
// table, the origin of the switch's own messages, and the output that each message requests.
// docs/systems/preempting-switches.md, "Barrier buffers", "The barrier unit", "Choice of an
// output".
//
// Buffers are numbered by their ports; from number Ports on they are those of the origin. The
// buffer that is taken in t has been chosen in t - 1: choice and status table are not in one path.
// A later message complete in t and taken in t requests its output in t + 1 and is served from
// t + 2 on. A message for this switch is applied to the table in t; the resulting message is going
// from t + 3 on. The group of a message is known to its buffer; the preempted channel and its state
// are known to muster_preempt_output.
module muster_bsr_unit #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// entries of the status table, 1 to 16
  parameter int unsigned Regs = 4,
  /// bits of a message in a flit: 16, 24, 32 or 48
  parameter int unsigned WordW = muster_pkg::BsrFlitW,
  /// barrier buffers of a port, and of the origin, beyond the first, 0 to 7
  parameter int unsigned Spares = 0,
  localparam int unsigned Origins = Spares + 1,
  localparam int unsigned Buffers = Ports + Origins,
  localparam int unsigned DestW = muster_pkg::DestW,
  localparam int unsigned MessageW = muster_pkg::BsrFlits * muster_pkg::BsrFlitW
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  /// address of this switch
  input  wire logic [DestW-1:0]                 address_i,
  /// host: the status table; see muster_bsr_table
  input  wire logic                             write_i,
  input  wire logic [10:0]                      addr_i,
  input  wire logic [31:0]                      wdata_i,
  output logic [31:0]                           word_o,

  /// column of crossbar I: a flit of a message comes by this row, the first one; see
  /// muster_message_buffer. The routing table is read with the destination; the mask is there from
  /// the next cycle on
  input  wire logic [Ports-1:0]                 valid_i,
  input  wire logic [Ports-1:0]                 first_i,
  input  wire logic [Ports-1:0][WordW-1:0]      flit_i,
  output logic [Ports-1:0]                      read_o,
  output logic [Ports-1:0][DestW-1:0]           dest_o,
  input  wire logic [Ports-1:0][Ports-1:0]      mask_i,
  output logic [Ports-1:0]                      malformed_o,
  /// the buffer of this port has become free
  output logic [Ports-1:0]                      freed_o,
  /// the origin's read of the routing table, whose entry is there in the next cycle
  output logic                                  route_read_o,
  output logic [DestW-1:0]                      route_dest_o,
  input  wire logic [Ports-1:0]                 route_mask_i,

  /// outputs that no message goes by
  input  wire logic [Ports-1:0]                 closed_i,
  /// outputs that a message may choose, and those it may if it cuts
  input  wire logic [Ports-1:0]                 open_i,
  input  wire logic [Ports-1:0]                 cuttable_i,
  /// buffer b asks for output p: ask_o[p][b]
  output logic [Ports-1:0][Buffers-1:0]         ask_o,
  /// output p serves buffer b, and its next flit goes
  input  wire logic [Ports-1:0][Buffers-1:0]    served_i,
  input  wire logic [Ports-1:0]                 sent_i,
  /// the next flit of the buffer that output p serves, whether its message has three flits, or one
  output logic [Ports-1:0][WordW-1:0]           next_o,
  output logic [Ports-1:0]                      long_o,
  output logic [Ports-1:0]                      single_o,

  /// a message by port p was dropped: unknown group, wrong source, out of phase
  output logic [2:0][Ports-1:0]                 drop_o,
  /// a message had no way: when the unit took it, the switch's own, one that was going
  output logic [Buffers+1:0]                    unroutable_o,
  /// nothing is here and nothing is owed
  output logic                                  idle_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Regs, 1, 16)

  localparam int unsigned Flits = muster_pkg::bsr_first_flits(WordW);
  localparam int unsigned LaterFlits = muster_pkg::bsr_later_flits(WordW);

  // Of the next message of a port, the taken one, the oldest, the one behind it.
  logic [Ports-1:0] able, next_orders, next_here, next_oldest, chosen;
  logic [Ports-1:0] take, take_first, take_here, take_oldest;
  logic [Ports-1:0] first, orders, follows, follows_first, empty;
  logic [Ports-1:0] may_count, counts;  // a first message may only count, and does
  logic [Ports-1:0][MessageW-1:0] message;
  logic [Ports-1:0][muster_pkg::BsrGidW-1:0] next_gid;
  logic [Ports-1:0][Ports-1:0] next_mask, take_mask;
  logic [Buffers-1:0] going, follow, is_long, is_single, served, sent, bound, dropped;
  logic [Buffers-1:0][WordW-1:0] next;
  logic [Buffers-1:0][Ports-1:0] mask, way_mask;  // without closed outputs
  logic [Buffers*Ports-1:0] ask;        // b * Ports + p
  logic [1:0] new_bnt;
  logic [DestW-1:0] new_node;
  logic new_refused, consume, apply;

  // ---- Buffers of the ports -----------------------------------------------------------------
  for (genvar i = 0; i < Ports; i++) begin : gen_port
    muster_pkg::bsr_message_t held;
    logic [Ports-1:0] coming_mask, held_mask, going_mask, behind_mask;

    muster_message_ring #(
      .Ports(Ports),
      .WordW(WordW),
      .Spares(Spares)
    ) buffers (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i[i]),
      .first_i(first_i[i]),
      .flit_i(flit_i[i]),
      .read_o(read_o[i]),
      .dest_o(dest_o[i]),
      .mask_i(mask_i[i]),
      .malformed_o(malformed_o[i]),
      .freed_o(freed_o[i]),
      .address_i,
      .able_o(able[i]),
      .orders_o(next_orders[i]),
      .here_o(next_here[i]),
      .is_oldest_o(next_oldest[i]),
      .mask_o(coming_mask),
      .counts_o(may_count[i]),
      .gid_o(next_gid[i]),
      .choose_i(chosen[i]),
      .count_i(counts[i]),
      .taken_o(take[i]),
      .taken_message_o(held),
      .taken_first_o(take_first[i]),
      .taken_here_o(take_here[i]),
      .taken_oldest_o(take_oldest[i]),
      .taken_mask_o(held_mask),
      .consume_i(consume),
      .change_i(apply),
      .bnt_i(new_bnt),
      .refused_i(new_refused),
      .new_node_i(new_node),
      .going_o(going[i]),
      .going_first_o(first[i]),
      .going_orders_o(orders[i]),
      .going_mask_o(going_mask),
      .next_o(next[i]),
      .sent_i(sent[i]),
      .drop_i(dropped[i]),
      .follows_o(follows[i]),
      .follows_first_o(follows_first[i]),
      .follows_mask_o(behind_mask),
      .empty_o(empty[i])
    );
    assign message[i] = held;
    assign next_mask[i] = coming_mask & ~closed_i;
    assign take_mask[i] = held_mask & ~closed_i;
    assign mask[i] = going_mask & ~closed_i;
    assign follow[i] = follows[i];
    assign bound[i] = follows[i] ? follows_first[i] : first[i];
    assign way_mask[i] = follows[i] ? behind_mask & ~closed_i : mask[i];
  end

  // ---- Which of them is taken in the next cycle ---------------------------------------------
  // First messages for one output leave in the order in which they were taken: one waits while
  // another, taken already, waits for the same output.
  logic [Ports-1:0] waiting;  // outputs that a first message waits for
  logic [Ports-1:0] may;      // those that may be chosen
  logic [Ports-1:0][Ports-1:0] route, next_route;  // the deterministic ones
  for (genvar i = 0; i < Ports; i++) begin : gen_route
    logic [Ports-1:0] above, next_above;
    muster_above_lowest #(
      .N(Ports)
    ) lowest (
      .bits_i(mask[i]),
      .above_o(above)
    );
    assign route[i] = mask[i] & ~above;
    if (Spares == 0) begin : gen_same
      assign next_above = above;
    end else begin : gen_next
      muster_above_lowest #(
        .N(Ports)
      ) next_lowest (
        .bits_i(next_mask[i]),
        .above_o(next_above)
      );
    end
    assign next_route[i] = next_mask[i] & ~next_above;
  end
  always_comb begin
    waiting = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      if (orders[i] && ((take[i] && take_oldest[i]) || (going[i] && !served[i]))) begin
        waiting = waiting | route[i];
      end
    end
    for (int unsigned i = 0; i < Ports; i++) begin
      may[i] = able[i] && !counts[i];
      if (next_orders[i] &&
          (!next_oldest[i] || (!next_here[i] && (next_route[i] & waiting) != '0))) begin
        may[i] = 1'b0;
      end
    end
  end

  muster_unit_turn #(
    .Ports(Ports)
  ) turns (
    .clk_i,
    .rst_ni,
    .able_i(may),
    .take_o(chosen)
  );

  logic [MessageW-1:0] taken_bits;
  logic taken_here, taken_first, taken_routed, table_consumes;
  muster_pkg::bsr_message_t taken;
  always_comb begin
    taken_bits = '0;
    taken_here = 1'b0;
    taken_first = 1'b0;
    taken_routed = 1'b0;
    for (int unsigned i = 0; i < Ports; i++) begin
      if (take[i]) begin
        taken_bits = taken_bits | message[i];
        taken_here = take_here[i];
        taken_first = take_first[i];
        taken_routed = take_mask[i] != '0;
      end
    end
  end
  assign taken = taken_bits;
  assign apply = take != '0 && (taken_here || (taken_first && taken_routed));
  assign consume = apply ? table_consumes : !taken_routed;
  assign unroutable_o[0] = take != '0 && !apply && !taken_routed;

  // ---- Status table and origin --------------------------------------------------------------
  logic owes, load;
  logic [Origins-1:0] origin_empty, above_empty, loads, lost, origin_local, origin_first;
  logic [Ports-1:0] origin_port;
  logic [2:0] reason;
  muster_pkg::bsr_message_t own;

  muster_bsr_table #(
    .Ports(Ports),
    .Regs(Regs),
    .Spares(Spares)
  ) status (
    .clk_i,
    .rst_ni,
    .address_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .word_o,
    .msg_i(taken),
    .port_i(take),
    .here_i(taken_here),
    .apply_i(apply),
    .consume_o(table_consumes),
    .bnt_o(new_bnt),
    .refused_o(new_refused),
    .new_node_o(new_node),
    .drop_o(reason),
    .count_i(may_count),
    .count_gid_i(next_gid),
    .count_o(counts),
    .origin_o(owes),
    .origin_message_o(own),
    .origin_port_o(origin_port),
    .send_i(load)
  );

  assign load = owes && origin_empty != '0;
  assign route_read_o = load && origin_port == '0;
  assign route_dest_o = own.dest;

  // The lowest that is empty takes it.
  muster_above_lowest #(
    .N(Origins)
  ) lowest_empty (
    .bits_i(origin_empty),
    .above_o(above_empty)
  );
  assign loads = load ? origin_empty & ~above_empty : '0;
  for (genvar o = 0; o < Origins; o++) begin : gen_origin
    localparam int unsigned B = Ports + o;

    muster_bsr_origin #(
      .Ports(Ports),
      .WordW(WordW)
    ) origin (
      .clk_i,
      .rst_ni,
      .empty_o(origin_empty[o]),
      .load_i(loads[o]),
      .message_i(own),
      .port_i(origin_port),
      .mask_i(route_mask_i),
      .closed_i,
      .unroutable_o(lost[o]),
      .going_o(going[B]),
      .local_o(origin_local[o]),
      .first_o(origin_first[o]),
      .mask_o(mask[B]),
      .next_o(next[B]),
      .sent_i(sent[B]),
      .drop_i(dropped[B])
    );
    assign bound[B] = origin_first[o] || origin_local[o];
    assign follow[B] = 1'b0;
    assign way_mask[B] = mask[B];
  end
  assign unroutable_o[1] = lost != '0;  // one is routed in a cycle
  assign is_long = (Flits == 3) ? {origin_first, first} : '0;
  assign is_single = (Flits == 1) ? '1 : (LaterFlits == 1) ? ~{origin_first, first} : '0;

  always_comb begin
    for (int unsigned r = 0; r < 3; r++) drop_o[r] = (apply && reason[r]) ? take : '0;
  end

  // ---- Outputs ------------------------------------------------------------------------------
  // One that was given a way and has none any more is lost.
  for (genvar b = 0; b < Buffers; b++) begin : gen_drop
    assign dropped[b] = going[b] && !served[b] && mask[b] == '0;
  end
  assign unroutable_o[Buffers+1:2] = dropped;

  for (genvar b = 0; b < Buffers; b++) begin : gen_way
    muster_message_way #(
      .Ports(Ports)
    ) way (
      .going_i((going[b] && !served[b]) || follow[b]),
      .bound_i(bound[b]),
      .mask_i(way_mask[b]),
      .open_i,
      .cuttable_i,
      .ask_o(ask[b*Ports+:Ports])
    );
  end

  // Few buffers are served in a cycle: the condition is a simulation-speed guard, functionally
  // redundant.
  logic [Buffers-1:0] served_twice;
  logic [Ports*Buffers-1:0] serving, asking;  // p * Buffers + b
  assign serving = served_i;
  assign ask_o = asking;
  always_comb begin
    served = '0;
    served_twice = '0;
    sent = '0;
    next_o = '0;
    long_o = '0;
    single_o = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      served_twice = served_twice | (served & served_i[p]);
      served = served | served_i[p];
      if (served_i[p] != '0) begin
        if (sent_i[p]) sent = sent | served_i[p];
        for (int unsigned b = 0; b < Buffers; b++) begin
          if (serving[p*Buffers+b]) begin
            next_o[p] = next_o[p] | next[b];
            long_o[p] = long_o[p] | is_long[b];
            single_o[p] = single_o[p] | is_single[b];
          end
        end
      end
    end
  end

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      for (int unsigned b = 0; b < Buffers; b++) asking[p*Buffers+b] = ask[b*Ports+p];
    end
  end

  assign idle_o = (&empty) && take == '0 && (&origin_empty) && !owes;

  `MUSTER_ASSERT(ServedByOne_A, served_twice == '0)
  `MUSTER_ASSERT(ServedIsGoing_A, (served & ~going) == '0)

endmodule

`default_nettype wire
