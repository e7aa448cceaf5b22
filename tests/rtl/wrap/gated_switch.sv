// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Two switches with the same inputs, the second behind a clock gate, and the clock edges of the
// second. Outputs of both side by side: valid, channel, kind, payload, credit, quiescent, the word.
module gated_switch #(
  parameter int unsigned Ports = 3,
  localparam int unsigned FlitW = 16,
  localparam int unsigned OutW = Ports * (1 + 1 + 3 + FlitW + 2) + 1 + 32
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic [Ports-1:0]            rx_valid_i,
  input  wire logic [Ports-1:0]            rx_vc_i,
  input  wire logic [Ports-1:0][2:0]       rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0] rx_payload_i,
  input  wire logic [Ports-1:0][1:0]       tx_credit_i,
  input  wire logic                        reg_valid_i,
  input  wire logic                        reg_write_i,
  input  wire logic [11:0]                 reg_addr_i,
  input  wire logic [31:0]                 reg_wdata_i,
  output logic [1:0][OutW-1:0]             out_o,
  output logic                             rests_o,
  output logic [15:0]                      edges_o
);
  logic [1:0] clk, quiescent;
  assign clk[0] = clk_i;
  assign rests_o = quiescent[1];

  muster_clock_gate #(.Inputs(3 * Ports + 1)) gate (
    .clk_i, .rst_ni,
    .quiescent_i(quiescent[1]),
    .wake_i({rx_valid_i, tx_credit_i, reg_valid_i}),
    .clk_o(clk[1])
  );

  for (genvar s = 0; s < 2; s++) begin : gen_switch
    logic [Ports-1:0] valid, vc;
    logic [Ports-1:0][2:0] kind;
    logic [Ports-1:0][FlitW-1:0] payload;
    logic [Ports-1:0][1:0] credit;
    logic [31:0] word;

    muster_barrier_switch #(.Ports(Ports), .Dests(16)) dut (
      .clk_i(clk[s]),
      .rx_credit_o(credit),
      .tx_valid_o(valid),
      .tx_vc_o(vc),
      .tx_kind_o(kind),
      .tx_payload_o(payload),
      .reg_rdata_o(word),
      .irq_o(),
      .quiescent_o(quiescent[s]),
      .*
    );
    // The other wires of a port have a meaning with valid alone.
    logic [Ports-1:0] sent_vc;
    logic [Ports-1:0][2:0] sent_kind;
    logic [Ports-1:0][FlitW-1:0] sent_payload;
    for (genvar p = 0; p < Ports; p++) begin : gen_sent
      assign {sent_vc[p], sent_kind[p], sent_payload[p]} =
          {vc[p], kind[p], payload[p]} & {FlitW + 4{valid[p]}};
    end
    assign out_o[s] = {word, quiescent[s], credit, sent_payload, sent_kind, sent_vc, valid};
  end

  always_ff @(posedge clk[1]) begin
    if (!rst_ni) edges_o <= '0;
    else edges_o <= edges_o + 1'b1;
  end

endmodule

`default_nettype wire
