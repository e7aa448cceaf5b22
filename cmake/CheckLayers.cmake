# SPDX-License-Identifier: Apache-2.0
# Which part of the C++ library may include which: the private sources in sim_cpp/, and the public
# headers in include/muster/, which are of the same layers. Fails with every include that breaks a
# rule. Run as
#
#   cmake -D ROOT=. -P cmake/CheckLayers.cmake
#
# A rule is three regular expressions: the files that it is about, what they may not include, and
# the includes that are excused. The excused ones are debts, each with the reason. Files and
# includes are named from their tree on.
get_filename_component(ROOT ${ROOT} ABSOLUTE)
set(rules "")
function(rule files forbidden excused)
  set(rules ${rules} "${files}@${forbidden}@${excused}" PARENT_SCOPE)
endfunction()

rule("^core/" "^(topology|fabric|run|systems|figures|bench|app)/" "none")
rule("^topology/" "^(fabric|run|systems|figures|bench|app)/" "none")
rule("^fabric/" "^(run|systems|figures|bench|app)/" "none")
rule("^run/" "^(systems|figures|bench|app)/" "none")
rule("^systems/" "^(bench|app)/" "none")
# Two opinions of one specification do not see each other.
rule("/golden/" "/checkers/" "none")
rule("/checkers/" "/golden/" "none")

set(broken "")
foreach(tree include/muster sim_cpp)
  file(GLOB_RECURSE sources RELATIVE ${ROOT}/${tree} ${ROOT}/${tree}/*.hpp ${ROOT}/${tree}/*.cpp)
  foreach(source ${sources})
    file(STRINGS ${ROOT}/${tree}/${source} includes REGEX "^#include \"")
    foreach(line ${includes})
      string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" written "${line}")
      # What is installed needs nothing that is not.
      if(tree STREQUAL "include/muster" AND NOT written MATCHES "^muster/")
        string(APPEND broken "\n  ${tree}/${source} includes ${written}, which is private")
      endif()
      string(REGEX REPLACE "^muster/" "" include "${written}")
      foreach(entry ${rules})
        string(REPLACE "@" ";" parts "${entry}")
        list(GET parts 0 files)
        list(GET parts 1 forbidden)
        list(GET parts 2 excused)
        if(source MATCHES "${files}" AND include MATCHES "${forbidden}" AND
           NOT include MATCHES "${excused}")
          string(APPEND broken "\n  ${tree}/${source} includes ${written}")
        endif()
      endforeach()
    endforeach()
  endforeach()
endforeach()
if(broken)
  message(FATAL_ERROR "includes against the layers:${broken}")
endif()
