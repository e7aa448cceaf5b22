// SPDX-License-Identifier: Apache-2.0
// For berkeley-abc, which has no covers: a cover becomes a fact whose counterexample is the trace.
(* techmap_celltype = "$cover" *)
module cover_to_assert (
  input A,
  input EN
);
  \$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN));
endmodule
