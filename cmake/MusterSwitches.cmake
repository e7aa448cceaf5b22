# SPDX-License-Identifier: Apache-2.0
# Libraries of Verilated switches, one model for each entry of a list of configurations.
#
#   muster_switch_library(muster_verif CONFIGURATIONS rtl/configurations.json)
#
# makes a static library with the engines `rtl` and `lockstep` for the switches listed. It answers
# switch_models() (verif/models/switch_models.hpp), so a program links one such library. Options:
#
#   QUICK | SOAK     only the entries with "quick": true | only the others, and not part of `all`
#   NETLISTS         Verilate what Yosys makes of the RTL (scripts/netlist) instead of the RTL
#   SUFFIX _x        for the names of the models, if another library has the same entries
#   OPTIMIZE -O1     of the compiler, for models that are run for a short time only
include(MusterVerilate)

# Makes DIR/NAME.v, the netlist of an entry of rtl/configurations.json.
function(muster_netlist name netlist)
  file(GLOB rtl CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/rtl/*/*.sv ${PROJECT_SOURCE_DIR}/rtl/*/*.svh)
  set(script ${PROJECT_SOURCE_DIR}/scripts/netlist)
  add_custom_command(
    OUTPUT ${netlist}
    COMMAND ${script} ${name} --out ${netlist}
    DEPENDS ${rtl} ${script} ${PROJECT_SOURCE_DIR}/rtl/configurations.json
            ${PROJECT_SOURCE_DIR}/scripts/flow.py ${PROJECT_SOURCE_DIR}/synth/yosys.mjs
    COMMENT "Synthesizing the netlist of ${name}"
    VERBATIM)
endfunction()

# TRUE if entry `i` of the list is of kind `switch` and of the selection.
function(muster_selects json i quick soak result)
  string(JSON kind GET ${json} configurations ${i} kind)
  string(JSON is_quick ERROR_VARIABLE none GET ${json} configurations ${i} quick)
  set(selected TRUE)
  if(NOT kind STREQUAL "switch" OR (quick AND NOT is_quick) OR (soak AND is_quick))
    set(selected FALSE)
  endif()
  set(${result} ${selected} PARENT_SCOPE)
endfunction()

function(muster_switch_library library)
  cmake_parse_arguments(ARG "QUICK;SOAK;NETLISTS" "CONFIGURATIONS;SUFFIX;OPTIMIZE" "" ${ARGN})
  set(verif ${PROJECT_SOURCE_DIR}/verif)
  add_library(${library} STATIC)
  target_link_libraries(${library} PUBLIC muster_verif_engines)

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARG_CONFIGURATIONS})
  file(READ ${ARG_CONFIGURATIONS} json)
  string(JSON count LENGTH ${json} configurations)
  math(EXPR last "${count} - 1")
  set(MODEL_DECLARATIONS "")
  set(MODEL_ENTRIES "")
  set(models "")
  foreach(i RANGE ${last})
    muster_selects(${json} ${i} ${ARG_QUICK} ${ARG_SOAK} selected)
    if(NOT selected)
      continue()
    endif()
    string(JSON configuration GET ${json} configurations ${i} name)
    string(JSON top GET ${json} configurations ${i} top)
    set(params "")
    foreach(p Ports Vcs Depth Regs FlitW GidW Dests)
      string(JSON ${p} GET ${json} configurations ${i} params ${p})
      list(APPEND params ${p}=${${p}})
    endforeach()
    set(NAME ${configuration}${ARG_SUFFIX})
    if(ARG_NETLISTS)
      set(netlist ${CMAKE_CURRENT_BINARY_DIR}/${configuration}.v)
      muster_netlist(${configuration} ${netlist})
      # Bits of one vector of a netlist depend on one another: no loop, but Verilator sees the
      # vector.
      set(source SOURCES ${netlist} ARGS -Wno-UNOPTFLAT)
    else()
      set(source PARAMS ${params})
    endif()
    muster_verilate(TARGET model_${NAME} PREFIX V${NAME} TOP ${top} ${source}
                    OPTIMIZE ${ARG_OPTIMIZE})
    configure_file(${verif}/models/switch_model.cpp.in models/${NAME}.cpp @ONLY)
    target_sources(${library} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/models/${NAME}.cpp)
    list(APPEND models model_${NAME})
    string(APPEND MODEL_DECLARATIONS "std::unique_ptr<network::Bank> make_${NAME}(std::uint32_t, "
           "const network::BankOptions&);\n")
    string(APPEND MODEL_ENTRIES "    {{\"${NAME}\", ${Ports}, ${Vcs}, ${Depth}, ${Regs}, ${FlitW}, "
           "${GidW}, ${Dests}}, make_${NAME}},\n")
  endforeach()

  set(list models/${library}.cpp)
  configure_file(${verif}/models/switch_models.cpp.in ${list} @ONLY)
  target_sources(${library} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${list})
  target_link_libraries(${library} PRIVATE ${models} muster_flags)
  if(ARG_SOAK)
    set_target_properties(${library} ${models} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()
