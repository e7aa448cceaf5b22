# SPDX-License-Identifier: Apache-2.0
# Which part of sim_cpp may include which. Fails with every include that breaks a rule. Run as
#
#   cmake -D ROOT=sim_cpp -P cmake/CheckLayers.cmake
#
# A rule is three regular expressions: the files that it is about, what they may not include, and
# the includes that are excused. The excused ones are debts, each with the reason.
get_filename_component(ROOT ${ROOT} ABSOLUTE)
set(rules "")
function(rule files forbidden excused)
  set(rules ${rules} "${files}@${forbidden}@${excused}" PARENT_SCOPE)
endfunction()

rule("^core/" "^(topology|fabric|run|systems|figures|bench|app)/" "none")
rule("^topology/" "^(fabric|run|systems|figures|bench|app)/" "none")
# The blocks of NIC and cube are still part of what an engine makes, and kinds of switches are a
# table of the fabric.
rule("^fabric/" "^(run|systems|figures|bench|app)/"
     "^systems/([a-z]+/blocks|(nic|esc)/golden|[a-z]+/golden/[a-z]+_switch)")
rule("^run/" "^(systems|figures|bench|app)/" "none")
rule("^systems/" "^(bench|app)/" "none")
# Two opinions of one specification do not see each other.
rule("/golden/" "/checkers/" "none")
rule("/checkers/" "/golden/" "none")

file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/*.hpp ${ROOT}/*.cpp)
set(broken "")
foreach(source ${sources})
  file(STRINGS ${ROOT}/${source} includes REGEX "^#include \"")
  foreach(include ${includes})
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" include "${include}")
    foreach(entry ${rules})
      string(REPLACE "@" ";" parts "${entry}")
      list(GET parts 0 files)
      list(GET parts 1 forbidden)
      list(GET parts 2 excused)
      if(source MATCHES "${files}" AND include MATCHES "${forbidden}" AND
         NOT include MATCHES "${excused}")
        string(APPEND broken "\n  ${source} includes ${include}")
      endif()
    endforeach()
  endforeach()
endforeach()
if(broken)
  message(FATAL_ERROR "sim_cpp: includes against the layers:${broken}")
endif()
