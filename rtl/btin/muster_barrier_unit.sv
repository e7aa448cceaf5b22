// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The barrier registers of a switch and the selection of their messages for the outputs (BTIN
// sections 2.1 and 3.2).
//
// In: one message of every port in every cycle; none ever waits here. A message that no register
// takes changes nothing and is reported in that cycle at its port: at unknown_o if no register has
// its group, else at refused_o; a type that is neither reduction nor distribution at malformed_o.
// Unknown and malformed messages that muster_barrier_spill holds come again in the next cycle.
//
// Out: one message for each port, selected among the registers that have one for it, as in
// muster_barrier_outputs.
//
// Fan-in costs no cycle: with the last arrivals of a group at k ports in cycle t, the reduction
// message is at send_o in t + 1. A distribution message taken in t is at send_o of all children in
// t + 1. (Operations other than OR and AND add the cycles of muster_data_fold.)
//
// With Retry the registers tolerate lost and duplicated messages on the links
// (docs/systems/retry-registers.md).
//
// With Labels the group of a message is the index of the register that it is for (here "has its
// group" means that the register of this index is valid), and a message that leaves carries the
// label of its register for the port, a word of the host.
//
// Software must guarantee that the groups of valid registers are different; with Labels they may be
// equal.
module muster_barrier_unit #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// the registers repeat; 0 to 1. Requires Retry == 0 || FlitW >= GidW + 8
  parameter int unsigned Retry = 0,
  /// registers know who arrived last; 0 to 1. Excludes Retry
  parameter int unsigned Straggler = 0,
  /// operations of the registers on data: 0 all, 1 OR and AND, 2 none, which are groups without
  /// data; 0 to 2. Excludes Retry
  parameter int unsigned Ops = 0,
  /// messages name the register that they are for, and those that leave carry a label of it for
  /// their port; 0 to 1. Excludes Retry. Requires Labels == 0 || Ports <= 16
  parameter int unsigned Labels = 0,
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW,
  localparam int unsigned Once = (Retry == 0) ? Regs : 0,  // registers that repeat nothing
  localparam int unsigned KeptW = muster_pkg::RegisterFlagsW + GidW + Ports,
  localparam int unsigned RegW = (Regs > 1) ? $clog2(Regs) : 1,
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
  /// with Labels: those of register labels_register_i, see muster_port_labels
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [1:0]                    labels_write_i,
  input  wire logic [3:0]                    labels_register_i,
  input  wire logic [31:0]                   labels_i,
  /* verilator lint_on UNUSEDSIGNAL */

  /// with Retry: the epoch of a control word; the barrier of register r fails; the host writes the
  /// word of periods, which is periods_o
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [1:0]                    epoch_i,
  input  wire logic [Regs-1:0]               abort_i,
  input  wire logic                          periods_write_i,
  input  wire logic [23:0]                   periods_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [31:0]                        periods_o,
  /// a barrier has been under way for long
  output logic                               suspect_o,

  /// a barrier message of port p
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   msg_payload_i,
  /// why it was dropped, if it was
  output logic [Ports-1:0]                   malformed_o,
  output logic [Ports-1:0]                   unknown_o,
  output logic [Ports-1:0]                   refused_o,

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
  output logic [Regs-1:0][KeptW-1:0]         kept_o,
  /// something changes at the edge, whatever comes
  output logic                               busy_o
);
  `MUSTER_RANGE(Regs, 1, 16)
  `MUSTER_RANGE(FlitW, 16, 80)
  `MUSTER_RANGE(Retry, 0, 1)
  `MUSTER_REFUSE(ops, Ops > 2 || (Ops != 0 && Retry == 1), "Ops must be 0 to 2, and 0 with Retry")
  `MUSTER_REFUSE(retry_data, Retry == 1 && FlitW < GidW + 8,
                 "Retry needs FlitW of at least GidW + 8")

  `MUSTER_REFUSE(straggler, Straggler > 1 || (Straggler == 1 && Retry == 1),
                 "Straggler must be 0 or 1, and without Retry")
  `MUSTER_REFUSE(labels, Labels > 1 || (Labels == 1 && (Retry == 1 || Ports > 16)),
                 "Labels must be 0 or 1, without Retry and above 16 ports 0")

  // ---- The messages of this cycle -----------------------------------------------------------
  logic [Ports-1:0] formed, distribution, known;
  logic [Ports-1:0][muster_pkg::MsgTypeW-1:0] msg_type;
  logic [Ports-1:0][GidW-1:0] msg_gid;
  logic [Ports-1:0][DataW-1:0] msg_data;

  for (genvar p = 0; p < Ports; p++) begin : gen_message
    assign {msg_type[p], msg_gid[p], msg_data[p]} = msg_payload_i[p];
    assign distribution[p] = msg_type[p] == muster_pkg::MsgDistribution;
  end
  // A simulator skips this in the cycles without a message, which are most.
  always_comb begin
    formed = '0;
    malformed_o = '0;
    if (msg_i != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        formed[p] = msg_i[p] && (distribution[p] || msg_type[p] == muster_pkg::MsgReduction);
        malformed_o[p] = msg_i[p] && !formed[p];
      end
    end
  end

  logic [Ports-1:0][DataW-1:0] data_in;
  if (Ops == 1) begin : gen_late
    always_ff @(posedge clk_i) if (msg_i != '0) data_in <= msg_data;
  end else begin : gen_at_once
    assign data_in = msg_data;
  end

  // ---- The registers ------------------------------------------------------------------------
  logic [Regs-1:0][Ports-1:0] match, takes, request, leaves;
  logic [Regs-1:0][DataW-1:0] data;
  logic [Regs-1:0] valid, turn, claimed, sent, distributes, busy;
  logic [Ports-1:0] parent_port;
  logic [Regs-1:0][ParentW-1:0] parent;
  logic [Regs-1:0][2:0] op;
  logic [Regs-1:0][GidW-1:0] gid;
  logic [Regs-1:0][Ports-1:0] children, arrived, serve, folding;

  logic [Regs-1:0] phase, failed;  // with Retry, as epoch and age
  logic [Regs-1:0][1:0] epoch;
  logic [Regs-1:0][3:0] age;

  assign parent_port = turn_i ? '0 : Ports'(64'd1 << parent_i);

  for (genvar r = 0; r < Once; r++) begin : gen_register
    logic [Ports-1:0] msg;
    if (Labels == 1) begin : gen_named
      always_comb begin
        msg = '0;
        if (msg_i != '0) begin
          for (int unsigned p = 0; p < Ports; p++) msg[p] = formed[p] && msg_gid[p] == GidW'(r);
        end
      end
    end else begin : gen_any
      assign msg = formed;
    end
    muster_barrier_register #(
      .Ports(Ports), .GidW(GidW), .DataW(DataW), .Ops(Ops), .Labels(Labels)
    ) register (
      .clk_i, .rst_ni,
      .control_write_i(control_write_i[r]),
      .valid_i,
      .turn_i,
      .claimed_i,
      .op_i,
      .parent_i,
      .parent_port_i(parent_port),
      .gid_i,
      .children_write_i(children_write_i[r]),
      .children_i,
      .msg_i(msg),
      .msg_distribution_i(distribution),
      .msg_gid_i(msg_gid),
      .msg_data_i(data_in),
      .match_o(match[r]),
      .takes_o(takes[r]),
      .request_o(request[r]),
      .distribution_o(distributes[r]),
      .data_o(data[r]),
      .leaves_i(leaves[r]),
      .valid_o(valid[r]),
      .turn_o(turn[r]),
      .claimed_o(claimed[r]),
      .op_o(op[r]),
      .parent_o(parent[r]),
      .gid_o(gid[r]),
      .children_o(children[r]),
      .arrived_o(arrived[r]),
      .serve_o(serve[r]),
      .sent_o(sent[r]),
      .folding_o(folding[r]),
      .busy_o(busy[r])
    );
  end

  if (Retry == 1) begin : gen_retry
    muster_retry_registers #(.Ports(Ports), .Regs(Regs), .GidW(GidW), .DataW(DataW)) registers (
      .clk_i, .rst_ni,
      .control_write_i,
      .valid_i,
      .turn_i,
      .claimed_i,
      .op_i,
      .epoch_i,
      .parent_i,
      .parent_port_i(parent_port),
      .gid_i,
      .children_write_i,
      .children_i,
      .abort_i,
      .periods_write_i,
      .periods_i,
      .periods_o,
      .suspect_o,
      .msg_i(formed),
      .msg_distribution_i(distribution),
      .msg_gid_i(msg_gid),
      .msg_data_i(data_in),
      .match_o(match),
      .takes_o(takes),
      .request_o(request),
      .distribution_o(distributes),
      .data_o(data),
      .leaves_i(leaves),
      .valid_o(valid),
      .turn_o(turn),
      .claimed_o(claimed),
      .op_o(op),
      .epoch_o(epoch),
      .parent_o(parent),
      .gid_o(gid),
      .children_o(children),
      .arrived_o(arrived),
      .serve_o(serve),
      .sent_o(sent),
      .phase_o(phase),
      .failed_o(failed),
      .age_o(age),
      .folding_o(folding),
      .busy_o(busy)
    );
  end else begin : gen_no_retry
    assign periods_o = '0;
    assign suspect_o = 1'b0;
    assign {phase, failed, epoch, age} = '0;
  end

  logic [Regs-1:0][31:0] straggler;
  logic [Regs-1:0] gathers;
  for (genvar r = 0; r < Regs; r++) begin : gen_straggler
    if (Straggler == 1) begin : gen_one
      muster_straggler #(.Ports(Ports)) last (
        .clk_i, .rst_ni,
        .clear_i(control_write_i[r] || children_write_i[r]),
        .children_i(children[r]),
        .arrived_i(arrived[r]),
        .takes_i(takes[r]),
        .word_o(straggler[r]),
        .busy_o(gathers[r])
      );
    end else begin : gen_none
      assign straggler[r] = '0;
      assign gathers[r] = 1'b0;
    end
  end

  logic [Ports-1:0] taken;
  always_comb begin
    known = '0;
    taken = '0;
    for (int unsigned r = 0; r < Regs; r++) begin
      known = known | match[r];
      taken = taken | takes[r];
    end
  end
  assign unknown_o = formed & ~known;
  assign refused_o = known & ~taken;

  // ---- One register for each output, words for the host -------------------------------------
  muster_barrier_outputs #(
    .Ports(Ports), .Regs(Regs), .FlitW(FlitW), .GidW(GidW), .Labels(Labels)
  ) outputs (
    .clk_i, .rst_ni,
    .request_i(request),
    .distribution_i(distributes),
    .gid_i(gid),
    .data_i(data),
    .leaves_o(leaves),
    .labels_write_i,
    .labels_register_i(labels_register_i[RegW-1:0]),
    .labels_i,
    .send_o,
    .send_payload_o,
    .leaves_i
  );

  muster_barrier_words #(.Ports(Ports), .Regs(Regs), .GidW(GidW), .Retry(Retry)) words (
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
    .folding_i(folding),
    .epoch_i(epoch),
    .phase_i(phase),
    .failed_i(failed),
    .age_i(age),
    .straggler_i(straggler),
    .read_i,
    .read_register_i,
    .read_word_i,
    .word_o
  );
  for (genvar r = 0; r < Regs; r++) begin : gen_kept
    assign kept_o[r] = {valid[r], turn[r], claimed[r], 6'(parent[r]), gid[r], children[r]};
  end
  assign busy_o = (busy | gathers) != '0;

  // ---- Facts --------------------------------------------------------------------------------
  logic [Ports-1:0] matched_twice;
  always_comb begin
    matched_twice = '0;
    if (msg_i != '0) begin
      for (int unsigned r = 0; r < Regs; r++) begin
        for (int unsigned s = 0; s < Regs; s++) begin
          if (s < r) matched_twice = matched_twice | (match[r] & match[s]);
        end
      end
    end
  end
  logic [Regs-1:0] parent_is_child;
  always_comb begin
    parent_is_child = '0;
    if (msg_i != '0) begin
      for (int unsigned r = 0; r < Regs; r++) begin
        parent_is_child[r] = valid[r] && !turn[r] &&
                             (children[r] & (Ports'(1'b1) << parent[r])) != '0;
      end
    end
  end
  `MUSTER_ASSERT(ParentIsNoChild_A, parent_is_child == '0)
  `MUSTER_ASSERT(GroupsAreDifferent_A, matched_twice == '0)
  `MUSTER_ASSERT(TakenIsKnown_A, (taken & ~known) == '0)

endmodule

`default_nettype wire
