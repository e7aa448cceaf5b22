# SPDX-License-Identifier: Apache-2.0
# Paths between the two clock domains of a muster_link_cdc, for Vivado. Scope it to the module, so
# that it holds for each instance, whatever its clocks are:
#
#   read_xdc -ref muster_link_cdc rtl/wrap/constraints/muster_link_cdc.xdc
#   set_property PROCESSING_ORDER LATE [get_files muster_link_cdc.xdc]
#
# Only paths that end at registers of the instance are constrained; your own paths between the two
# clocks keep your constraints. A pointer in Gray code is right only while its bits arrive within
# one period of the clock that sends them: limits of delay (of the data path alone, without the skew
# of the two clocks) and of skew, no false path. Asynchronous clock groups (set_clock_groups) or a
# false path between the two clocks would lift the limits.
set a_clock [get_clocks -of_objects [get_ports a_clk_i]]
set b_clock [get_clocks -of_objects [get_ports b_clk_i]]
set a_period [get_property -min PERIOD $a_clock]
set b_period [get_property -min PERIOD $b_clock]
set least [expr {$a_period < $b_period ? $a_period : $b_period}]

# First flip-flops of the synchronizers, by the domain that they are in.
set to_a [get_cells -hierarchical -regexp {.*a_(alive|answers|pointer|counts)/meta_q_reg.*}]
set to_b [get_cells -hierarchical -regexp {.*b_(alive|answers|pointer)/meta_q_reg.*}]
set_max_delay -datapath_only -from $b_clock -to $to_a $least
set_max_delay -datapath_only -from $a_clock -to $to_b $least

# Words of the memory stand long before they are read. muster_cdc_memory asks for distributed
# RAM, whose
# output register is this flip-flop; that of a block RAM would be inside.
set words [get_cells -hierarchical -regexp {.*memory/word_o_reg.*}]
set_max_delay -datapath_only -from $a_clock -to $words $least

# Bits of one pointer, and of one count.
set_bus_skew \
  -from [get_cells -hierarchical -regexp {.*flits_in/gray_q_reg.*}] \
  -to [get_cells -hierarchical -regexp {.*b_pointer/meta_q_reg.*}] $a_period
set_bus_skew \
  -from [get_cells -hierarchical -regexp {.*flits_out/gray_q_reg.*}] \
  -to [get_cells -hierarchical -regexp {.*a_pointer/meta_q_reg.*}] $b_period
set_bus_skew \
  -from [get_cells -hierarchical -regexp {.*credits_in/gray_q_reg.*}] \
  -to [get_cells -hierarchical -regexp {.*a_counts/meta_q_reg.*}] $b_period
