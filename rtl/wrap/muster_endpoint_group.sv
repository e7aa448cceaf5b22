// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A group in an endpoint: its member arrives by one store, and is released by a message.
//
// A write of word 1 arrives: it brings bits 31..0 of the data, words 4 and 5 have those above. The
// reduction message waits at send_valid_o until send_taken_i. The distribution message of the
// group, on the wires in t with release_i, ends the barrier: from t + 1 on the status says
// released and the result has its data. Nothing is done between the two but what the host does: he
// may wait at once or later, or be interrupted.
//
// An arrival is refused, refused_o, while a barrier is under way or drains, or the group has no
// member here; nothing is sent. A message is taken, taken_o, only if its group has arrived and its
// own message has gone; the instantiating module counts others. In the cycle of a release an
// arrival and a control word are refused as in the cycle before it, and `abandon` does nothing: the
// group is released.
//
// No write loses an arrival. A write of word 0 that changes member or gid begins the group anew;
// it is refused, control_refused_o, and changes nothing, while the group waits or drains, if
// another group of the endpoint is a member with this gid (in_use_i), or if the gid is not below
// 2^GidW. A write that changes neither sets irq. A host gives up an arrival by `abandon` in word 2.
// If the message of the arrival has not been taken by then, it is not sent. Otherwise its release
// may still come, and the group drains: it arrives no more until a release of the group has come,
// which is taken and reported nowhere, or the host states by `rewritten` that none is left in the
// tree. So a release never ends another barrier than its own.
module muster_endpoint_group #(
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// a write of word_i; the words are those of docs/systems/wrappers.md
  input  wire logic               write_i,
  input  wire logic [2:0]         word_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]        wdata_i,  // as many bits as the word has
  /* verilator lint_on UNUSEDSIGNAL */
  /// the word word_i, as it is
  output logic [31:0]             rdata_o,
  output logic                    refused_o,

  /// the gid in wdata_i is that of a member here; of a member in another group
  output logic                    has_gid_o,
  input  wire logic               in_use_i,
  output logic                    control_refused_o,

  /// its reduction message; an arrival that is given up takes it back
  output logic                    send_valid_o,
  input  wire logic               send_taken_i,
  output logic [GidW-1:0]         send_gid_o,
  output logic [DataW-1:0]        send_data_o,

  /// a distribution message of group release_gid_i is on the wires
  input  wire logic               release_i,
  input  wire logic [GidW-1:0]    release_gid_i,
  input  wire logic [DataW-1:0]   release_data_i,
  output logic                    taken_o,

  output logic                    waiting_o,
  output logic                    released_o,
  output logic                    irq_o
);
  // Words are numbered as in the map; a group has eight.
  localparam logic [2:0] Control = muster_pkg::EndpointRegGroupsControl[2:0];
  localparam logic [2:0] Arrive = muster_pkg::EndpointRegGroupsArrive[2:0];
  localparam logic [2:0] Status = muster_pkg::EndpointRegGroupsStatus[2:0];
  localparam logic [2:0] Result = muster_pkg::EndpointRegGroupsResult[2:0];
  localparam logic [2:0] Operand1 = muster_pkg::EndpointRegGroupsOperand1[2:0];
  localparam logic [2:0] Operand2 = muster_pkg::EndpointRegGroupsOperand2[2:0];
  localparam logic [2:0] Result1 = muster_pkg::EndpointRegGroupsResult1[2:0];
  localparam logic [2:0] Result2 = muster_pkg::EndpointRegGroupsResult2[2:0];

  localparam int unsigned WideW = 96;  // words 3, 6 and 7

  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_RANGE(DataW, 2, 74)

  logic member_q, irq_q, waiting_q, draining_q, send_q, released_q, refused_q, control_refused_q;
  logic [GidW-1:0] gid_q;
  logic [15:0] count_q;
  logic [DataW-1:0] data_q, result_q;

  logic sets_up, changes, too_wide, begins, arrives, accepted, clears, abandons, releases;
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::endpoint_groups_control_t new_control;
  muster_pkg::endpoint_groups_status_t cleared;
  /* verilator lint_on UNUSEDSIGNAL */
  assign new_control = wdata_i;
  assign cleared = wdata_i;
  assign sets_up = write_i && word_i == Control;
  assign arrives = write_i && word_i == Arrive;
  assign clears = write_i && word_i == Status;

  assign changes = {new_control.member, new_control.gid} != {member_q, 12'(gid_q)};
  assign too_wide = new_control.gid != 12'(new_control.gid[GidW-1:0]);
  assign control_refused_o = sets_up && changes &&
                             (too_wide || waiting_q || draining_q ||
                              (new_control.member && in_use_i));
  assign begins = sets_up && changes && !control_refused_o;
  assign has_gid_o = member_q && gid_q == new_control.gid[GidW-1:0];
  assign accepted = arrives && member_q && !waiting_q && !draining_q;
  assign refused_o = arrives && !accepted;
  assign taken_o = release_i && (waiting_q || draining_q) && !send_q && release_gid_i == gid_q;
  assign releases = taken_o && waiting_q;
  assign abandons = clears && cleared.abandon && waiting_q && !taken_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      member_q <= 1'b0;
      irq_q <= 1'b0;
      gid_q <= '0;
    end else if (sets_up && !control_refused_o) begin
      member_q <= new_control.member;
      irq_q <= new_control.irq;
      gid_q <= new_control.gid[GidW-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || begins) begin
      waiting_q <= 1'b0;
      draining_q <= 1'b0;
      send_q <= 1'b0;
      released_q <= 1'b0;
      refused_q <= 1'b0;
      control_refused_q <= 1'b0;
      count_q <= '0;
    end else begin
      waiting_q <= accepted || (waiting_q && !taken_o && !abandons);
      draining_q <= (abandons && (!send_q || send_taken_i)) ||
                    (draining_q && !taken_o && !(clears && cleared.rewritten));
      send_q <= accepted || (send_q && !send_taken_i && !abandons);
      released_q <= releases || (released_q && !accepted && !(clears && cleared.released));
      refused_q <= refused_o || (refused_q && !(clears && cleared.refused));
      control_refused_q <= control_refused_o ||
                           (control_refused_q && !(clears && cleared.control_refused));
      count_q <= count_q + 16'(releases);
    end
  end

  // ---- Data: bits 31..0 come with the arrival, those above before ---------------------------
  logic [WideW-1:0] result;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || begins) result_q <= '0;
    else if (releases) result_q <= release_data_i;
  end
  assign result = WideW'(result_q);

  /* verilator lint_off UNUSEDSIGNAL */
  logic [WideW-1:0] operand, written;  // as many bits as there are data
  /* verilator lint_on UNUSEDSIGNAL */
  assign operand = WideW'(data_q);
  always_comb begin
    written = operand;
    if (accepted) written[31:0] = wdata_i;
    if (write_i && word_i == Operand1) written[63:32] = wdata_i;
    if (write_i && word_i == Operand2) written[95:64] = wdata_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) data_q <= '0;
    else if (!waiting_q) data_q <= written[DataW-1:0];
  end

  // ---- Reads --------------------------------------------------------------------------------
  muster_pkg::endpoint_groups_control_t control;
  muster_pkg::endpoint_groups_status_t status;
  always_comb begin
    control = '0;
    control.member = member_q;
    control.irq = irq_q;
    control.gid = 12'(gid_q);
    status = '0;
    status.waiting = waiting_q;
    status.released = released_q;
    status.refused = refused_q;
    status.control_refused = control_refused_q;
    status.draining = draining_q;
    status.count = count_q;
  end
  always_comb begin
    rdata_o = '0;
    unique case (word_i)
      Control: rdata_o = control;
      Status: rdata_o = status;
      Result: rdata_o = result[31:0];
      Operand1: rdata_o = operand[63:32];
      Operand2: rdata_o = operand[95:64];
      Result1: rdata_o = result[63:32];
      Result2: rdata_o = result[95:64];
      default: rdata_o = '0;
    endcase
  end

  assign send_valid_o = send_q;
  assign send_gid_o = gid_q;
  assign send_data_o = data_q;
  assign waiting_o = waiting_q;
  assign released_o = released_q;
  assign irq_o = released_q && irq_q;

  `MUSTER_ASSERT(SendsWhileItWaits_A, !send_q || waiting_q)
  `MUSTER_ASSERT(WaitsOrReleased_A, !(waiting_q && released_q))
  `MUSTER_ASSERT(WaitsOrDrains_A, !(waiting_q && draining_q))
  `MUSTER_ASSERT(MembersOnly_A, !(waiting_q || draining_q) || member_q)

endmodule

`default_nettype wire
