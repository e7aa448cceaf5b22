// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_nic_timers against timers that count, each for itself, the cycles between their visits,
// which double with each of the first six tries: due if they are not below base times 2^tries. For
// any base, retries and user.
//
//   - visits are in turn while a timer runs, and none is due but the one that is visited
//   - when a timer is visited that has run since its restart, or since it was due, its time is not
//     more than the cycles since, and less than a round behind them
module nic_timers_proof #(
  parameter int unsigned Timers = 2,
  parameter int unsigned BaseW = 24,
  localparam int unsigned Round = (Timers > 4) ? 8 : (Timers > 2) ? 4 : 2
) (
  input  wire logic               clk_i,
  input  wire logic [BaseW-1:0]   base_i,
  input  wire logic [3:0]         retries_i,
  input  wire logic [Timers-1:0]  run_i,
  input  wire logic [Timers-1:0]  restart_i
);
  `MUSTER_FORMAL_RESET

  logic [Timers-1:0] at, due;
  logic spent;
  muster_nic_timers #(.Timers(Timers), .BaseW(BaseW)) dut (
    .clk_i, .rst_ni,
    .at_o(at),
    .base_i,
    .retries_i,
    .run_i,
    .restart_i,
    .due_o(due),
    .spent_o(spent)
  );

  localparam int unsigned TimeW = BaseW + 7;
  logic [Timers-1:0] wrong_due, wrong_spent, early, late, steady_q, visited, before_q, moved_q;
  logic [Timers-1:0] twice;
  logic began_q;
  assign visited = at & run_i;
  for (genvar i = 0; i < Timers; i++) begin : gen_timer
    logic [TimeW-1:0] time_q, cycles_q;
    logic [3:0] tries_q;
    logic over;
    assign over = time_q >= TimeW'(base_i) << ((tries_q > 4'd6) ? 3'd6 : tries_q[2:0]);
    assign wrong_due[i] = due[i] != (visited[i] && over);
    assign wrong_spent[i] = visited[i] && spent != (tries_q >= retries_i);
    assign early[i] = steady_q[i] && visited[i] && time_q > cycles_q;
    assign late[i] = steady_q[i] && visited[i] && cycles_q >= time_q + TimeW'(Round);
    assign twice[i] = due[i] && tries_q == 4'd2 && base_i == BaseW'(3);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || restart_i[i]) begin
        time_q <= '0;
        tries_q <= '0;
        cycles_q <= '0;
        steady_q[i] <= 1'b1;
      end else begin
        if (due[i]) begin
          time_q <= '0;
          cycles_q <= '0;
          tries_q <= tries_q + 1'b1;
        end else begin
          if (visited[i]) time_q <= time_q + TimeW'(Round);
          cycles_q <= cycles_q + 1'b1;
        end
        if (due[i]) steady_q[i] <= 1'b1;
        else if (!run_i[i]) steady_q[i] <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    began_q <= rst_ni;
    before_q <= at;
    moved_q <= {Timers{run_i != '0}};
  end

  `MUSTER_ASSERT(DueAtLimit_A, wrong_due == '0)
  `MUSTER_ASSERT(SpentAtRetries_A, wrong_spent == '0)
  `MUSTER_ASSERT(NotEarly_A, early == '0)
  `MUSTER_ASSERT(NotLate_A, late == '0)
  `MUSTER_ASSERT(StaysOrMoves_A, !began_q || moved_q != '0 || at == before_q)

  `MUSTER_COVER(DueTwice_C, twice != '0)
  `MUSTER_COVER(Spent_C, due != '0 && spent && retries_i == 4'd9)

endmodule

`default_nettype wire
