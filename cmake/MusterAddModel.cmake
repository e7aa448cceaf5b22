# SPDX-License-Identifier: Apache-2.0
# One model: a Verilated block of one size as a shared module, which the engines rtl and lockstep
# load. docs/reference/models.md says what a model is. Part of the installed package.
#
#   muster_add_model(ring4 TOP ring_switch PARAMETERS Ports=4 RTL ring_switch.sv)
#
# makes the target model_ring4: the files models/ring4.so and ring4.json, in the folder in which
# CMake puts programs, where a program looks for them. `--config ring4` chooses it.
# docs/how-to/your-design.md, With CMake, has the arguments.
include(${CMAKE_CURRENT_LIST_DIR}/MusterVerilate.cmake)

# A model and the program that loads it must be of the same interface: the headers between them, the
# compiler, Verilator.
function(muster_model_interface result)
  get_target_property(headers muster::verif MUSTER_HEADERS)
  get_property(verilator GLOBAL PROPERTY MUSTER_VERILATOR_VERSION)
  string(SHA256 interface
         "${headers} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${verilator}")
  set(${result} MUSTER_MODEL_INTERFACE="${interface}" PARENT_SCOPE)
endfunction()

# The source of the model of an entry, and the library verilated_NAME that it needs. PREFIX of the
# class, if not given, is VNAME; further arguments are those of muster_verilate.
function(muster_model_source source NAME entry)
  cmake_parse_arguments(ARG "" "PREFIX;OPTIMIZE" "RTL;SOURCES;ARGS" ${ARGN})
  string(JSON kind GET ${entry} kind)
  string(JSON top GET ${entry} top)
  string(JSON length LENGTH ${entry} params)
  math(EXPR last "${length} - 1")
  set(params "")
  set(CONSTANTS "")
  set(PARAMETERS "")
  foreach(k RANGE ${last})
    string(JSON p MEMBER ${entry} params ${k})
    string(JSON value GET ${entry} params ${p})
    list(APPEND params ${p}=${value})
    string(APPEND CONSTANTS "  [[maybe_unused]] static constexpr unsigned ${p} = ${value};\n")
    string(APPEND PARAMETERS "{\"${p}\", ${value}}, ")
  endforeach()
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX V${NAME})
  endif()
  if(ARG_SOURCES)  # a netlist: its size is fixed
    set(params "")
  endif()
  muster_verilate(TARGET verilated_${NAME} TOP ${top} PREFIX ${ARG_PREFIX} PARAMS ${params}
                  OPTIMIZE ${ARG_OPTIMIZE} RTL ${ARG_RTL} SOURCES ${ARG_SOURCES} ARGS ${ARG_ARGS}
                  ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(verilated_${NAME} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH home)
  configure_file(${home}/verif/models/model.cpp.in models/${NAME}.cpp @ONLY)
  set(${source} ${CMAKE_CURRENT_BINARY_DIR}/models/${NAME}.cpp PARENT_SCOPE)
endfunction()

# The target model_NAME of an entry: NAME.so in FOLDER. OPTIMIZE, RTL, SOURCES and ARGS as above.
function(muster_model_module entry)
  cmake_parse_arguments(ARG "" "OPTIMIZE;FOLDER" "RTL;SOURCES;ARGS" ${ARGN})
  string(JSON name GET ${entry} name)
  muster_model_source(source ${name} "${entry}" OPTIMIZE ${ARG_OPTIMIZE} RTL ${ARG_RTL}
                      SOURCES ${ARG_SOURCES} ARGS ${ARG_ARGS})
  muster_loaded_module(model_${name} ${name} ${ARG_FOLDER} ${source} verilated_${name})
  muster_model_interface(interface)
  target_compile_definitions(model_${name} PRIVATE ${interface})
endfunction()

function(muster_add_model name)
  cmake_parse_arguments(ARG "" "TOP;OPTIMIZE" "PARAMETERS;RTL;VERILATOR_ARGS" ${ARGN})
  set(caller "muster_add_model(${name})")
  muster_check_arguments("TOP, PARAMETERS, RTL, OPTIMIZE, VERILATOR_ARGS")
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    muster_refuse("'${name}' is no name of a model: small letters, digits and _")
  endif()
  muster_check_options("models have waveforms without it")
  muster_find_top("${ARG_TOP}" "${ARG_RTL}" top rtl)
  muster_settle_parameters("${ARG_TOP}" ${top} "${ARG_PARAMETERS}" settings)
  set(params "")
  foreach(setting ${settings})
    string(REGEX REPLACE "(.*)=(.*)" "\"\\1\": \\2" setting ${setting})
    list(APPEND params "${setting}")
  endforeach()
  list(JOIN params ", " params)
  set(entry "{\"name\": \"${name}\", \"top\": \"${ARG_TOP}\", \"kind\": \"switch\",
    \"params\": {${params}}}")

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/models)
  if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set(folder ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/models)
  endif()
  muster_model_module("${entry}" OPTIMIZE ${ARG_OPTIMIZE} FOLDER ${folder} RTL ${rtl}
                      ARGS ${ARG_VERILATOR_ARGS})
  file(CONFIGURE OUTPUT ${folder}/${name}.json @ONLY CONTENT
"{\"schema\": \"muster-configurations-1\", \"configurations\": [
  @entry@
]}
")
endfunction()
