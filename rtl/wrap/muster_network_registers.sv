// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register ports of all switches of a network behind one AXI4-Lite port, and an image that is
// written into them first (muster_image_loader). Switch s has the window of bytes that begins at
// s << (RegAddrW + 2), with the map of docs/reference/registers.md: byte address = 4 x word. What
// is above the last window is answered with DECERR (muster_axi_lite_registers).
//
// The register ports are driven from flip-flops, and their words are ORed into one: the way through
// the switches begins and ends here. So an access that muster_axi_lite_registers would have on the
// register port in t is there in t + 1, and its response begins two cycles later than that
// module's: with the request accepted in t it is on the port of its switch in t + 2, with its
// response from t + 4 on. An access begins when the one before it is over: either kind alone is
// done every fourth cycle.
//
// Until the image is written, which ready_o says, addresses and data wait: awready_o, wready_o and
// arready_o are low. Each of its words is on the ports a cycle later than muster_image_loader has
// it.
module muster_network_registers #(
  /// switches, 1 to 256
  parameter int unsigned Blocks = 4,
  /// bits of an address of a register port, 12 to 17
  parameter int unsigned RegAddrW = 12,
  /// words of the image, 1 to 4194304
  parameter int unsigned Words = 16,
  /// entries of the routing tables, from 0x800 on, 16 to 65536. Requires
  /// Routes <= 2 ** RegAddrW - 2048
  parameter int unsigned Routes = 16,
  /// cycles after reset for which switches clear a memory of their own, 0 to 65536
  parameter int unsigned Wait = 0,
  localparam int unsigned BlockW = (Blocks > 1) ? $clog2(Blocks) : 1,
  localparam int unsigned AddrW = BlockW + RegAddrW + 2,
  localparam int unsigned AtW = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned WordW = BlockW + RegAddrW + 32
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  /// AXI4-Lite
  input  wire logic                     awvalid_i,
  input  wire logic [AddrW-1:0]         awaddr_i,
  output logic                          awready_o,
  input  wire logic                     wvalid_i,
  input  wire logic [31:0]              wdata_i,
  input  wire logic [3:0]               wstrb_i,
  output logic                          wready_o,
  output logic                          bvalid_o,
  output logic [1:0]                    bresp_o,
  input  wire logic                     bready_i,
  input  wire logic                     arvalid_i,
  input  wire logic [AddrW-1:0]         araddr_i,
  output logic                          arready_o,
  output logic                          rvalid_o,
  output logic [31:0]                   rdata_o,
  output logic [1:0]                    rresp_o,
  input  wire logic                     rready_i,

  /// the image, see muster_image_loader
  output logic [AtW-1:0]                image_at_o,
  input  wire logic [WordW-1:0]         image_word_i,
  /// it is written
  output logic                          ready_o,

  /// register ports: bit s of valid is for switch s; one that is not asked answers 0
  output logic [Blocks-1:0]             reg_valid_o,
  output logic                          reg_write_o,
  output logic [RegAddrW-1:0]           reg_addr_o,
  output logic [31:0]                   reg_wdata_o,
  input  wire logic [Blocks-1:0][31:0]  reg_rdata_i
);
  localparam int unsigned BusWords = Blocks << RegAddrW;
  // As muster_axi_lite_registers has it.
  localparam int unsigned BusAddrW = (BusWords > 131072) ? $clog2(BusWords) :
                                     (BusWords > 4096) ? muster_pkg::RegWideAddrW :
                                     muster_pkg::RegAddrW;

  logic image_write, image_done, bus_valid, bus_write;
  logic [BlockW-1:0] image_block, block;
  logic [RegAddrW-1:0] image_addr;
  logic [31:0] image_wdata, bus_wdata;
  muster_image_loader #(
    .Words(Words), .Blocks(Blocks), .RegAddrW(RegAddrW), .Routes(Routes), .Wait(Wait)
  ) image (
    .clk_i, .rst_ni,
    .at_o(image_at_o),
    .word_i(image_word_i),
    .write_o(image_write),
    .block_o(image_block),
    .addr_o(image_addr),
    .wdata_o(image_wdata),
    .done_o(image_done)
  );

  logic awready, wready, arready;
  logic [BusAddrW-1:0] bus_addr;
  logic [31:0] word, word_q;
  // Above the block it is 0.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] window;
  /* verilator lint_on UNUSEDSIGNAL */
  assign window = 32'(bus_addr);
  assign awready_o = awready && ready_o;
  assign wready_o = wready && ready_o;
  assign arready_o = arready && ready_o;
  muster_axi_lite_registers #(.AddrW(AddrW), .Words(BusWords), .Delay(2)) bus (
    .awvalid_i(awvalid_i && ready_o),
    .awready_o(awready),
    .wvalid_i(wvalid_i && ready_o),
    .wready_o(wready),
    .arvalid_i(arvalid_i && ready_o),
    .arready_o(arready),
    .reg_valid_o(bus_valid),
    .reg_write_o(bus_write),
    .reg_addr_o(bus_addr),
    .reg_wdata_o(bus_wdata),
    .reg_rdata_i(word_q),
    .*
  );

  logic [Blocks-1:0] one;
  assign block = image_done ? window[RegAddrW+:BlockW] : image_block;
  assign one = (image_done ? bus_valid : image_write) ? Blocks'(1'b1) << block : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reg_valid_o <= '0;
      ready_o <= 1'b0;
    end else begin
      reg_valid_o <= one;
      ready_o <= image_done;
    end
  end
  always_ff @(posedge clk_i) begin
    reg_write_o <= image_done ? bus_write : 1'b1;
    reg_addr_o <= image_done ? window[RegAddrW-1:0] : image_addr;
    reg_wdata_o <= image_done ? bus_wdata : image_wdata;
    word_q <= word;
  end
  always_comb begin
    word = '0;
    for (int unsigned b = 0; b < Blocks; b++) word = word | reg_rdata_i[b];
  end

  `MUSTER_ASSERT(OneSwitch_A, (reg_valid_o & (reg_valid_o - 1'b1)) == '0)
  `MUSTER_ASSERT(ImageIsFirst_A, !ready_o || !image_write)

endmodule

`default_nettype wire
