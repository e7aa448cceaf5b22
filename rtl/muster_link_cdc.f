// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
wrap/muster_cdc_credits_in.sv
wrap/muster_cdc_credits_out.sv
wrap/muster_cdc_flits_in.sv
wrap/muster_cdc_flits_out.sv
wrap/muster_cdc_memory.sv
wrap/muster_cdc_session.sv
wrap/muster_cdc_sync.sv
wrap/muster_link_cdc.sv
