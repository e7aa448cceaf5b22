// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register port of a link end (docs/systems/retry-link.md, Registers): its identity, its state,
// and the commands of the host. A write takes effect at the edge, a read is answered in its cycle.
// The counters saturate at 255.
module muster_link_registers #(
  /// barrier messages of the block may be lost, and are counted: 0 to 1
  parameter int unsigned Lossy = 0
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         reg_valid_i,
  input  wire logic         reg_write_i,
  input  wire logic [11:0]  reg_addr_i,
  input  wire logic [31:0]  reg_wdata_i,
  output logic [31:0]       reg_rdata_o,

  /// the sizes that it was built with, as the host reads them; a constant
  input  wire logic [31:0]  widths_i,
  input  wire logic [1:0]   state_i,
  input  wire logic [2:0]   reason_i,
  input  wire logic         drained_i,
  input  wire logic         restarts_i,
  /// flits go again; a frame was rejected
  input  wire logic         rewinds_i,
  input  wire logic         rejected_i,
  /// a barrier message of the block is lost
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic         lost_i,  // with Lossy only
  /* verilator lint_on UNUSEDSIGNAL */
  /// the host asks for a restart; it kills the link
  output logic              restart_o,
  output logic              kill_o
);
  `MUSTER_RANGE(Lossy, 0, 1)

  logic write, clears;
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::link_command_t command;
  /* verilator lint_on UNUSEDSIGNAL */
  muster_pkg::link_status_t status;
  logic [7:0] replays_q, rejected_q;
  assign write = reg_valid_i && reg_write_i && (reg_addr_i == muster_pkg::LinkRegCommand);
  assign command = reg_wdata_i;
  assign restart_o = write && command.restart;
  assign kill_o = write && command.kill;
  assign clears = write && command.clear;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears) begin
      replays_q <= '0;
      rejected_q <= '0;
    end else begin
      replays_q <= replays_q + 8'(rewinds_i && replays_q != '1);
      rejected_q <= rejected_q + 8'(rejected_i && rejected_q != '1);
    end
  end

  logic [7:0] lost;
  if (Lossy != 0) begin : gen_lossy
    logic [7:0] lost_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clears) lost_q <= '0;
      else lost_q <= lost_q + 8'(lost_i && lost_q != '1);
    end
    assign lost = lost_q;
  end else begin : gen_lossless
    assign lost = '0;
  end

  muster_pkg::identity_t identity;
  always_comb begin
    identity.magic = muster_pkg::RegIdentityMagic;
    identity.kind = muster_pkg::KindLinkEnd;
    identity.version = muster_pkg::RegIdentityVersion;
    status = '0;
    status.lost = lost;
    status.rejected = rejected_q;
    status.replays = replays_q;
    status.restart = restarts_i;
    status.drained = drained_i;
    status.reason = reason_i;
    status.state = state_i;
  end
  always_comb begin
    reg_rdata_o = '0;
    if (reg_valid_i) begin
      case (reg_addr_i)
        muster_pkg::RegIdentity: reg_rdata_o = identity;
        muster_pkg::LinkRegStatus: reg_rdata_o = status;
        muster_pkg::LinkRegWidths: reg_rdata_o = widths_i;
        default: reg_rdata_o = '0;
      endcase
    end
  end

endmodule

`default_nettype wire
