// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// One message for each output of a switch, of the barrier registers that have one for it (BTIN
// section 3.2). Any number of outputs take one in a cycle.
//
// Where several registers have a message for port p, one leaves at a time, by round robin over the
// registers, pointer 0 after reset, moving past register r when its message has left through p.
// send_o[p] offers the message of that register; it leaves in a cycle with leaves_i[p]. An offered
// message may be overtaken by one that the round robin prefers.
//
// A register asks its parent only when all its children are served, so at any time it has one
// message, whatever the ports.
module barrier_outputs #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW,
  localparam int unsigned RegW = (Regs > 1) ? $clog2(Regs) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  /// register r has a message for port p; a distribution for those of serve_i, else a reduction
  input  wire logic [Regs-1:0][Ports-1:0]  request_i,
  input  wire logic [Regs-1:0][Ports-1:0]  serve_i,
  /// group, data of reductions, data of distributions
  input  wire logic [Regs-1:0][GidW-1:0]   gid_i,
  input  wire logic [Regs-1:0][DataW-1:0]  up_data_i,
  input  wire logic [Regs-1:0][DataW-1:0]  down_data_i,
  /// the message of register r to port p leaves in this cycle
  output logic [Regs-1:0][Ports-1:0]       leaves_o,

  /// a message for port p
  output logic [Ports-1:0]                 send_o,
  output logic [Ports-1:0][FlitW-1:0]      send_payload_o,
  /// it leaves in this cycle; only where send_o[p]
  input  wire logic [Ports-1:0]            leaves_i
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("barrier_outputs: Ports must be 3 to 16");
  end
  if (Regs < 1 || Regs > 16) begin : gen_bad_regs
    $error("barrier_outputs: Regs must be 1 to 16");
  end
  if (FlitW < 16 || FlitW > 80) begin : gen_bad_flit
    $error("barrier_outputs: FlitW must be 16 to 80");
  end
  if (GidW < 4 || GidW > 12) begin : gen_bad_gid
    $error("barrier_outputs: GidW must be 4 to 12");
  end

  // Bit r * Ports + p: register r, port p; of contend and grant p * Regs + r.
  logic [Regs*Ports-1:0] request, leaves;
  logic [Ports*Regs-1:0] contend, grant;
  assign request = request_i;
  assign leaves_o = leaves;

  always_comb begin
    contend = '0;
    for (int unsigned r = 0; r < Regs; r++) begin
      if (`MUSTER_FEW(request_i[r] != '0)) begin
        for (int unsigned p = 0; p < Ports; p++) contend[p*Regs+r] = request[r*Ports+p];
      end
    end
  end

  // Whether somebody sends is known without the arbiters.
  always_comb begin
    send_o = '0;
    for (int unsigned r = 0; r < Regs; r++) begin
      send_o = send_o | request_i[r];
    end
  end

  always_comb begin
    leaves = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (leaves_i[p]) begin
        for (int unsigned r = 0; r < Regs; r++) leaves[r*Ports+p] = grant[p*Regs+r];
      end
    end
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_output
    rr_arbiter #(
      .N(Regs)
    ) select (
      .clk_i,
      .rst_ni,
      .req_i(contend[p*Regs+:Regs]),
      .take_i(leaves_i[p]),
      .grant_o(grant[p*Regs+:Regs])
    );
  end

  // Chosen by number: a multiplexer of four takes half the LUTs of series 7 that gates do.
  logic [Regs-1:0][FlitW-1:0] message;
  logic [Ports-1:0][RegW-1:0] chosen;
  always_comb begin
    message = '0;
    chosen = '0;
    send_payload_o = '0;
    if (`MUSTER_FEW(send_o != '0)) begin
      for (int unsigned r = 0; r < Regs; r++) begin
        message[r] = (serve_i[r] != '0) ? {muster_pkg::MsgDistribution, gid_i[r], down_data_i[r]}
                                        : {muster_pkg::MsgReduction, gid_i[r], up_data_i[r]};
      end
      for (int unsigned p = 0; p < Ports; p++) begin
        for (int unsigned r = 0; r < Regs; r++) begin
          if (grant[p*Regs+r]) chosen[p] = chosen[p] | RegW'(r);
        end
        send_payload_o[p] = message[chosen[p]];
      end
    end
  end

  logic [Regs-1:0] both_ways;
  for (genvar r = 0; r < Regs; r++) begin : gen_check
    assign both_ways[r] = serve_i[r] != '0 && (request_i[r] & ~serve_i[r]) != '0;
  end
  `MUSTER_ASSERT(OneMessageOfARegister_A, both_ways == '0)
  `MUSTER_ASSERT(LeavesWasOffered_A, (leaves_i & ~send_o) == '0)

endmodule

`default_nettype wire
