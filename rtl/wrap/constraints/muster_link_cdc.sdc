# SPDX-License-Identifier: Apache-2.0
# Paths between the two clock domains of a muster_link_cdc, for tools that read SDC. Only those
# paths: from one clock to the registers of this instance that take bits of the other, so that your
# own paths between the two clocks keep your constraints. Read it after both clocks exist, once for
# each instance:
#
#   set muster_link     chip/link_ab      the instance; a pattern if several have the same clocks
#   set muster_a_clock  clk_a             the clock at its a_clk_i, and its period in ns
#   set muster_a_period 8.0
#   set muster_b_clock  clk_b             the same for b_clk_i
#   set muster_b_period 10.0
#   source muster_link_cdc.sdc
#
# A pointer in Gray code is right only while its bits arrive within one period of the clock that
# sends them. So these are limits and no false paths, and the two clocks must not be declared
# asynchronous (set_clock_groups) or be false paths as a whole: that would lift the limits.
foreach muster_name {muster_link muster_a_clock muster_a_period muster_b_clock muster_b_period} {
  if {![info exists $muster_name]} {
    error "muster_link_cdc.sdc: $muster_name is not set; the head of the file has an example"
  }
}
set muster_least [expr {min($muster_a_period, $muster_b_period)}]

# First flip-flops of the synchronizers, and words of the memory, which stand long before they are
# read, each with the clock of the other side. Hold has no meaning between the two.
foreach {muster_clock muster_cells} [list \
    $muster_a_clock {b_alive/meta_q* b_answers/meta_q* b_pointer/meta_q* memory/word_o*} \
    $muster_b_clock {a_alive/meta_q* a_answers/meta_q* a_pointer/meta_q* *a_counts/meta_q*}] {
  foreach muster_cell $muster_cells {
    set muster_to [get_cells $muster_link/$muster_cell]
    if {$muster_to eq ""} {
      error "muster_link_cdc.sdc: there is no register $muster_link/$muster_cell"
    }
    set_max_delay $muster_least -from [get_clocks $muster_clock] -to $muster_to
    set_false_path -hold -from [get_clocks $muster_clock] -to $muster_to
  }
}
