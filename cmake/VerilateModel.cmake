# SPDX-License-Identifier: Apache-2.0
# Runs Verilator for MusterVerilate.cmake; the arguments after `--` are its own. Then gathers the
# C++ that it wrote into FAST and SLOW, all into FAST if SLOW is empty, and the files that it read
# into DIR.d.
set(arguments "")
set(own FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(own)
    list(APPEND arguments ${CMAKE_ARGV${i}})
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(own TRUE)
  endif()
endforeach()

file(REMOVE_RECURSE ${DIR})
file(MAKE_DIRECTORY ${DIR})
execute_process(COMMAND ${VERILATOR} --prefix ${PREFIX} --Mdir ${DIR} ${arguments}
                RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "Verilator failed")
endif()

file(GLOB sources RELATIVE ${DIR} ${DIR}/${PREFIX}*.cpp)
list(SORT sources)
set(fast "")
set(slow "")
foreach(source ${sources})
  if(SLOW AND source MATCHES "__(Slow|Syms|ConstPool_[0-9]+)\\.cpp$")
    string(APPEND slow "#include \"${source}\"\n")
  else()
    string(APPEND fast "#include \"${source}\"\n")
  endif()
endforeach()
file(WRITE ${FAST} "${fast}")
if(SLOW)
  file(WRITE ${SLOW} "${slow}")
endif()

file(READ ${DIR}/${PREFIX}__ver.d depends)
string(REGEX REPLACE "^[^:]*:" "${FAST}:" depends "${depends}")
string(REGEX REPLACE "\n.*" "\n" depends "${depends}")
file(WRITE ${DIR}.d "${depends}")
