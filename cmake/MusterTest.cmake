# SPDX-License-Identifier: Apache-2.0
include(Catch)

# Catch2's main and its precompiled header are made once for all tests. The main does not use the
# header, as it defines a macro before it. More in the header makes the tests slower to compile: it
# takes longer to load than they to parse what they need of it. With -Og tests take a fifth less to
# compile than with -O1; -O0 takes no less.
add_library(muster_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/support/main.cpp)
target_include_directories(muster_test_main PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(muster_test_main PUBLIC Catch2::Catch2)
target_compile_options(muster_test_main PRIVATE -O0)

add_library(muster_test_header OBJECT ${MUSTER_EMPTY_SOURCE})
target_link_libraries(muster_test_header PRIVATE muster_core muster_flags Catch2::Catch2)
target_compile_options(muster_test_header PRIVATE -Og)
target_precompile_headers(muster_test_header PRIVATE <catch2/catch.hpp>)

# muster_test(NAME SOURCES a.cpp ... [OBJECTS name ...] [LINK lib ...] [TIER tier] [SEPARATE]) makes
# one executable and a ctest entry for every test case in it. Its sources are compiled three at a
# time; SEPARATE says that helpers in two of them have one name, so that each must be compiled by
# itself. OBJECTS are those of muster_test_objects. A case tagged [soak] gets the ctest label `soak`
# and is not in the default run, which scripts/test calls with `-LE soak`; one of tier `rtl` has the
# models that only the soak run builds.
#
# The others get the label of their TIER: `unit`, `network` (runs of whole networks on golden
# models), or `rtl` (Verilated models), which those of tests/verif and tests/rtl have. What
# synthesizes, proves or builds has the label `hardware`, given where it is added.
function(muster_test name)
  muster_test_program(${name} ${ARGN})
  cmake_parse_arguments(ARG "SEPARATE" "TIER" "SOURCES;OBJECTS;LINK" ${ARGN})
  set(tier unit)
  if(ARG_TIER)
    set(tier ${ARG_TIER})
  elseif(CMAKE_CURRENT_SOURCE_DIR MATCHES "/tests/(verif|rtl)")
    set(tier rtl)
  endif()
  # A name that the program does not find, such as one that CMake has taken apart, fails.
  catch_discover_tests(${name} TEST_SPEC "~[soak]~[.]" TEST_PREFIX "${name}: "
                       EXTRA_ARGS -w NoTests PROPERTIES LABELS ${tier})
  foreach(objects ${ARG_OBJECTS})
    get_target_property(sources ${objects} SOURCES)
    list(APPEND ARG_SOURCES ${sources})
  endforeach()
  set(soak "")  # Catch's discovery warns of a program without a case
  foreach(source ${ARG_SOURCES})
    file(STRINGS ${source} soak REGEX "\\[soak\\]" LIMIT_COUNT 1)
    if(soak)
      break()
    endif()
  endforeach()
  if(NOT soak)
    return()
  endif()
  catch_discover_tests(${name} TEST_SPEC "[soak]" TEST_PREFIX "${name}: " TEST_SUFFIX " (soak)"
                       EXTRA_ARGS -w NoTests PROPERTIES LABELS soak TIMEOUT 7200
                                                        FIXTURES_REQUIRED models_of_${tier})
endfunction()

# muster_soak_test(NAME ...), as above, for a program that takes long to build: it is no part of
# `all`, the soak run builds it. One ctest entry builds, one runs all cases.
function(muster_soak_test name)
  muster_test_program(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  add_test(NAME "${name}: build (soak)"
           COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target ${name})
  add_test(NAME "${name}: run (soak)" COMMAND ${name})
  set_tests_properties("${name}: build (soak)" PROPERTIES
    LABELS soak TIMEOUT 7200 FIXTURES_SETUP ${name} RESOURCE_LOCK build)
  set_tests_properties("${name}: run (soak)" PROPERTIES
    LABELS soak TIMEOUT 7200 FIXTURES_REQUIRED ${name})
endfunction()

function(muster_test_program name)
  cmake_parse_arguments(ARG "SEPARATE" "TIER" "SOURCES;OBJECTS;LINK" ${ARGN})
  foreach(objects ${ARG_OBJECTS})
    list(APPEND ARG_SOURCES $<TARGET_OBJECTS:${objects}>)
  endforeach()
  add_executable(${name} ${ARG_SOURCES})
  muster_test_settings(${name} ${ARG_LINK})
  if(ARG_SEPARATE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  target_compile_definitions(${name} PRIVATE
    MUSTER_SOURCE_DIR="${PROJECT_SOURCE_DIR}" MUSTER_BINARY="$<TARGET_FILE_DIR:${name}>")
endfunction()

# muster_command_test(NAME LABEL COMMAND ... [PROPERTIES name value ...]) adds a test that is a
# command.
function(muster_command_test name label)
  cmake_parse_arguments(ARG "" "" "COMMAND;PROPERTIES" ${ARGN})
  add_test(NAME "${name}" COMMAND ${ARG_COMMAND})
  set_tests_properties("${name}" PROPERTIES LABELS ${label} ${ARG_PROPERTIES})
endfunction()

# muster_test_objects(NAME SOURCES a.cpp ... [LINK lib ...]) compiles tests that are in several
# programs, with other models for instance, once for all of them.
function(muster_test_objects name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  add_library(${name} OBJECT ${ARG_SOURCES})
  muster_test_settings(${name} ${ARG_LINK})
endfunction()

# How tests are compiled; the arguments after the target are what they link.
function(muster_test_settings target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE muster_core muster_flags muster_test_main ${ARGN})
  target_compile_options(${target} PRIVATE -Og)
  target_precompile_headers(${target} REUSE_FROM muster_test_header)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 3)
endfunction()
