# SPDX-License-Identifier: Apache-2.0
# Libraries of Verilated blocks, one model for each entry of a list of configurations.
#
#   muster_model_library(muster_verif CONFIGURATIONS rtl/configurations.json)
#
# makes a static library with the engines `rtl` and `lockstep` for the blocks listed. It answers
# switch_models(), box_models(), ..., so a program links one such library. Options:
#
#   QUICK | SOAK     only the entries with "quick": true | only the others, and not part of `all`
#   NETLISTS         Verilate what Yosys makes of the RTL (scripts/netlist) instead of the RTL
#   MUTANTS NAME     only the configuration of this entry of verif/mutations.json, its netlist with
#                    faults (scripts/mutants); verif/models/mutant.hpp says which is on
#   COVERAGE         count which lines are run and which bits change (verif/models/coverage.hpp)
#   ONLY NAME        only this entry
#   ALSO NAMES       with QUICK: these entries as well
#   SUFFIX _x        for the names of the models, if another library has the same entries
#   OPTIMIZE -O1     of the compiler, for models that are run for a short time only
#   FAST NAMES       whose speed is measured: they are compiled with -O3 whatever OPTIMIZE says
#
# A kind of block, `box` for instance, is two files in verif/models and a line below: box_models.hpp
# declares BoxModel and box_models(); box_model.cpp.in becomes the source of one model, with NAME
# and the parameters of its entry filled in.
include(MusterVerilate)

# Makes `netlist` with a script, of the entry `name` of a list.
function(muster_netlist script name list netlist)
  file(GLOB rtl CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/rtl/*/*.sv ${PROJECT_SOURCE_DIR}/rtl/*/*.svh)
  set(scripts ${PROJECT_SOURCE_DIR}/scripts)
  add_custom_command(
    OUTPUT ${netlist}
    COMMAND ${scripts}/${script} ${name} --out ${netlist}
    DEPENDS ${rtl} ${scripts}/${script} ${PROJECT_SOURCE_DIR}/rtl/configurations.json ${list}
            ${scripts}/flow.py ${PROJECT_SOURCE_DIR}/synth/yosys.mjs
    COMMENT "Synthesizing the ${script} of ${name}"
    VERBATIM)
endfunction()

# TRUE if entry `i` of the list is of the selection; `only` is the name of one entry or empty.
function(muster_selects json i quick soak only result)
  string(JSON is_quick ERROR_VARIABLE none GET ${json} configurations ${i} quick)
  string(JSON name GET ${json} configurations ${i} name)
  set(selected TRUE)
  if((quick AND NOT is_quick) OR (soak AND is_quick) OR (only AND NOT only STREQUAL name))
    set(selected FALSE)
  endif()
  set(${result} ${selected} PARENT_SCOPE)
endfunction()

