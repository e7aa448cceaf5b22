# SPDX-License-Identifier: Apache-2.0
# Verilated classes as static libraries.
#
#   muster_verilate(TARGET verilated_sw4 PREFIX Vsw4 TOP barrier_switch PARAMS Ports=4 Vcs=2)
#
# makes the library verilated_sw4 with the class Vsw4 (`#include "Vsw4.h"`): module TOP with the
# given
# parameters, assertions and FST tracing compiled in (off at run time they cost next to nothing) and
# random initial values possible. TOP is found in rtl/*/TOP.sv and its parts in the folders of rtl/;
# SOURCES replaces that, for instance by a netlist. ARGS are further options for Verilator, OPTIMIZE
# is the compiler's for what runs every cycle (-O3). SMALL is for the model of a part, a few lines
# run for a short time: one file, compiled with -O1. COVERAGE counts which lines are run and which
# bits change; the class keeps its name, its objects hand their counts on when they go
# (verif/models/coverage.hpp). All models share the one library `verilated_runtime`, in which a
# failing assertion throws.
find_package(verilator 5.006 REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)
find_package(ZLIB REQUIRED)

set(runtime ${VERILATOR_ROOT}/include)
add_library(verilated_runtime SHARED
  ${runtime}/verilated.cpp
  ${runtime}/verilated_fst_c.cpp
  ${runtime}/verilated_threads.cpp
  ${PROJECT_SOURCE_DIR}/verif/models/stop.cpp)
target_include_directories(verilated_runtime SYSTEM PUBLIC ${runtime} ${runtime}/vltstd)
target_include_directories(verilated_runtime PRIVATE
  ${PROJECT_SOURCE_DIR}/sim_cpp ${PROJECT_SOURCE_DIR}/verif)
target_compile_definitions(verilated_runtime
  PUBLIC VM_COVERAGE=0 VM_SC=0 VM_TRACE=1 VM_TRACE_FST=1 VM_TRACE_VCD=0 VL_USER_STOP VL_USER_FATAL
  PRIVATE VL_PRINTF=muster_verilated_printf)
target_compile_options(verilated_runtime
  PUBLIC $<$<CXX_COMPILER_ID:GNU>:-faligned-new>
  PRIVATE -O2 -w "SHELL:-include ${PROJECT_SOURCE_DIR}/verif/models/stop.hpp")
# Verilator's sources are not ours to tidy.
set_target_properties(verilated_runtime PROPERTIES
  OUTPUT_NAME muster_verilated CXX_CLANG_TIDY "")
install(TARGETS verilated_runtime LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
find_package(Threads REQUIRED)
target_link_libraries(verilated_runtime PUBLIC ZLIB::ZLIB Threads::Threads PRIVATE muster_shared)

function(muster_verilate)
  cmake_parse_arguments(ARG "SMALL;COVERAGE" "TARGET;PREFIX;TOP;OPTIMIZE" "PARAMS;SOURCES;ARGS"
                        ${ARGN})
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX V${ARG_TARGET})
  endif()
  if(NOT ARG_OPTIMIZE)
    set(ARG_OPTIMIZE -O3)
  endif()
  if(NOT ARG_SOURCES)
    file(GLOB top ${PROJECT_SOURCE_DIR}/rtl/*/${ARG_TOP}.sv)
    if(NOT top)
      message(FATAL_ERROR "muster_verilate: no rtl/*/${ARG_TOP}.sv")
    endif()
    set(ARG_SOURCES ${PROJECT_SOURCE_DIR}/rtl/common/muster_pkg.sv ${top})
    file(GLOB folders LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/rtl/*)
    list(FILTER folders EXCLUDE REGEX "\\.[a-z]+$")
    list(TRANSFORM folders PREPEND -I)
  endif()
  list(TRANSFORM ARG_PARAMS PREPEND -G)

  # Two files, so that only what runs every cycle is compiled with full optimization. Their names
  # are known before Verilator has run; they include what it has written.
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET})
  if(ARG_COVERAGE)
    set(class ${ARG_PREFIX})
    set(prefix ${class}_counting)
    set(templates ${PROJECT_SOURCE_DIR}/verif/models)
    set(keeping ${dir}.keeping)
    configure_file(${templates}/coverage_model.hpp.in ${keeping}/${class}.h @ONLY)
    configure_file(${templates}/model_root.hpp.in ${keeping}/${class}___024root.h @ONLY)
    list(APPEND ARG_ARGS --coverage-line --coverage-toggle)
    set(ARG_PREFIX ${prefix})
  endif()
  set(fast ${dir}/${ARG_PREFIX}.fast.cpp)
  set(slow ${dir}/${ARG_PREFIX}.slow.cpp)
  if(ARG_SMALL)
    set(slow "")
    set(ARG_OPTIMIZE -O1)
  endif()
  # Each point that counts is a statement more: optimizing them takes longer than running them.
  if(ARG_COVERAGE)
    set(ARG_OPTIMIZE -O0)
  endif()
  set(script ${PROJECT_SOURCE_DIR}/cmake/VerilateModel.cmake)
  add_custom_command(
    OUTPUT ${fast} ${slow} ${dir}/${ARG_PREFIX}.h
    COMMAND ${CMAKE_COMMAND} -D VERILATOR=${VERILATOR_BIN} -D DIR=${dir} -D PREFIX=${ARG_PREFIX}
            -D "FAST=${fast}" -D "SLOW=${slow}" -P ${script} --
            --cc -sv --no-timing --assert --trace-fst -O3
            --x-assign unique --x-initial unique --output-split 0
            --top-module ${ARG_TOP} ${ARG_PARAMS} ${ARG_ARGS} ${folders} ${ARG_SOURCES}
    DEPENDS ${ARG_SOURCES} ${script}
    DEPFILE ${dir}.d
    COMMENT "Verilating ${ARG_TARGET}"
    VERBATIM)

  add_library(${ARG_TARGET} STATIC ${fast} ${slow})
  target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${dir})
  target_link_libraries(${ARG_TARGET} PUBLIC verilated_runtime)
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
  target_compile_options(${ARG_TARGET} PRIVATE -w -fno-stack-protector -fno-gcse)
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
