# SPDX-License-Identifier: Apache-2.0
# Compiler settings of our own code, and its private headers; Verilated code takes none of the
# warnings.
add_library(muster_flags INTERFACE)
target_include_directories(muster_flags INTERFACE ${PROJECT_SOURCE_DIR}/sim_cpp)
target_compile_options(muster_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
# Not by default: another compiler's new warning must not stop a user who only builds the project.
if(MUSTER_WERROR)
  target_compile_options(muster_flags INTERFACE -Werror)
endif()
if(MUSTER_SANITIZE)
  set(sanitizers_address address,undefined)
  set(sanitizers_thread thread)
  if(NOT DEFINED sanitizers_${MUSTER_SANITIZE})
    message(FATAL_ERROR "MUSTER_SANITIZE=${MUSTER_SANITIZE}: there are address and thread")
  endif()
  add_compile_options(-fsanitize=${sanitizers_${MUSTER_SANITIZE}} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers_${MUSTER_SANITIZE}})
  # What a sanitizer adds hides from g++ that a value is set on every way to its use.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(muster_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

# Of shared libraries: their own functions call each other directly. No user replaces one of them.
add_library(muster_shared INTERFACE)
target_compile_options(muster_shared INTERFACE -fno-semantic-interposition)
target_link_options(muster_shared INTERFACE -Wl,-Bsymbolic-functions)

# A source without code: a target with a precompiled header needs one.
function(muster_empty_source variable)
  set(file ${PROJECT_BINARY_DIR}/empty.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "// A target with a precompiled header needs a source.\n")
  set(${variable} ${file} PARENT_SCOPE)
endfunction()
