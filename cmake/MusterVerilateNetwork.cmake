# SPDX-License-Identifier: Apache-2.0
# A network as one module with AXI ports (docs/how-to/generated-top.md), exported at build time, as
# a Verilated class. Part of the installed package, and there for a project that has Muster with its
# program as a part of it.
#
#   muster_verilate_network(TARGET my_mesh NETWORK mesh.json CONFIG sw4 GROUPS all)
#
# makes the static library my_mesh with the class Vmy_mesh (`#include "Vmy_mesh.h"`) of the module
# my_mesh, which lies in the build folder as my_mesh.sv, with its C header my_mesh.h for the driver.
# It brings what muster_verilate_switch brings.
#
#   TARGET          name of library and module
#   NETWORK         file that the program reads
#   CONFIG          configuration of the switches; the smallest that fits if not given
#   GROUPS          whose registers are in the image, as for --group; group g has identifier g
#   ROOT            root switch of all GROUPS, as for --root; the best one of each if not given
#   OPTIMIZE        of the compiler for what runs every cycle, -O3 if not given
#   TRACE           with FST waveforms
#   VERILATOR_ARGS  further options of Verilator
include(${CMAKE_CURRENT_LIST_DIR}/MusterBlocks.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/MusterVerilate.cmake)

# The file that will have module TARGET, in `result`; its C header is made beside it. REQUIRES:
# `caller`.
function(muster_export_network result)
  cmake_parse_arguments(ARG "" "TARGET;NETWORK;CONFIG;ROOT" "GROUPS" ${ARGN})
  get_property(program GLOBAL PROPERTY MUSTER_PROGRAM)
  if(NOT program)
    muster_refuse("the program muster is missing: its component is program, its option MUSTER_APP")
  endif()
  if(NOT ARG_NETWORK)
    muster_refuse("NETWORK is missing: a file of a network")
  endif()
  cmake_path(ABSOLUTE_PATH ARG_NETWORK BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS ${ARG_NETWORK})
    muster_refuse("NETWORK: there is no file ${ARG_NETWORK}")
  endif()
  set(options "")
  if(ARG_CONFIG)
    set(options --config ${ARG_CONFIG})
  endif()
  if(NOT "${ARG_ROOT}" STREQUAL "")
    list(APPEND options --root ${ARG_ROOT})
  endif()
  foreach(group ${ARG_GROUPS})
    list(APPEND options --group ${group})
  endforeach()
  set(name ${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET})
  set(file ${name}.sv)
  set(export ${program} topo export ${ARG_NETWORK} --module ${ARG_TARGET} ${options})
  add_custom_command(OUTPUT ${file} ${name}.h
    COMMAND ${export} --format verilog --out ${file}
    COMMAND ${export} --format c-header --out ${name}.h
    DEPENDS ${program} ${ARG_NETWORK} COMMENT "Exporting ${ARG_TARGET}" VERBATIM)
  set(${result} ${file} PARENT_SCOPE)
endfunction()

function(muster_verilate_network)
  cmake_parse_arguments(ARG "TRACE" "TARGET;NETWORK;CONFIG;ROOT;OPTIMIZE" "GROUPS;VERILATOR_ARGS"
                        ${ARGN})
  set(caller "muster_verilate_network(${ARG_TARGET})")
  muster_check_class("TARGET, NETWORK, CONFIG, GROUPS, ROOT, OPTIMIZE, TRACE, VERILATOR_ARGS")
  muster_check_options("for waveforms give TRACE")
  set(tracing NO_WAVE)
  if(ARG_TRACE)
    set(tracing "")
  endif()
  muster_export_network(file TARGET ${ARG_TARGET} NETWORK ${ARG_NETWORK} CONFIG ${ARG_CONFIG}
                        GROUPS ${ARG_GROUPS} ROOT ${ARG_ROOT})
  muster_verilate(TARGET ${ARG_TARGET} TOP ${ARG_TARGET} RTL ${file} OPTIMIZE ${ARG_OPTIMIZE}
                  ${tracing} ARGS ${ARG_VERILATOR_ARGS})
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH home)
  target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${home}/sw ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
