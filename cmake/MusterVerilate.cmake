# SPDX-License-Identifier: Apache-2.0
# Verilated classes as static libraries. muster_verilate_switch and muster_verilate_network are part
# of the installed package, and there for a project that has Muster, the second with its program, as
# a part of it.
include(${CMAKE_CURRENT_LIST_DIR}/MusterBlocks.cmake)

#   muster_verilate(TARGET verilated_sw4 PREFIX Vsw4 TOP muster_barrier_switch PARAMS Ports=4 Vcs=2)
#
# makes the library verilated_sw4 with the class Vsw4 (`#include "Vsw4.h"`): module TOP with the
# given parameters, assertions and FST tracing compiled in (off at run time they cost next to
# nothing) and random initial values possible. TOP is found in rtl/*/TOP.sv, or in one of the files
# RTL of another project; parts of it are found in the folders of rtl/. SOURCES replaces all of
# that, for instance by a netlist. ARGS are further options for Verilator, OPTIMIZE is the
# compiler's for what runs every cycle (-O3); -O0 is for a model that runs for a second or less, as
# optimizing it takes longer than running it. NO_WAVE leaves FST tracing out, which takes two fifths
# of the time to compile a model. COVERAGE counts which lines are run and which bits change; the
# class keeps its name, its objects hand their counts on when they go
# (verif/models/instrumented.hpp). All models share one library, `muster::verilated`, in which a
# failing assertion throws.
#
# Installed, this folder lies beside rtl/ and verif/ as it does here.
find_package(verilator 5.006 REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)
# A function is everybody's, what find_package() sets is of this folder.
set_property(GLOBAL PROPERTY MUSTER_VERILATOR_VERSION ${verilator_VERSION})

