// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register port of a NIC (docs/systems/nic-engine.md, Registers): address, times and counters,
// and what a write means for contexts and connections.
//
// A write on the port in t shows in t as one of control_o, doorbell_o, entry_o, connection_o,
// send_o, with the word on the port, and its effect is at the edge; a read is answered in the same
// cycle. Addresses and bits without a meaning read 0.
//
// Example, Contexts 2: a write to 0x045 sets doorbell_o to 10 for this cycle, one to 0x049 does
// nothing.
module muster_nic_registers #(
  /// contexts, 1 to 8
  parameter int unsigned Contexts = 4,
  /// entries of a context, 2 to 32
  parameter int unsigned Steps = 16,
  /// connections, 1 to 32
  parameter int unsigned Conns = 16,
  /// send packets, 1 to 8; the host reads it
  parameter int unsigned Records = 4,
  /// bits of sequence numbers, 2 to 8; the host reads it
  parameter int unsigned SeqW = 8,
  /// virtual channels, 1 to 4; the host reads it
  parameter int unsigned Vcs = 1,
  /// places in each queue of the switch, 1 to 16; the host reads it
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 80; the host reads it
  parameter int unsigned FlitW = 16,
  /// 0 to 1: 1 for an event unit; the host reads it
  parameter int unsigned Chained = 0
) (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  input  wire logic                                 reg_valid_i,
  input  wire logic                                 reg_write_i,
  input  wire logic [muster_pkg::RegAddrW-1:0]      reg_addr_i,
  input  wire logic [muster_pkg::RegDataW-1:0]      reg_wdata_i,
  output logic [muster_pkg::RegDataW-1:0]           reg_rdata_o,

  output logic [1:0]                                channel_o,
  output logic [muster_pkg::DestW-1:0]              self_o,
  /// {gap of NACKs, retries, timeout}; the timeout is not 0
  output logic [31:0]                               times_o,
  output logic                                      timed_o,
  output logic [23:0]                               quiet_time_o,

  /// writes of this cycle, for context c or connection k
  output logic [Contexts-1:0]                       control_o,
  output logic [Contexts-1:0]                       doorbell_o,
  output logic [Contexts-1:0]                       entry_o,
  output logic [Conns-1:0]                          connection_o,
  output logic                                      send_o,

  /// what is read of the context and of the connection that the lower bits of the address name
  input  wire logic [31:0]                          control_i,
  input  wire logic [31:0]                          received_i,
  input  wire logic [31:0]                          sent_i,
  input  wire logic [31:0]                          connection_i,

  /// dropped in this cycle, each is counted: malformed, unknown, stale, limited
  input  wire logic [3:0]                           drop_i,
  /// counted once, whatever is refused in this cycle
  input  wire logic                                 refused_i
);
  `MUSTER_RANGE(Contexts, 1, 8)
  `MUSTER_RANGE(Steps, 2, 32)
  `MUSTER_RANGE(Conns, 1, 32)
  `MUSTER_RANGE(Records, 1, 8)
  `MUSTER_RANGE(SeqW, 2, 8)
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Depth, 1, 16)
  `MUSTER_RANGE(FlitW, 16, 80)
  `MUSTER_RANGE(Chained, 0, 1)

  logic write, read;
  assign write = reg_valid_i && reg_write_i;
  assign read = reg_valid_i && !reg_write_i;

  // ---- Places: 0x040 + 4c + field, 0x080 + k, 0x400 + 32c + s ---------------------------------
  logic [Contexts-1:0] context_at, list_at;
  logic [Conns-1:0] connection_at;
  logic is_connection;
  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    localparam logic [9:0] Context = 10'(c);
    localparam logic [6:0] List = 7'(c);
    assign context_at[c] = reg_addr_i[11:2] == muster_pkg::NicRegContexts[11:2] + Context;
    assign list_at[c] = (reg_addr_i[11:5] == muster_pkg::NicRegLists[11:5] + List) &&
                        (32'(reg_addr_i[4:0]) < Steps);
  end
  assign is_connection = (reg_addr_i[11:5] == muster_pkg::NicRegConnections[11:5]) &&
                         (32'(reg_addr_i[4:0]) < Conns);
  assign connection_at = is_connection ? Conns'(1'b1) << reg_addr_i[4:0] : '0;
  logic control, doorbell;
  assign control = write && (reg_addr_i[1:0] == muster_pkg::NicRegContextsControl[1:0]);
  assign doorbell = write && (reg_addr_i[1:0] == muster_pkg::NicRegContextsDoorbell[1:0]);
  assign control_o = control ? context_at : '0;
  assign doorbell_o = doorbell ? context_at : '0;
  assign entry_o = write ? list_at : '0;
  assign connection_o = write ? connection_at : '0;
  assign send_o = write && (reg_addr_i == muster_pkg::NicRegSend);

  // ---- State --------------------------------------------------------------------------------
  logic [1:0] channel_q;
  logic [muster_pkg::DestW-1:0] self_q;
  logic [31:0] times_q;
  logic timed_q;
  logic [23:0] quiet_q;
  logic [4:0][7:0] count_q;  // the four kinds of drops, refused
  logic [4:0] counts;
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_address_t new_address;
  /* verilator lint_on UNUSEDSIGNAL */
  assign new_address = reg_wdata_i;
  assign counts = {refused_i, drop_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      channel_q <= '0;
      self_q <= '0;
      times_q <= '0;
      timed_q <= 1'b0;
      quiet_q <= '0;
    end else if (write) begin
      if (reg_addr_i == muster_pkg::NicRegAddress) begin
        channel_q <= new_address.channel;
        self_q <= new_address.node;
      end
      if (reg_addr_i == muster_pkg::NicRegTimes) begin
        times_q <= reg_wdata_i;
        timed_q <= reg_wdata_i[15:0] != '0;
      end
      if (reg_addr_i == muster_pkg::NicRegQuiet) quiet_q <= reg_wdata_i[23:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
    end else begin
      for (int unsigned i = 0; i < 5; i++) begin
        if (counts[i] && count_q[i] != '1) count_q[i] <= count_q[i] + 1'b1;
      end
    end
  end

  assign channel_o = channel_q;
  assign self_o = self_q;
  assign times_o = times_q;
  assign timed_o = timed_q;
  assign quiet_time_o = quiet_q;

  // ---- Reading ------------------------------------------------------------------------------
  logic [31:0] of_context, of_place;
  always_comb begin
    unique case (reg_addr_i[1:0])
      muster_pkg::NicRegContextsControl[1:0]: of_context = control_i;
      muster_pkg::NicRegContextsReceived[1:0]: of_context = received_i;
      muster_pkg::NicRegContextsSent[1:0]: of_context = sent_i;
      default: of_context = '0;
    endcase
    of_place = '0;
    if (context_at != '0) of_place = of_context;
    if (is_connection) of_place = connection_i;
  end
  muster_pkg::identity_t identity;
  muster_pkg::nic_sizes_t sizes;
  muster_pkg::nic_widths_t widths;
  muster_pkg::nic_address_t address;
  muster_pkg::nic_drops_t drops;
  always_comb begin
    identity.magic = muster_pkg::NicRegIdentityMagic;
    identity.kind = muster_pkg::KindNicEngine;
    identity.version = muster_pkg::NicRegIdentityVersion;
    sizes.chained = 1'(Chained);
    sizes.spare_28 = '0;
    sizes.contexts = 4'(Contexts);
    sizes.steps = 8'(Steps);
    sizes.conns = 8'(Conns);
    sizes.records = 8'(Records);
    widths.vcs = 8'(Vcs);
    widths.depth = 8'(Depth);
    widths.seq_w = 8'(SeqW);
    widths.flit_w = 8'(FlitW);
    address = '0;
    address.channel = channel_q;
    address.node = self_q;
    {drops.limited, drops.stale, drops.unknown, drops.malformed} = count_q[3:0];
  end
  always_comb begin
    reg_rdata_o = '0;
    if (read) begin
      unique case (reg_addr_i)
        muster_pkg::NicRegIdentity: reg_rdata_o = identity;
        muster_pkg::NicRegSizes: reg_rdata_o = sizes;
        muster_pkg::NicRegWidths: reg_rdata_o = widths;
        muster_pkg::NicRegAddress: reg_rdata_o = address;
        muster_pkg::NicRegTimes: reg_rdata_o = times_q;
        muster_pkg::NicRegQuiet: reg_rdata_o = {8'd0, quiet_q};
        muster_pkg::NicRegDrops: reg_rdata_o = drops;
        muster_pkg::NicRegRefused: reg_rdata_o = {24'd0, count_q[4]};
        default: reg_rdata_o = of_place;
      endcase
    end
  end

  logic [2*Contexts+Conns-1:0] places;
  assign places = {context_at, list_at, connection_at};
  `MUSTER_ASSERT(OnePlace_A, (places & (places - 1'b1)) == '0)
  `MUSTER_ASSERT(ChannelExists_A, 32'(channel_q) < Vcs)

endmodule

`default_nettype wire
