// SPDX-License-Identifier: Apache-2.0
// Written by scripts/manifests.
+incdir+common
common/muster_pkg.sv
wrap/apb_registers.sv
