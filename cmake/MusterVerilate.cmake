# SPDX-License-Identifier: Apache-2.0
# Verilated models as static libraries: one translation unit for each model, one runtime for all.
find_program(VERILATOR verilator REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)  # of FST traces
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT
                OUTPUT_VARIABLE VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

add_library(verilated_runtime STATIC
  ${VERILATOR_ROOT}/include/verilated.cpp
  ${VERILATOR_ROOT}/include/verilated_threads.cpp
  ${VERILATOR_ROOT}/include/verilated_fst_c.cpp)
target_include_directories(verilated_runtime SYSTEM PUBLIC
  ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
target_compile_definitions(verilated_runtime PUBLIC
  VM_COVERAGE=0 VM_SC=0 VM_TRACE=1 VM_TRACE_FST=1 VM_TRACE_VCD=0)
target_link_libraries(verilated_runtime PUBLIC Threads::Threads ZLIB::ZLIB)

set(MUSTER_RTL_DIR ${PROJECT_SOURCE_DIR}/rtl)
file(GLOB MUSTER_RTL_FILES CONFIGURE_DEPENDS ${MUSTER_RTL_DIR}/*/*.sv ${MUSTER_RTL_DIR}/*/*.svh)
file(GLOB MUSTER_RTL_FOLDERS LIST_DIRECTORIES true ${MUSTER_RTL_DIR}/*)

# muster_verilate(TARGET name PREFIX Vname TOP module [SOURCES file.v ...] [PARAMS Ports=8 ...]
#                 [ARGS ...])
# makes the library `name`, whose header is <PREFIX>.h. Without SOURCES the module comes from rtl/.
function(muster_verilate)
  cmake_parse_arguments(ARG "" "TARGET;PREFIX;TOP" "SOURCES;PARAMS;ARGS" ${ARGN})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/verilated/${ARG_TARGET})
  set(unity ${dir}/${ARG_PREFIX}_unity.cpp)
  if(NOT ARG_SOURCES)
    set(ARG_SOURCES ${MUSTER_RTL_DIR}/common/muster_pkg.sv)
    foreach(folder ${MUSTER_RTL_FOLDERS})
      list(APPEND search -y ${folder} -I${folder})
    endforeach()
    foreach(file ${MUSTER_RTL_FILES})
      get_filename_component(name ${file} NAME_WE)
      if(name STREQUAL ARG_TOP)
        list(APPEND ARG_SOURCES ${file})
      endif()
    endforeach()
  endif()
  list(TRANSFORM ARG_PARAMS PREPEND -G OUTPUT_VARIABLE generics)
  add_custom_command(
    OUTPUT ${unity}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${dir}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${dir}
    COMMAND ${VERILATOR} --cc -sv --prefix ${ARG_PREFIX} --top-module ${ARG_TOP} --Mdir ${dir}
            -O3 --x-assign unique --x-initial unique --assert --trace-fst
            --output-split 0 --no-timing ${search} ${generics} ${ARG_ARGS} ${ARG_SOURCES}
    COMMAND ${CMAKE_COMMAND} -DDIR=${dir} -DUNITY=${unity}
            -P ${PROJECT_SOURCE_DIR}/cmake/WriteUnity.cmake
    DEPENDS ${ARG_SOURCES} ${MUSTER_RTL_FILES} ${PROJECT_SOURCE_DIR}/cmake/WriteUnity.cmake
    COMMENT "Verilating ${ARG_TOP} as ${ARG_PREFIX}" VERBATIM)
  add_library(${ARG_TARGET} STATIC ${unity})
  target_include_directories(${ARG_TARGET} SYSTEM PUBLIC ${dir})
  target_link_libraries(${ARG_TARGET} PUBLIC verilated_runtime)
  target_compile_options(${ARG_TARGET} PRIVATE $<$<CONFIG:Release>:-O2> -fno-stack-protector -w)
endfunction()
