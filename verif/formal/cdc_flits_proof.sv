// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The queue and the credits of muster_link_cdc while the link is up, between cdc_sender and
// cdc_receiver: no flit is lost, duplicated or reordered, the queue does not overflow, no credit is
// gained, for any clocks. Without muster_cdc_session, whose facts are in cdc_session_proof, and
// without resets after the first. Steps and synchronizers are those of cdc_session_proof.
module cdc_flits_proof #(
  parameter int unsigned Depth = 2,
  parameter int unsigned Slots = 4
) (
  input  wire logic  a_clk_i,
  input  wire logic  b_clk_i,
  input  wire logic  send_i,
  input  wire logic  take_i
);
  localparam int unsigned NumberW = 3;
  localparam int unsigned AddrW = $clog2(Slots);
  localparam int unsigned CountW = $clog2(Depth + 1);

  logic a_rst_n = 1'b0, b_rst_n = 1'b0, a_edge = 1'b0, b_edge = 1'b0;
  always_ff @(posedge a_clk_i) begin
    a_edge <= 1'b1;
    a_rst_n <= a_edge && b_edge;
  end
  always_ff @(posedge b_clk_i) begin
    b_edge <= 1'b1;
    b_rst_n <= a_edge && b_edge;
  end

  logic a_valid, a_credit, overflow, b_valid, b_credit, write, read, up;
  logic [NumberW-1:0] a_number, b_number;
  logic [AddrW-1:0] write_addr, read_addr;
  logic [AddrW:0] a_write, b_write, a_read, b_read;
  logic [CountW-1:0] a_count, b_count;
  assign up = a_rst_n && b_rst_n;

  cdc_sender #(.Depth(Depth)) sender (
    .clk_i(a_clk_i), .rst_ni(a_rst_n), .send_i, .up_i(up), .overflow_i(overflow),
    .credit_i(a_credit), .valid_o(a_valid), .number_o(a_number)
  );
  muster_cdc_flits_in #(.Slots(Slots)) flits_in (
    .clk_i(a_clk_i), .rst_ni(a_rst_n), .up_i(up), .broken_i(1'b0), .valid_i(a_valid),
    .write_o(write), .addr_o(write_addr), .pointer_o(a_write), .read_pointer_i(a_read),
    .overflow_o(overflow)
  );
  muster_cdc_memory #(.Width(NumberW), .Slots(Slots)) memory (
    .write_clk_i(a_clk_i), .write_i(write), .write_addr_i(write_addr), .word_i(a_number),
    .read_clk_i(b_clk_i), .read_i(read), .read_addr_i(read_addr), .word_o(b_number)
  );
  muster_cdc_sync #(.Width(AddrW + 1), .Stages(2)) a_pointer (
    .clk_i(a_clk_i), .rst_ni(a_rst_n), .bits_i(b_read), .bits_o(a_read)
  );
  muster_cdc_sync #(.Width(AddrW + 1), .Stages(2)) b_pointer (
    .clk_i(b_clk_i), .rst_ni(b_rst_n), .bits_i(a_write), .bits_o(b_write)
  );
  muster_cdc_flits_out #(.Slots(Slots)) flits_out (
    .clk_i(b_clk_i), .rst_ni(b_rst_n), .up_i(up), .read_o(read), .addr_o(read_addr),
    .valid_o(b_valid), .pointer_o(b_read), .write_pointer_i(b_write)
  );
  muster_cdc_credits_in #(.Depth(Depth)) credits_in (
    .clk_i(b_clk_i), .rst_ni(b_rst_n), .credit_i(b_credit), .count_o(b_count)
  );
  muster_cdc_sync #(.Width(CountW), .Stages(2)) a_counts (
    .clk_i(a_clk_i), .rst_ni(a_rst_n), .bits_i(b_count), .bits_o(a_count)
  );
  muster_cdc_credits_out #(.Depth(Depth)) credits_out (
    .clk_i(a_clk_i), .rst_ni(a_rst_n), .up_i(up), .count_i(a_count), .credit_o(a_credit)
  );
  cdc_receiver #(.Depth(Depth)) receiver (
    .clk_i(b_clk_i), .rst_ni(b_rst_n), .take_i, .valid_i(b_valid),
    .number_i(b_number), .credit_o(b_credit)
  );

endmodule

`default_nettype wire
