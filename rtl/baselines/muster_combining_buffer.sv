// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Queue of Depth packets behind one output of a combining box, and which of its requests are
// surplus. docs/systems/esc-references.md is the specification; the packet is that of
// docs/systems/esc.md.
//
// A request of an input is, if it agrees with a packet that is queued behind the oldest, that of a
// joiner, which is never surplus; else, if it agrees with a request before it in the scan order,
// that of a follower, which is surplus if the first of these is; else it needs a place, and is
// surplus if there is room for no more packets than such requests come before it. All requests that
// agree are taken or none is, so they enter as one packet: sum_i, the same for all of them.
//
// At an edge sums are added to the packets that they agree with, then those that need a place are
// appended in the scan order, then with pop_i the oldest leaves. The queue is a shift register, as
// every entry is compared with every input.
//
// Example, Size 4: synchronization packets for PE 9 at inputs 0 and 3 ask for an empty queue. One
// packet is in it in the next cycle, with the messages of both; a third one cannot join it then, as
// it is the oldest, and is appended.
module muster_combining_buffer #(
  /// inputs of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// packets it holds, 1 to 64
  parameter int unsigned Depth = 4,
  localparam int unsigned PacketW = 64
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  /// after_i[j][i]: input i comes after input j in the scan order
  input  wire logic [Size-1:0][Size-1:0]       after_i,
  input  wire logic [Size-1:0]                 requests_i,
  input  wire logic [Size-1:0][PacketW-1:0]    packet_i,
  /// agree_i[j][i]: the packets of inputs i and j, another one, are offered and agree
  input  wire logic [Size-1:0][Size-1:0]       agree_i,
  /// packet_i[i] merged with all that agree with it
  input  wire logic [Size-1:0][PacketW-1:0]    sum_i,
  /// blocked here; undefined without a request
  output logic [Size-1:0]                      surplus_o,
  /// two requests or more
  output logic                                 contended_o,
  /// the box takes the packet of input i; depends on surplus_o
  input  wire logic [Size-1:0]                 taken_i,

  /// the packet at packet_o leaves at this edge; only while valid_o is set
  input  wire logic                            pop_i,
  output logic                                 valid_o,
  output logic [PacketW-1:0]                   packet_o
);
  localparam int unsigned CountW = $clog2(Depth + Size + 1);
  localparam logic [1:0] KindSynchronization = 2'd2;

  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("muster_combining_buffer: Size must be 2, 4 or 8");
  end
  if (Depth < 1 || Depth > 64) begin : gen_bad_depth
    $error("muster_combining_buffer: Depth must be 1 to 64");
  end

  // A synchronization packet with what another one brings: cycles and numbers of messages less 1.
  function automatic logic [PacketW-1:0] merged(input logic [PacketW-1:0] a,
                                                input logic [43:0] b);
    merged = {a[63:62], a[61:34] + b[43:16], a[33:18] + b[15:0] + 16'd1, a[17:0]};
  endfunction

  logic [Depth-1:0][PacketW-1:0] entry_q;
  logic [CountW-1:0] fill_q;

  // ---- Effect of a request ------------------------------------------------------------------
  // joins[k * Size + i]: input i agrees with entry k behind the oldest.
  logic [Depth*Size-1:0] joins;
  logic [Size-1:0] joiner, follower, needs_place, full;

  for (genvar k = 0; k < Depth; k++) begin : gen_entry
    logic open;
    assign open = (k != 0) && (32'(fill_q) > k) && (entry_q[k][63:62] == KindSynchronization);
    for (genvar i = 0; i < Size; i++) begin : gen_input
      assign joins[k*Size+i] = open && requests_i[i] &&
                               (packet_i[i][63:62] == KindSynchronization) &&
                               (packet_i[i][17:0] == entry_q[k][17:0]);
    end
  end

  always_comb begin
    joiner = '0;
    follower = '0;
    for (int unsigned k = 0; k < Depth; k++) joiner = joiner | joins[k*Size+:Size];
    for (int unsigned j = 0; j < Size; j++) begin
      if (requests_i[j]) follower = follower | (agree_i[j] & after_i[j]);
    end
    follower = follower & requests_i & ~joiner;
    needs_place = requests_i & ~joiner & ~follower;
  end

  // Requests that need a place, before each input; of those taken, before each.
  logic [Size*CountW-1:0] places_before, taken_before;
  logic [Size*Size-1:0] after;  // j * Size + i: input i comes after input j
  assign after = after_i;
  always_comb begin
    for (int unsigned i = 0; i < Size; i++) begin
      places_before[i*CountW+:CountW] = '0;
      taken_before[i*CountW+:CountW] = '0;
      for (int unsigned j = 0; j < Size; j++) begin
        places_before[i*CountW+:CountW] = places_before[i*CountW+:CountW] +
                                          CountW'(needs_place[j] && after[j*Size+i]);
        taken_before[i*CountW+:CountW] = taken_before[i*CountW+:CountW] +
                                         CountW'(needs_place[j] && taken_i[j] && after[j*Size+i]);
      end
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < Size; i++) begin
      full[i] = needs_place[i] && (32'(fill_q) + 32'(places_before[i*CountW+:CountW]) >= Depth);
    end
  end
  always_comb begin
    surplus_o = full;
    for (int unsigned j = 0; j < Size; j++) begin
      if (full[j]) surplus_o = surplus_o | (agree_i[j] & follower);
    end
  end

  always_comb begin
    contended_o = 1'b0;
    for (int unsigned i = 1; i < Size; i++) begin
      if (requests_i[i] && ((requests_i & ((Size'(1'b1) << i) - 1'b1)) != '0)) contended_o = 1'b1;
    end
  end

  // ---- Entries ------------------------------------------------------------------------------
  logic [Size-1:0] append;
  assign append = needs_place & taken_i;

  logic [Size-1:0][43:0] brings;  // what an input's packet adds
  for (genvar i = 0; i < Size; i++) begin : gen_brings
    assign brings[i] = sum_i[i][61:18];
  end

  logic [Depth:0][PacketW-1:0] entry_next;
  always_comb begin
    entry_next = {PacketW'(0), entry_q};
    for (int unsigned k = 0; k < Depth; k++) begin
      for (int unsigned i = 0; i < Size; i++) begin
        if (joins[k*Size+i]) entry_next[k] = merged(entry_q[k], brings[i]);
        if (append[i] && (32'(fill_q) + 32'(taken_before[i*CountW+:CountW]) == k)) begin
          entry_next[k] = sum_i[i];
        end
      end
    end
  end

  logic [CountW-1:0] entering;
  always_comb begin
    entering = '0;
    for (int unsigned i = 0; i < Size; i++) entering = entering + CountW'(append[i]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fill_q <= '0;
    else fill_q <= fill_q + entering - CountW'(pop_i);
  end
  always_ff @(posedge clk_i) begin
    if (taken_i != '0 || pop_i) entry_q <= pop_i ? entry_next[Depth:1] : entry_next[Depth-1:0];
  end

  assign packet_o = entry_q[0];
  assign valid_o = fill_q != '0;

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSERT(TakenWereRequests_A, (taken_i & ~(requests_i & ~surplus_o)) == '0)
  `MUSTER_ASSERT(JoinersAreTaken_A, (joiner & ~taken_i) == '0)
  `MUSTER_ASSERT(EnterWithRoom_A, 32'(fill_q) + 32'(entering) <= Depth)
  `MUSTER_ASSERT(PopHasPacket_A, !pop_i || valid_o)

endmodule

`default_nettype wire