# The configuration that an entry of verif/mutations.json mutates.
function(muster_mutated name result)
  file(READ ${PROJECT_SOURCE_DIR}/verif/mutations.json json)
  string(JSON count LENGTH ${json} mutations)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON entry GET ${json} mutations ${i} name)
    if(entry STREQUAL name)
      string(JSON configuration GET ${json} mutations ${i} configuration)
      set(${result} ${configuration} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(muster_model_library library)
  cmake_parse_arguments(ARG "QUICK;SOAK;NETLISTS;COVERAGE"
                        "CONFIGURATIONS;SUFFIX;OPTIMIZE;MUTANTS;ONLY" "ALSO;FAST"
                        ${ARGN})
  set(templates ${PROJECT_SOURCE_DIR}/verif/models)
  add_library(${library} STATIC)
  target_link_libraries(${library} PUBLIC muster_verif_engines)

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARG_CONFIGURATIONS})
  file(READ ${ARG_CONFIGURATIONS} json)
  string(JSON count LENGTH ${json} configurations)
  math(EXPR last "${count} - 1")
  set(models "")
  set(only "${ARG_ONLY}")
  if(ARG_MUTANTS)
    muster_mutated(${ARG_MUTANTS} only)
  endif()
  foreach(i RANGE ${last})
    foreach(key name kind top)
      string(JSON ${key} GET ${json} configurations ${i} ${key})
    endforeach()
    muster_selects(${json} ${i} ${ARG_QUICK} ${ARG_SOAK} "${only}" selected)
    if(NOT selected AND NOT name IN_LIST ARG_ALSO)
      continue()
    endif()
    string(JSON params_of GET ${json} configurations ${i} params)
    string(JSON length LENGTH ${params_of})
    math(EXPR last_param "${length} - 1")
    set(params "")
    set(Regs 0)  # of a switch without barrier registers
    set(Serial 0)
    foreach(k RANGE ${last_param})
      string(JSON p MEMBER ${params_of} ${k})
      string(JSON ${p} GET ${params_of} ${p})
      list(APPEND params ${p}=${${p}})
    endforeach()
    set(NAME ${name}${ARG_SUFFIX})
    set(COMBINING false)
    if(top STREQUAL combining_box)
      set(COMBINING true)
    endif()
    set(prefix V${NAME})
    if(ARG_MUTANTS)
      set(netlist ${CMAKE_CURRENT_BINARY_DIR}/${ARG_MUTANTS}.v)
      muster_netlist(mutants ${ARG_MUTANTS} ${PROJECT_SOURCE_DIR}/verif/mutations.json
                     ${netlist})
      # Yosys writes operators as it holds them: no care for widths and overlapping cases.
      set(source SOURCES ${netlist} ARGS -Wno-UNOPTFLAT -Wno-lint)
      # The class that the model's source expects, with a fault switched on.
      set(prefix V${NAME}_netlist)
      set(headers ${CMAKE_CURRENT_BINARY_DIR}/models/${NAME})
      configure_file(${templates}/mutant_model.hpp.in ${headers}/V${NAME}.h @ONLY)
      configure_file(${templates}/model_root.hpp.in ${headers}/V${NAME}___024root.h @ONLY)
      target_include_directories(${library} PRIVATE ${headers})
    elseif(ARG_NETLISTS)
      set(netlist ${CMAKE_CURRENT_BINARY_DIR}/${name}.v)
      muster_netlist(netlist ${name} ${ARG_CONFIGURATIONS} ${netlist})
      # Bits of one vector of a netlist depend on one another: no loop, but Verilator sees the
      # vector.
      set(source SOURCES ${netlist} ARGS -Wno-UNOPTFLAT)
    else()
      set(source PARAMS ${params})
    endif()
    if(ARG_COVERAGE)
      list(APPEND source COVERAGE)
    endif()
    set(optimize ${ARG_OPTIMIZE})
    if(name IN_LIST ARG_FAST)
      set(optimize -O3)
    endif()
    muster_verilate(TARGET model_${NAME} PREFIX ${prefix} TOP ${top} ${source}
                    OPTIMIZE ${optimize})
    configure_file(${templates}/${kind}_model.cpp.in models/${NAME}.cpp @ONLY)
    target_sources(${library} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/models/${NAME}.cpp)
    list(APPEND models model_${NAME})
    list(APPEND names_of_${kind} ${NAME})
  endforeach()

  muster_list_models(${library} switch Switch "${names_of_switch}")
  muster_list_models(${library} box Box "${names_of_box}")
  muster_list_models(${library} policy Policy "${names_of_policy}")
  muster_list_models(${library} nic Nic "${names_of_nic}")
  target_link_libraries(${library} PRIVATE ${models} muster_flags)
  if(ARG_SOAK OR ARG_COVERAGE)
    set_target_properties(${library} ${models} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()

# The function KIND_models() of a library; TYPE is the kind as it begins the name of a class.
function(muster_list_models library KIND TYPE names)
  set(DECLARATIONS "")
  set(CALLS "")
  foreach(name ${names})
    string(APPEND DECLARATIONS "${TYPE}Model model_${name}();\n")
    string(APPEND CALLS "      model_${name}(),\n")
  endforeach()
  set(list models/${library}_${KIND}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/verif/models/models.cpp.in ${list} @ONLY)
  target_sources(${library} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${list})
endfunction()
