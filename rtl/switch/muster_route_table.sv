// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The routing table of a switch: for each destination one output, the switch itself, or no route.
//
// Write: the host gives a mask of legal next ports and, above it, the bit `self`. The table keeps
// the choice: the lowest port of the mask; with an empty mask `self`, or no route. It is kept as a
// number, so any content of an entry, written or not, is one output at most. With Masks, for
// switches whose messages choose among legal ports, it keeps the mask; a reader that follows it
// takes one bit of it.
//
// Read: read_i[r] in cycle t, with the whole address that the flit has. The answer is at entry_o[r]
// from t + 1 on, until the next read of that reader: the output one-hot (with Masks the mask), or
// bit Ports for `self`, or 0 without a route. An address of at least Dests has no route, whatever
// its bits are; nor has a read with none_i[r]. The register is the one inside a block RAM, and the
// tool makes the copies of the memory that so many readers need.
//
// With Parity an entry has one bit more, the parity of the others. An entry that is read with a
// wrong one is no route, and wrong_o is set in the cycle after the read.
//
// The memory has no reset. In the Dests cycles after reset, sweeping_o, it is swept: every entry
// becomes no route, one a cycle. During the sweep writes are ignored, and reads have no route.
module muster_route_table #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// number of read ports, 1 to 129
  parameter int unsigned Readers = 16,
  /// entries, 16 to 65536
  parameter int unsigned Dests = 2048,
  /// bits of an address in a flit, 11 to 16. Requires AddressW >= $clog2(Dests)
  parameter int unsigned AddressW = 11,
  /// entries are masks, without the bit `self`; 0 to 1
  parameter int unsigned Masks = 0,
  /// entries have a parity bit; 0 to 1
  parameter int unsigned Parity = 0,
  localparam int unsigned EntryW = Ports + 1,
  localparam int unsigned AddrW = $clog2(Dests)
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  /// writes happen below Dests
  input  wire logic                             write_i,
  input  wire logic [AddrW-1:0]                 waddr_i,
  // With Masks nothing is for the switch itself.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [EntryW-1:0]                wentry_i,
  /* verilator lint_on UNUSEDSIGNAL */

  input  wire logic [Readers-1:0]               read_i,
  input  wire logic [Readers-1:0]               none_i,
  input  wire logic [Readers-1:0][AddressW-1:0] raddr_i,
  output logic [Readers-1:0][EntryW-1:0]        entry_o,
  /// an entry that was read in the cycle before has a wrong parity bit
  output logic                                  wrong_o,

  output logic                                  sweeping_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Readers, 1, 129)
  `MUSTER_RANGE(Dests, 16, 65536)
  `MUSTER_REFUSE(address, AddressW < 11 || AddressW > 16 || AddressW < AddrW,
                 "AddressW must be 11 to 16, and 2 to its power at least Dests")

  `MUSTER_RANGE(Masks, 0, 1)
  `MUSTER_RANGE(Parity, 0, 1)

  // ---- The choice, as a number: 0 for no route, p + 1 for port p, Self ------------------------
  localparam int unsigned CodeW = (Masks == 1) ? Ports : $clog2(Ports + 2);
  localparam logic [CodeW-1:0] Self = CodeW'(Ports + 1);
  logic [CodeW-1:0] wcode;
  if (Masks == 1) begin : gen_mask
    assign wcode = wentry_i[Ports-1:0];
  end else begin : gen_number
    always_comb begin
      wcode = wentry_i[Ports] ? Self : '0;
      for (int unsigned k = 0; k < Ports; k++) begin
        if (wentry_i[Ports-1-k]) wcode = CodeW'(Ports - k);
      end
    end
  end

  // ---- Sweep ----------------------------------------------------------------------------------
  localparam logic [AddrW-1:0] Last = AddrW'(Dests - 1);
  localparam int unsigned KeptW = CodeW + Parity;
  logic sweeping_q, write;
  logic [AddrW-1:0] next_q, waddr;  // next_q: the entry that is swept
  logic [KeptW-1:0] code;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweeping_q <= 1'b1;
      next_q <= '0;
    end else if (sweeping_q) begin
      sweeping_q <= next_q != Last;
      next_q <= next_q + 1'b1;
    end
  end
  assign sweeping_o = sweeping_q;
  assign write = sweeping_q || write_i;
  assign waddr = sweeping_q ? next_q : waddr_i;
  assign code = sweeping_q ? '0 : KeptW'({^wcode, wcode});

  // ---- Memory ---------------------------------------------------------------------------------
  // A block RAM has one port for reads: the tool makes a copy of the memory for each reader. Yosys
  // takes time and memory exponential in the read ports to find places for them, minutes for 12, so
  // no memory has more than eight. The number of block RAMs is the same.
  localparam int unsigned ReadersPerCopy = 8;
  localparam int unsigned Copies = (Readers + ReadersPerCopy - 1) / ReadersPerCopy;
  logic [Readers-1:0][CodeW-1:0] read;
  logic [Readers-1:0] wrong;

  for (genvar c = 0; c < Copies; c++) begin : gen_copy
    localparam int unsigned First = c * ReadersPerCopy;
    localparam int unsigned Here =
        (Readers - First < ReadersPerCopy) ? Readers - First : ReadersPerCopy;
    (* ram_style = "block" *) logic [KeptW-1:0] mem [Dests];

    always_ff @(posedge clk_i) begin
      if (write) mem[waddr] <= code;
    end

    for (genvar k = 0; k < Here; k++) begin : gen_reader
      localparam int unsigned R = First + k;
      logic [KeptW-1:0] code_q;
      always_ff @(posedge clk_i) begin
        if (read_i[R]) code_q <= mem[raddr_i[R][AddrW-1:0]];
      end
      assign read[R] = code_q[CodeW-1:0];
      assign wrong[R] = Parity == 1 && ^code_q;
    end
  end

  // ---- What is read ---------------------------------------------------------------------------
  logic [Readers-1:0] outside, none_q, none;  // none_q: what was read last is no route
  assign none = none_q | wrong;
  assign wrong_o = (wrong & ~none_q) != '0;  // for a cycle
  for (genvar r = 0; r < Readers; r++) begin : gen_entry
    if ((1 << AddressW) == Dests) begin : gen_whole
      assign outside[r] = 1'b0;
    end else begin : gen_part
      assign outside[r] = raddr_i[r] >= AddressW'(Dests);
    end
    if (Masks == 1) begin : gen_masked
      assign entry_o[r] = none[r] ? '0 : EntryW'(read[r]);
    end else begin : gen_one
      for (genvar p = 0; p <= Ports; p++) begin : gen_output
        assign entry_o[r][p] = !none[r] && read[r] == CodeW'(p + 1);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) none_q <= '1;
    else none_q <= (none & ~read_i) | (read_i & (none_i | outside | {Readers{sweeping_q}}));
  end

  `MUSTER_ASSERT(WriteInTable_A, !write_i || 32'(waddr_i) < Dests)

endmodule

`default_nettype wire
