# SPDX-License-Identifier: Apache-2.0
# Models: Verilated blocks of the sizes in a list of configurations. docs/reference/models.md says
# what a model is. The kind of an entry names the header verif/models/KIND_model.hpp, which makes
# the banks; CMake knows nothing else of kinds.
#
#   muster_model_files(CONFIGURATIONS rtl/configurations.json)
#
# makes a shared module models/NAME.so for each entry, the target model_NAME, of its netlist
# models/NAME.v if there is one (scripts/synth --power). Options:
#
#   OPTIMIZE -O1     of the compiler, for models that are run for a short time only
#   FAST NAMES       whose speed is measured: they are compiled with -O3 whatever OPTIMIZE says
#   TARGET models    the target that builds them; without it they are not part of `all`
#   EXCEPT NAMES     which it does not build
#
#   muster_model_library(muster_corners CONFIGURATIONS points.json)
#
# makes a static library of models for a test, which takes them before those in files; they write no
# waveform. Options:
#
#   QUICK | SOAK     only the entries with "quick": true | only the others, and not part of `all`
#   NETLISTS         Verilate what Yosys makes of the RTL (scripts/netlist) instead of the RTL
#   MUTANTS NAME     the netlist with the faults of this entry of verif/mutations.json, one of which
#                    is on at a time (verif/models/instrumented.hpp)
#   COVERAGE         count which lines are run and which bits change (verif/models/instrumented.hpp)
#   ONLY NAMES       only these entries
#   EXCEPT NAMES     not these
#   SUFFIX _x        for the names of the models, as other models have the names without
#   OPTIMIZE -O1     as above
include(MusterAddModel)

# Options of Verilator for netlists. Nets inside have one bit each; a bit of an output may be a copy
# of another: no loop, but Verilator sees the vector. Trees of XOR gates come out wrong in Verilator
# 5.006 with the optimization that is off here (its issue 4059), those of a CRC among them.
function(muster_gates result)
  set(${result} -Wno-UNOPTFLAT -fno-const-bit-op-tree PARENT_SCOPE)
endfunction()

# Makes `netlist` with scripts/netlist and its options, of the entry `name` of a list.
function(muster_netlist name list netlist)
  file(GLOB rtl CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/rtl/*/*.sv ${PROJECT_SOURCE_DIR}/rtl/*/*.svh)
  set(scripts ${PROJECT_SOURCE_DIR}/scripts)
  add_custom_command(
    OUTPUT ${netlist}
    COMMAND ${scripts}/netlist ${name} --out ${netlist} ${ARGN}
    DEPENDS ${rtl} ${scripts}/netlist ${PROJECT_SOURCE_DIR}/rtl/configurations.json ${list}
            ${scripts}/flow.py ${PROJECT_SOURCE_DIR}/synth/requirements.txt
    COMMENT "Synthesizing the netlist of ${name}"
    VERBATIM)
endfunction()

