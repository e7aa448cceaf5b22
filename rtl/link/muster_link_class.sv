// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The class of credits that a flit takes on a link that retries (docs/systems/retry-link.md,
// Ports): its virtual channel, or that of the pocket if it is a barrier message; one-hot, or zero
// if it takes none. class_o is a function of the inputs only.
module muster_link_class #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// barrier messages have a class: 0 to 1
  parameter int unsigned Pocket = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned Backs = Vcs + Pocket
) (
  input  wire logic [VcW-1:0]                vc_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [muster_pkg::KindW-1:0]  kind_i,  // sync or not
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [Backs-1:0]                   class_o
);
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Pocket, 0, 1)

  for (genvar c = 0; c < Backs; c++) begin : gen_class
    if (c < Vcs) begin : gen_channel
      assign class_o[c] = !kind_i[muster_pkg::KindSync] && (vc_i == VcW'(c));
    end else begin : gen_pocket
      assign class_o[c] = kind_i[muster_pkg::KindSync];
    end
  end

endmodule

`default_nettype wire
