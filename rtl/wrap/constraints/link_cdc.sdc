# SPDX-License-Identifier: Apache-2.0
# Paths between the two clock domains of each link_cdc, for tools that read SDC. Set the names and
# periods (ns) of the two clocks of your design before you read it; read it after both exist. With
# several pairs of clocks read it once for each pair.
#
# The clocks are declared asynchronous by limits, not by false paths: a pointer in Gray code is
# right only while its bits arrive within one period of the clock that sends them.
if {![info exists muster_a_clock]} {set muster_a_clock a_clk}
if {![info exists muster_b_clock]} {set muster_b_clock b_clk}
if {![info exists muster_a_period]} {set muster_a_period 10.0}
if {![info exists muster_b_period]} {set muster_b_period 10.0}

set muster_least [expr {min($muster_a_period, $muster_b_period)}]

# Pointers, counts, session bits, and words of the memory, which stand long before they are read:
# all that goes from one clock to the other.
set_max_delay $muster_least -from [get_clocks $muster_a_clock] -to [get_clocks $muster_b_clock]
set_max_delay $muster_least -from [get_clocks $muster_b_clock] -to [get_clocks $muster_a_clock]

# Hold has no meaning between them.
set_false_path -hold -from [get_clocks $muster_a_clock] -to [get_clocks $muster_b_clock]
set_false_path -hold -from [get_clocks $muster_b_clock] -to [get_clocks $muster_a_clock]
