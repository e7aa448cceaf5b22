// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The barrier registers of a switch that takes one barrier message a cycle, built to compare
// muster_barrier_unit with. docs/systems/many-groups.md is the specification; the ports are those
// of muster_barrier_unit plus hold_o and wait_i.
//
// In: the unit decides one of the messages at msg_i in each cycle, by round robin over the ports:
// the pointer is 0 after reset and moves past a port whose message has been taken. The others are
// held at their ports (hold_o). wait_i[p]: muster_barrier_spill holds the message that unknown_o[p]
// reports; no message is taken, and the unit decides this one again. Messages of a type that is
// neither reduction nor distribution (malformed_o) take no turn.
//
// At most one register matches. Its state is read in one place, and one unit combines data for all
// registers, with every operation in the cycle in which a message is taken. So with the last
// arrivals of a group at n ports in cycle t, the reduction message is at send_o in t + n. The
// distribution messages to all children are there in the cycle after that of the parent was taken.
//
// Out: as in muster_barrier_outputs.
//
// Software must guarantee that the groups of valid registers are different.
module muster_serial_unit #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW,
  localparam int unsigned KeptW = muster_pkg::RegisterFlagsW + GidW + Ports,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// host writes to register r; see muster_barrier_register
  input  wire logic [Regs-1:0]               control_write_i,
  input  wire logic [Regs-1:0]               children_write_i,
  input  wire logic                          valid_i,
  input  wire logic                          turn_i,
  input  wire logic                          claimed_i,
  input  wire logic [2:0]                    op_i,
  input  wire logic [ParentW-1:0]            parent_i,
  input  wire logic [GidW-1:0]               gid_i,
  input  wire logic [Ports-1:0]              children_i,

  /// a barrier message of port p; it stays there
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   msg_payload_i,
  output logic [Ports-1:0]                   hold_o,
  /// why it was dropped, if it was
  output logic [Ports-1:0]                   malformed_o,
  output logic [Ports-1:0]                   unknown_o,
  output logic [Ports-1:0]                   refused_o,
  /// that of unknown_o stays
  input  wire logic [Ports-1:0]              wait_i,

  /// a message for port p
  output logic [Ports-1:0]                   send_o,
  output logic [Ports-1:0][FlitW-1:0]        send_payload_o,
  /// it leaves in this cycle; only where send_o[p]
  input  wire logic [Ports-1:0]              leaves_i,

  /// for the host: word read_word_i of a register in the cycle of a read,
  /// docs/reference/registers.md
  input  wire logic                          read_i,
  input  wire logic [3:0]                    read_register_i,
  input  wire logic [3:0]                    read_word_i,
  output logic [31:0]                        word_o,
  /// of register r: muster_pkg::register_flags_t, group, child mask
  output logic [Regs-1:0][KeptW-1:0]         kept_o
);
  `MUSTER_RANGE(Regs, 1, 16)
  `MUSTER_RANGE(FlitW, 16, 80)

  // ---- The message of this cycle --------------------------------------------------------------
  logic [Ports-1:0] formed, port;
  logic [FlitW-2:0] message;
  logic distribution;
  logic [GidW-1:0] msg_gid;
  logic [DataW-1:0] msg_data;

  logic [Ports-1:0][FlitW-2:0] payload;
  for (genvar p = 0; p < Ports; p++) begin : gen_payload
    assign formed[p] = msg_i[p] && !msg_payload_i[p][FlitW-1];  // type 0 or 1
    assign payload[p] = msg_payload_i[p][FlitW-2:0];
  end
  assign malformed_o = msg_i & ~formed;
  assign hold_o = formed & ~port;

  muster_rr_arbiter #(.N(Ports)) turns (
    .clk_i, .rst_ni,
    .req_i(formed),
    .take_i((wait_i & port) == '0),
    .grant_o(port)
  );

  // A simulator skips this in the cycles without a message, which are most.
  always_comb begin
    message = '0;
    if (port != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (port[p]) message = message | payload[p];
      end
    end
  end
  assign {distribution, msg_gid, msg_data} = message;

  // ---- The register of its group --------------------------------------------------------------
  logic [Regs-1:0] match, valid, turn, claimed, sent;
  logic [Regs-1:0][2:0] op;
  logic [Regs-1:0][ParentW-1:0] parent;
  logic [Regs-1:0][GidW-1:0] gid;
  logic [Regs-1:0][Ports-1:0] children, arrived, serve, request, leaves;
  logic [Regs-1:0][DataW-1:0] up_data, down_data;

  logic found_turn, found_sent;
  logic [2:0] found_op;
  logic [ParentW-1:0] found_parent;
  logic [Ports-1:0] found_children, found_arrived, found_serve;
  logic [DataW-1:0] found_up;
  always_comb begin
    found_turn = 1'b0;
    found_sent = 1'b0;
    found_op = '0;
    found_parent = '0;
    found_children = '0;
    found_arrived = '0;
    found_serve = '0;
    found_up = '0;
    if (port != '0) begin
      for (int unsigned r = 0; r < Regs; r++) begin
        if (match[r]) begin
          found_turn = found_turn | turn[r];
          found_sent = found_sent | sent[r];
          found_op = found_op | op[r];
          found_parent = found_parent | parent[r];
          found_children = found_children | children[r];
          found_arrived = found_arrived | arrived[r];
          found_serve = found_serve | serve[r];
          found_up = found_up | up_data[r];
        end
      end
    end
  end

  // ---- Effect of the message ------------------------------------------------------------------
  logic [Ports-1:0] parent_port, arrives, asks;
  logic known, right_port, in_phase, accepted, last, releases;
  assign known = match != '0;
  assign parent_port = found_turn ? '0 : Ports'(64'd1 << found_parent);
  assign right_port = known && (port & (distribution ? parent_port : found_children)) != '0;
  assign in_phase = distribution ? found_sent : (port & (found_arrived | found_serve)) == '0;
  assign accepted = right_port && in_phase;
  assign arrives = (accepted && !distribution) ? port : '0;
  assign last = arrives != '0 && (found_children & ~found_arrived & ~port) == '0;
  assign asks = last ? parent_port : '0;  // none if it reflects
  assign releases = (accepted && distribution) || (last && found_turn);

  assign unknown_o = known ? '0 : port;
  assign refused_o = (known && !accepted) ? port : '0;

  // ---- One operation for all ------------------------------------------------------------------
  logic [DataW-1:0] combined;
  muster_data_combine #(.DataW(DataW)) combine (
    .op_i(found_op),
    .first_i(found_arrived == '0),
    .so_far_i(found_up),
    .data_i(msg_data),
    .data_o(combined)
  );

  // ---- The registers --------------------------------------------------------------------------
  for (genvar r = 0; r < Regs; r++) begin : gen_register
    muster_serial_register #(.Ports(Ports), .GidW(GidW), .DataW(DataW)) register (
      .clk_i, .rst_ni,
      .control_write_i(control_write_i[r]),
      .valid_i,
      .turn_i,
      .claimed_i,
      .op_i,
      .parent_i,
      .gid_i,
      .children_write_i(children_write_i[r]),
      .children_i,
      .msg_gid_i(msg_gid),
      .match_o(match[r]),
      .arrives_i(arrives),
      .asks_i(asks),
      .releases_i(releases),
      .up_data_i(combined),
      .down_data_i(distribution ? msg_data : combined),
      .request_o(request[r]),
      .leaves_i(leaves[r]),
      .valid_o(valid[r]),
      .turn_o(turn[r]),
      .claimed_o(claimed[r]),
      .sent_o(sent[r]),
      .op_o(op[r]),
      .parent_o(parent[r]),
      .gid_o(gid[r]),
      .children_o(children[r]),
      .arrived_o(arrived[r]),
      .serve_o(serve[r]),
      .up_data_o(up_data[r]),
      .down_data_o(down_data[r])
    );
  end

  logic [Regs-1:0] distributes;
  logic [Regs-1:0][DataW-1:0] data;
  for (genvar r = 0; r < Regs; r++) begin : gen_message
    assign distributes[r] = serve[r] != '0;
    assign data[r] = distributes[r] ? down_data[r] : up_data[r];
  end

  muster_barrier_outputs #(.Ports(Ports), .Regs(Regs), .FlitW(FlitW), .GidW(GidW)) outputs (
    .clk_i, .rst_ni,
    .request_i(request),
    .distribution_i(distributes),
    .gid_i(gid),
    .data_i(data),
    .leaves_o(leaves),
    .labels_write_i('0),
    .labels_register_i('0),
    .labels_i('0),
    .send_o,
    .send_payload_o,
    .leaves_i
  );

  muster_barrier_words #(.Ports(Ports), .Regs(Regs), .GidW(GidW)) words (
    .valid_i(valid),
    .turn_i(turn),
    .claimed_i(claimed),
    .sent_i(sent),
    .op_i(op),
    .parent_i(parent),
    .gid_i(gid),
    .children_i(children),
    .arrived_i(arrived),
    .serve_i(serve),
    .folding_i('0),
    .epoch_i('0),
    .phase_i('0),
    .failed_i('0),
    .age_i('0),
    .straggler_i('0),
    .read_i,
    .read_register_i,
    .read_word_i,
    .word_o
  );
  for (genvar r = 0; r < Regs; r++) begin : gen_kept
    assign kept_o[r] = {valid[r], turn[r], claimed[r], 6'(parent[r]), gid[r], children[r]};
  end

  `MUSTER_ASSERT(GroupsAreDifferent_A, port == '0 || (match & (match - 1'b1)) == '0)
  `MUSTER_ASSERT(OneIsTaken_A, ((formed & ~hold_o) & ((formed & ~hold_o) - 1'b1)) == '0)
  `MUSTER_ASSERT(SomeIsTaken_A, formed == '0 || hold_o != formed)
  `MUSTER_ASSERT(OnlyUnknownWaits_A, (wait_i & port & ~unknown_o) == '0)
  `MUSTER_ASSERT(DropHasOneReason_A, (unknown_o & refused_o) == '0)

endmodule

`default_nettype wire
