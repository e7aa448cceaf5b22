# SPDX-License-Identifier: Apache-2.0
# Writes ${UNITY}, one file that includes every C++ file of a Verilated model in ${DIR}.
file(GLOB files ${DIR}/*.cpp)
list(SORT files)
set(text "")
foreach(file ${files})
  if(NOT file STREQUAL UNITY)
    string(APPEND text "#include \"${file}\"\n")
  endif()
endforeach()
file(WRITE ${UNITY} "${text}")