# The entries of a list, as JSON texts.
function(muster_entries list result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(READ ${list} json)
  string(JSON count LENGTH ${json} configurations)
  math(EXPR last "${count} - 1")
  set(entries "")
  foreach(i RANGE ${last})
    string(JSON entry GET ${json} configurations ${i})
    list(APPEND entries "${entry}")
  endforeach()
  set(${result} "${entries}" PARENT_SCOPE)
endfunction()

function(muster_model_files)
  cmake_parse_arguments(ARG "" "CONFIGURATIONS;TARGET;OPTIMIZE" "FAST;EXCEPT" ${ARGN})
  muster_entries(${ARG_CONFIGURATIONS} entries)
  foreach(entry ${entries})
    string(JSON name GET ${entry} name)
    set(optimize ${ARG_OPTIMIZE})
    if(name IN_LIST ARG_FAST)
      set(optimize -O3)
    endif()
    set(folder ${PROJECT_BINARY_DIR}/models)
    set(netlist "")
    if(EXISTS ${folder}/${name}.v)
      muster_gates(gates)
      set(netlist SOURCES ${folder}/${name}.v ARGS ${gates})
      set(optimize -O1)
    endif()
    muster_model_module("${entry}" OPTIMIZE ${optimize} FOLDER ${folder} ${netlist})
    target_link_libraries(model_${name} PRIVATE muster_flags)
    set_target_properties(model_${name} PROPERTIES DEFINE_SYMBOL "")  # as the header is compiled
    target_precompile_headers(model_${name} REUSE_FROM muster_model_header)
    if(ARG_TARGET AND NOT name IN_LIST ARG_EXCEPT)
      add_dependencies(${ARG_TARGET} model_${name})
    else()
      set_target_properties(model_${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
  endforeach()
endfunction()

function(muster_model_library library)
  cmake_parse_arguments(ARG "QUICK;SOAK;NETLISTS;COVERAGE"
                        "CONFIGURATIONS;SUFFIX;OPTIMIZE;MUTANTS" "ONLY;EXCEPT" ${ARGN})
  muster_gates(gates)
  set(verilated "")
  set(sources "")
  set(include "")
  set(DECLARATIONS "")
  set(CALLS "")
  muster_entries(${ARG_CONFIGURATIONS} entries)
  foreach(entry ${entries})
    string(JSON name GET ${entry} name)
    string(JSON quick ERROR_VARIABLE none GET ${entry} quick)
    if(name IN_LIST ARG_EXCEPT OR (ARG_ONLY AND NOT name IN_LIST ARG_ONLY) OR
       (ARG_QUICK AND NOT quick) OR (ARG_SOAK AND quick))
      continue()
    endif()
    set(NAME ${name}${ARG_SUFFIX})
    set(options OPTIMIZE ${ARG_OPTIMIZE} NO_WAVE)
    if(ARG_MUTANTS)
      set(netlist ${CMAKE_CURRENT_BINARY_DIR}/${ARG_MUTANTS}.v)
      muster_netlist(${ARG_MUTANTS} ${PROJECT_SOURCE_DIR}/verif/mutations.json ${netlist}
                     --faults)
      set(prefix V${NAME}_netlist)
      set(include ${CMAKE_CURRENT_BINARY_DIR}/models/${NAME})
      muster_class_around(mutant ${prefix} V${NAME} ${include})
      # Yosys writes operators as it holds them: no care for widths and overlapping cases.
      list(APPEND options PREFIX ${prefix} SOURCES ${netlist} ARGS ${gates} -Wno-lint)
    elseif(ARG_NETLISTS)
      set(netlist ${CMAKE_CURRENT_BINARY_DIR}/${name}.v)
      muster_netlist(${name} ${ARG_CONFIGURATIONS} ${netlist})
      list(APPEND options SOURCES ${netlist} ARGS ${gates})
    endif()
    if(ARG_COVERAGE)
      list(APPEND options COVERAGE)
    endif()
    muster_model_source(source ${NAME} "${entry}" ${options})
    list(APPEND sources ${source})
    list(APPEND verilated verilated_${NAME})
    string(APPEND DECLARATIONS "extern \"C\" const muster::verif::Model* muster_model_${NAME}();\n")
    string(APPEND CALLS "    muster_model_${NAME}(),\n")
  endforeach()

  add_library(${library} STATIC ${sources})
  target_include_directories(${library} PRIVATE ${include})
  target_link_libraries(${library}
    PUBLIC muster_verif PRIVATE ${verilated} muster_flags)
  muster_model_interface(interface)
  target_compile_definitions(${library} PRIVATE ${interface})
  # Compiled into the program, so that it is not left out of it as nothing refers to it.
  set(list ${CMAKE_CURRENT_BINARY_DIR}/models/${library}.cpp)
  file(CONFIGURE OUTPUT ${list} CONTENT
"// Made by cmake/MusterModels.cmake for the library ${library}.
#include \"models/model_library.hpp\"

${DECLARATIONS}
namespace {
const muster::verif::LinkedModels models = {
${CALLS}};
}  // namespace
")
  target_sources(${library} INTERFACE ${list})
  if(ARG_SOAK OR ARG_COVERAGE)
    set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()
