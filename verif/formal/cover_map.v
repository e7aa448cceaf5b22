// SPDX-License-Identifier: Apache-2.0
// For scripts/prove: a cover as the assertion that its fact never holds, so that an engine that
// breaks it has found the trace.
(* techmap_celltype = "$cover" *)
module muster_cover_is_assert (
  input A,
  input EN
);
  \$assert never (
    .A(!A),
    .EN(EN)
  );
endmodule
