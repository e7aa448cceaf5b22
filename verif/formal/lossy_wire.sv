// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The wires from one link end to the other, for proofs: Places frames on the way, each of them the
// one before it or an older one. A frame that is put on takes the first place and goes on when
// moves_i says so, over the one that was there, which is lost; the one in the last place comes
// whenever comes_i is set, once, many times or never. Frames keep their order and stay for any
// time. The CRC is not kept: the proof makes it.
module lossy_wire #(
  parameter int unsigned Width = 30,
  /// frames on the way at once, 1 to 3
  parameter int unsigned Places = 1,
  /// the first frame may come before the last as well
  parameter int unsigned Passing = 0
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic                          put_i,
  input  wire logic [Width-1:0]              frame_i,
  input  wire logic [Places-1:0]             moves_i,
  input  wire logic                          comes_i,
  input  wire logic                          first_i,
  output logic                               comes_o,
  output logic [Width-1:0]                   frame_o,
  /// frames on the way, the oldest first, the last one put on in this cycle
  output logic [Places:0]                    on_o,
  output logic [Places:0][Width-1:0]         frames_o
);
  logic passes;
  logic [Places-1:0] full_q;
  logic [Places-1:0][Width-1:0] frames_q;
  assign passes = first_i && (Passing != 0);
  assign comes_o = comes_i && (passes ? full_q[0] : full_q[Places-1]);
  assign frame_o = passes ? frames_q[0] : frames_q[Places-1];

  always_comb begin
    for (int unsigned p = 0; p < Places; p++) begin
      on_o[p] = full_q[Places-1-p];
      frames_o[p] = frames_q[Places-1-p];
    end
    on_o[Places] = put_i;
    frames_o[Places] = frame_i;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 1; p < Places; p++) begin
      if (moves_i[p]) begin
        full_q[p] <= full_q[p-1];
        frames_q[p] <= frames_q[p-1];
      end
    end
    if (put_i && moves_i[0]) begin
      full_q[0] <= 1'b1;
      frames_q[0] <= frame_i;
    end
    if (!rst_ni) full_q <= '0;
  end

endmodule

`default_nettype wire
