// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
esc/muster_adaptive_choice.sv
esc/muster_section_choice.sv
esc/muster_throttle_hold.sv
esc/muster_injection.sv