function(muster_verilate)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH home)
  cmake_parse_arguments(ARG "NO_WAVE;COVERAGE" "TARGET;PREFIX;TOP;OPTIMIZE"
                        "PARAMS;RTL;SOURCES;ARGS" ${ARGN})
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX V${ARG_TARGET})
  endif()
  if(NOT ARG_OPTIMIZE)
    set(ARG_OPTIMIZE -O3)
  endif()
  if(MUSTER_SANITIZE)
    set(ARG_OPTIMIZE -O1)
  endif()
  if(NOT ARG_SOURCES)
    if(ARG_RTL)  # one of them may have a `timescale, which Muster's files have not
      list(PREPEND ARG_ARGS --timescale 1ns/1ps)
    else()
      file(GLOB ARG_RTL ${home}/rtl/*/${ARG_TOP}.sv)
      if(NOT ARG_RTL)
        message(FATAL_ERROR "muster_verilate: no rtl/*/${ARG_TOP}.sv")
      endif()
    endif()
    set(ARG_SOURCES ${home}/rtl/common/muster_pkg.sv ${ARG_RTL})
    file(GLOB folders LIST_DIRECTORIES true ${home}/rtl/*)
    list(FILTER folders EXCLUDE REGEX "\\.[a-z]+$")
    list(TRANSFORM folders PREPEND -I)
  endif()
  list(TRANSFORM ARG_PARAMS PREPEND -G)
  if(NOT ARG_NO_WAVE)
    list(PREPEND ARG_ARGS --trace-fst)
  endif()

  # Two files, so that only what runs every cycle is optimized. Their names are known before
  # Verilator has run; they include what it has written.
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET})
  if(ARG_COVERAGE)
    set(keeping ${dir}.keeping)
    muster_class_around(coverage ${ARG_PREFIX}_counting ${ARG_PREFIX} ${keeping})
    list(APPEND ARG_ARGS --coverage-line --coverage-toggle)
    string(APPEND ARG_PREFIX _counting)
  endif()
  set(fast ${dir}/${ARG_PREFIX}.fast.cpp)
  set(slow ${dir}/${ARG_PREFIX}.slow.cpp)
  # Each point that counts is a statement more: optimizing them takes longer than running them.
  if(ARG_COVERAGE)
    set(ARG_OPTIMIZE -O0)
  endif()
  if(ARG_OPTIMIZE STREQUAL "-O0")
    set(slow "")
  endif()
  set(script ${home}/cmake/VerilateModel.cmake)
  add_custom_command(
    OUTPUT ${fast} ${slow} ${dir}/${ARG_PREFIX}.h
    COMMAND ${CMAKE_COMMAND} -D VERILATOR=${VERILATOR_BIN} -D DIR=${dir} -D PREFIX=${ARG_PREFIX}
            -D "FAST=${fast}" -D "SLOW=${slow}" -P ${script} --
            --cc -sv --no-timing --assert -O3
            --x-assign unique --x-initial unique --output-split 0
            --top-module ${ARG_TOP} ${ARG_PARAMS} ${ARG_ARGS} ${folders} ${ARG_SOURCES}
    DEPENDS ${ARG_SOURCES} ${script}
    DEPFILE ${dir}.d
    COMMENT "Verilating ${ARG_TARGET}"
    VERBATIM)

  add_library(${ARG_TARGET} STATIC ${fast})
  muster_verilated_settings(${ARG_TARGET} ${ARG_OPTIMIZE})
  target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${dir})
  if(slow)
    add_library(${ARG_TARGET}_slow OBJECT EXCLUDE_FROM_ALL ${slow})
    muster_verilated_settings(${ARG_TARGET}_slow -O0)
    target_include_directories(${ARG_TARGET}_slow SYSTEM PRIVATE ${dir})
    target_sources(${ARG_TARGET} PRIVATE $<TARGET_OBJECTS:${ARG_TARGET}_slow>)
  endif()
  if(ARG_COVERAGE)
    target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${keeping})
    target_link_libraries(${ARG_TARGET} PUBLIC muster_coverage)
    set_target_properties(${ARG_TARGET} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()

# The headers of a class, in a folder: one of PREFIX with what verif/models/KIND_model.hpp.in adds.
function(muster_class_around kind prefix class folder)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH home)
  configure_file(${home}/verif/models/${kind}_model.hpp.in ${folder}/${class}.h @ONLY)
  file(CONFIGURE OUTPUT ${folder}/${class}___024root.h CONTENT
       "#include \"${prefix}___024root.h\"\n")
endfunction()

# How what Verilator writes is compiled, at one level of optimization.
function(muster_verilated_settings target optimize)
  target_link_libraries(${target} PUBLIC muster::verilated)
  # Hidden, a model file reaches its own variables and functions without tables.
  set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "" UNITY_BUILD OFF
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # GCC's partial redundancy elimination takes most of the time to compile such long functions, and
  # what they run gains nothing from it.
  target_compile_options(${target} PRIVATE
    -w -fno-stack-protector $<$<CXX_COMPILER_ID:GNU>:-fno-gcse> ${optimize})
  # What Verilator writes is its own affair: the sanitizers look at what calls it.
  if(MUSTER_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
  endif()
  set(header muster_verilated_header${optimize})  # of verif/CMakeLists.txt
  if(TARGET ${header} AND NOT target STREQUAL header)
    target_precompile_headers(${target} REUSE_FROM ${header})
  endif()
endfunction()

# Ends a function of the package: muster_verilate() with what all of them are asked for, and the
# folder of the driver. REQUIRES: as muster_check_class, and `home`.
macro(muster_verilate_class)
  set(waves NO_WAVE)
  if(ARG_TRACE)
    set(waves "")
  endif()
  muster_verilate(TARGET ${ARG_TARGET} ${waves} OPTIMIZE ${ARG_OPTIMIZE} ${ARGN}
                  ARGS ${ARG_VERILATOR_ARGS})
  target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${home}/sw)
endmacro()

# One of Muster's blocks, with parameters of your own, as a Verilated class for your program.
#
#   muster_verilate_switch(TARGET my_switch TOP muster_barrier_switch PARAMETERS Ports=6 Vcs=2)
#
# makes the static library my_switch with the class Vmy_switch (`#include "Vmy_switch.h"`). A target
# that links it has Verilator's runtime too, in which a failing assertion throws std::exception, and
# the folder of the C header of all registers (`#include "muster_registers.h"`) and of the driver.
# docs/how-to/your-design.md, With CMake, has the arguments.
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
  muster_verilate_class(TOP ${ARG_TOP} PARAMS ${settings} RTL ${rtl})
endfunction()

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

# A network as one module with AXI ports (docs/how-to/generated-top.md), exported at build time, as
# a Verilated class.
#
#   muster_verilate_network(TARGET my_mesh NETWORK mesh.json CONFIG sw4 GROUPS all)
#
# makes the static library my_mesh with the class Vmy_mesh (`#include "Vmy_mesh.h"`) of the module
# my_mesh, which lies in the build folder as my_mesh.sv, with its C header my_mesh.h for the driver.
# It brings what muster_verilate_switch brings, and has its OPTIMIZE, TRACE and VERILATOR_ARGS;
# CONFIG, GROUPS and ROOT are options of `muster topo export`. Group g has identifier g.
function(muster_verilate_network)
  cmake_parse_arguments(ARG "TRACE" "TARGET;NETWORK;CONFIG;ROOT;OPTIMIZE" "GROUPS;VERILATOR_ARGS"
                        ${ARGN})
  set(caller "muster_verilate_network(${ARG_TARGET})")
  muster_check_class("TARGET, NETWORK, CONFIG, GROUPS, ROOT, OPTIMIZE, TRACE, VERILATOR_ARGS")
  muster_check_options("for waveforms give TRACE")
  muster_export_network(file TARGET ${ARG_TARGET} NETWORK ${ARG_NETWORK} CONFIG ${ARG_CONFIG}
                        GROUPS ${ARG_GROUPS} ROOT ${ARG_ROOT})
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH home)
  muster_verilate_class(TOP ${ARG_TARGET} RTL ${file})
  target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# The network NAME, a class that muster_verilate_network(TARGET NAME ...) of this folder has made,
# as a file for `muster mpi --design`: the target NAME_design, NAME.so in the build folder.
function(muster_network_model NAME)
  set(caller "muster_network_model(${NAME})")
  if(NOT TARGET ${NAME})
    muster_refuse("no class of this name; make it by muster_verilate_network(TARGET ${NAME} ...)")
  endif()
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH home)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${NAME}_design.cpp)
  configure_file(${home}/verif/networks/network_model.cpp.in ${source} @ONLY)
  muster_loaded_module(${NAME}_design ${NAME} ${CMAKE_CURRENT_BINARY_DIR} ${source} ${NAME})
  target_include_directories(${NAME}_design SYSTEM PRIVATE ${home}/sw)
endfunction()

# The target of NAME.so in a folder, which the harness loads: a source, and the class that it needs.
function(muster_loaded_module target NAME folder source class)
  add_library(${target} MODULE ${source})
  target_link_libraries(${target} PRIVATE ${class} muster::verif)
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${NAME} LIBRARY_OUTPUT_DIRECTORY ${folder}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON UNITY_BUILD OFF)
endfunction()
