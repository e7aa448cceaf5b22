# SPDX-License-Identifier: Apache-2.0
# Verilated classes as static libraries.
#
#   muster_verilate(TARGET verilated_sw4 PREFIX Vsw4 TOP barrier_switch PARAMS Ports=4 Vcs=2)
#
# makes the library verilated_sw4 with the class Vsw4 (`#include "Vsw4.h"`): module TOP with the
# given parameters, assertions and FST tracing compiled in (off at run time they cost next to
# nothing) and random initial values possible. TOP is found in rtl/*/TOP.sv, or in one of the files
# RTL of another project; parts of it are found in the folders of rtl/. SOURCES replaces all of
# that, for instance by a netlist. ARGS are further options for Verilator, OPTIMIZE is the
# compiler's for what runs every cycle (-O3). SMALL is for the model of a part that runs for a
# second or less: one file, compiled with -O0, as optimizing it takes longer than running it.
# NO_WAVE leaves FST tracing out, which takes two fifths of the time to compile a model.
# COVERAGE counts which lines are run and which bits change; the class keeps its name, its objects
# hand their counts on when they go (verif/models/instrumented.hpp). All models share the one library
# `muster::verilated`, in which a failing assertion throws.
#
# Installed, this folder lies beside rtl/ and verif/ as it does here.
find_package(verilator 5.006 REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)
# A function is everybody's, what find_package() sets is of this folder.
set_property(GLOBAL PROPERTY MUSTER_VERILATOR_VERSION ${verilator_VERSION})

function(muster_verilate)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH home)
  cmake_parse_arguments(ARG "SMALL;NO_WAVE;COVERAGE" "TARGET;PREFIX;TOP;OPTIMIZE"
                        "PARAMS;RTL;SOURCES;ARGS"
                        ${ARGN})
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX V${ARG_TARGET})
  endif()
  if(NOT ARG_OPTIMIZE)
    set(ARG_OPTIMIZE -O3)
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

  # Two files, so that only what runs every cycle is compiled with full optimization. Their names
  # are known before Verilator has run; they include what it has written.
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET})
  if(ARG_COVERAGE)
    set(class ${ARG_PREFIX})
    set(prefix ${class}_counting)
    set(keeping ${dir}.keeping)
    configure_file(${home}/verif/models/coverage_model.hpp.in ${keeping}/${class}.h @ONLY)
    file(CONFIGURE OUTPUT ${keeping}/${class}___024root.h CONTENT
            "#include \"${prefix}___024root.h\"\n")
    list(APPEND ARG_ARGS --coverage-line --coverage-toggle)
    set(ARG_PREFIX ${prefix})
  endif()
  set(fast ${dir}/${ARG_PREFIX}.fast.cpp)
  set(slow ${dir}/${ARG_PREFIX}.slow.cpp)
  if(ARG_SMALL)
    set(slow "")
    set(ARG_OPTIMIZE -O0)
  endif()
  # Each point that counts is a statement more: optimizing them takes longer than running them.
  if(ARG_COVERAGE)
    set(ARG_OPTIMIZE -O0)
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

  add_library(${ARG_TARGET} STATIC ${fast} ${slow})
  target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${dir})
  target_link_libraries(${ARG_TARGET} PUBLIC muster::verilated)
  if(ARG_COVERAGE)
    target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${keeping})
    target_link_libraries(${ARG_TARGET} PUBLIC muster_coverage)
    set_target_properties(${ARG_TARGET} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  # Hidden, a model file reaches its own variables and functions without tables.
  set_target_properties(${ARG_TARGET} PROPERTIES CXX_CLANG_TIDY ""
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # GCC's partial redundancy elimination takes most of the time to compile such long functions, and
  # what they run gains nothing from it.
  target_compile_options(${ARG_TARGET} PRIVATE
    -w -fno-stack-protector $<$<CXX_COMPILER_ID:GNU>:-fno-gcse>)
  # What Verilator writes is its own affair: the sanitizers look at what calls it.
  if(MUSTER_SANITIZE)
    target_compile_options(${ARG_TARGET} PRIVATE -fno-sanitize=all)
    set(ARG_OPTIMIZE -O1)
  endif()
  set_source_files_properties(${fast} PROPERTIES COMPILE_OPTIONS ${ARG_OPTIMIZE})
  if(slow)
    set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS -O0)
  endif()
endfunction()
