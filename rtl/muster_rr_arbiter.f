// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
common/muster_above_lowest.sv
common/muster_preferred_first.sv
common/muster_rr_arbiter.sv
