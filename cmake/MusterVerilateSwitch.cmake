# SPDX-License-Identifier: Apache-2.0
# One of Muster's blocks, with parameters of your own, as a Verilated class for a program of your
# own. Part of the installed package, and there for a project that has Muster as a part of it.
#
#   muster_verilate_switch(TARGET my_switch TOP barrier_switch PARAMETERS Ports=6 Vcs=2)
#
# makes the static library my_switch with the class Vmy_switch (`#include "Vmy_switch.h"`). A target
# that links it has Verilator's runtime too, in which a failing assertion throws std::exception, and
# the folder of the C header of all registers (`#include "muster_registers.h"`) and of the driver.
#
#   TARGET          name of the library
#   TOP             a block of Muster, rtl/TOP.f, or a module of RTL
#   PARAMETERS      the others have the defaults of the header of TOP
#   RTL             SystemVerilog files of your own; they may use Muster's modules
#   OPTIMIZE        of the compiler for what runs every cycle, -O3 if not given
#   TRACE           with FST waveforms
#   VERILATOR_ARGS  further options of Verilator
include(${CMAKE_CURRENT_LIST_DIR}/MusterBlocks.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/MusterVerilate.cmake)

function(muster_verilate_switch)
  cmake_parse_arguments(ARG "TRACE" "TARGET;TOP;OPTIMIZE" "PARAMETERS;RTL;VERILATOR_ARGS" ${ARGN})
  set(caller "muster_verilate_switch(${ARG_TARGET})")
  muster_check_class("TARGET, TOP, PARAMETERS, RTL, OPTIMIZE, TRACE, VERILATOR_ARGS")
  muster_check_options("for waveforms give TRACE")
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH home)
  if(ARG_TOP AND NOT ARG_RTL AND NOT EXISTS ${home}/rtl/${ARG_TOP}.f)
    file(GLOB blocks RELATIVE ${home}/rtl ${home}/rtl/*.f)
    list(TRANSFORM blocks REPLACE "\\.f$" "")
    list(REMOVE_ITEM blocks muster)  # the list of all
    list(JOIN blocks ", " blocks)
    muster_refuse("TOP: no block '${ARG_TOP}'; there are: ${blocks}")
  endif()
  muster_find_top("${ARG_TOP}" "${ARG_RTL}" top rtl)
  muster_settle_parameters("${ARG_TOP}" ${top} "${ARG_PARAMETERS}" settings)
  set(options "")
  if(NOT ARG_TRACE)
    set(options NO_WAVE)
  endif()
  muster_verilate(TARGET ${ARG_TARGET} TOP ${ARG_TOP} PARAMS ${settings} RTL ${rtl}
                  OPTIMIZE ${ARG_OPTIMIZE} ${options} ARGS ${ARG_VERILATOR_ARGS})
  target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${home}/sw)
endfunction()
