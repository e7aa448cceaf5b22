// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A member of a barrier whose messages may be lost, for proofs: docs/systems/retry-registers.md,
// "A member". It arrives, sends and aborts when its inputs say so and it may; what it sends, it may
// send in any cycle, as often as it likes. Messages are {phase, fail, data}.
module retry_member #(
  parameter int unsigned DataW = 2
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              arrive_i,
  input  wire logic [DataW-1:0]  data_i,
  input  wire logic              abort_i,
  /// a message from its switch
  input  wire logic              comes_i,
  input  wire logic [DataW+1:0]  message_i,
  /// it has one for its switch
  output logic                   says_o,
  output logic [DataW+1:0]       message_o,
  /// it arrives, and is released, in this cycle
  output logic                   arrives_o,
  output logic                   released_o,
  output logic                   phase_o,
  output logic                   waits_o,
  output logic                   failed_o
);
  logic phase_q, waits_q, failed_q, of_this, comes_fail;
  logic [DataW-1:0] data_q;
  assign {of_this, comes_fail} = {message_i[DataW+1] == phase_q, message_i[DataW]};
  assign arrives_o = arrive_i && !waits_q && !failed_q;
  assign released_o = comes_i && of_this && !comes_fail && waits_q && !failed_q;
  assign says_o = waits_q || failed_q;
  assign message_o = {phase_q, failed_q, failed_q ? '0 : data_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q <= 1'b0;
      waits_q <= 1'b0;
      failed_q <= 1'b0;
    end else begin
      phase_q <= phase_q ^ released_o;
      waits_q <= (waits_q || arrives_o) && !released_o;
      failed_q <= failed_q || (comes_i && of_this && comes_fail) ||
                  (abort_i && !waits_q && !arrives_o);
    end
    if (arrives_o) data_q <= data_i;
  end

  assign phase_o = phase_q;
  assign waits_o = waits_q;
  assign failed_o = failed_q;

endmodule

`default_nettype wire
