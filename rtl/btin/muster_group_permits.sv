// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The groups of each port, which packets that come in there may set up: the words at 0x040 + p of
// docs/reference/registers.md. A write takes effect at the edge of its cycle. After reset mask and
// value are 0, so all groups are of all ports.
module muster_group_permits #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// the host writes the word of port p, with this
  input  wire logic [Ports-1:0]  write_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]       wdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// the word of these ports, one-hot or zero, is read; 0 without
  input  wire logic [Ports-1:0]  read_i,
  output logic [31:0]            word_o,

  /// groups of this port, one-hot; all without one
  input  wire logic [Ports-1:0]  port_i,
  output logic [GidW-1:0]        mask_o,
  output logic [GidW-1:0]        value_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("muster_group_permits: Ports must be 3 to 16");
  end
  if (GidW < 4 || GidW > 12) begin : gen_bad_gid
    $error("muster_group_permits: GidW must be 4 to 12");
  end

  logic [Ports-1:0][GidW-1:0] mask_q, value_q;
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::group_permits_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  muster_pkg::group_permits_t shown;
  assign written = wdata_i;

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Ports; p++) begin
      if (!rst_ni) begin
        mask_q[p] <= '0;
        value_q[p] <= '0;
      end else if (write_i[p]) begin
        mask_q[p] <= written.mask[GidW-1:0];
        value_q[p] <= written.value[GidW-1:0];
      end
    end
  end

  always_comb begin
    word_o = '0;
    shown = '0;
    mask_o = '0;
    value_o = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      shown.mask = 12'(mask_q[p]);
      shown.value = 12'(value_q[p]);
      if (read_i[p]) word_o = word_o | shown;
      if (port_i[p]) begin
        mask_o = mask_o | mask_q[p];
        value_o = value_o | value_q[p];
      end
    end
  end

  `MUSTER_ASSERT(OnePort_A, (port_i & (port_i - 1'b1)) == '0)
  `MUSTER_ASSERT(OneIsWritten_A, (write_i & (write_i - 1'b1)) == '0)

endmodule

`default_nettype wire
