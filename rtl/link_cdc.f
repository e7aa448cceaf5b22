// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
// Name one list: two have files in common, muster.f has all.
+incdir+common
common/muster_pkg.sv
wrap/cdc_credits_in.sv
wrap/cdc_credits_out.sv
wrap/cdc_flits_in.sv
wrap/cdc_flits_out.sv
wrap/cdc_memory.sv
wrap/cdc_session.sv
wrap/cdc_sync.sv
wrap/link_cdc.sv
