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
#
# Rules of layers are about what a file names itself: no chain of such includes climbs. What golden
# models and checkers may not see they may not see through other headers either.
cmake_minimum_required(VERSION 3.25)
get_filename_component(ROOT ${ROOT} ABSOLUTE)
set(rules "")
function(rule files forbidden excused)
  set(rules ${rules} "${files}@${forbidden}@${excused}" PARENT_SCOPE)
endfunction()

rule("^core/" "^(topology|fabric|run|systems|bench|app)/" "none")
rule("^topology/" "^(fabric|run|systems|bench|app)/" "none")
rule("^fabric/" "^(run|systems|bench|app)/" "none")
rule("^run/" "^(systems|bench|app)/" "none")
rule("^systems/" "^(bench|app)/" "none")
# Two opinions of one specification do not see each other.
set(opinions golden checkers)
rule("/golden/" "/checkers/" "none")
rule("/checkers/" "/golden/" "none")

# What a file includes, in either kind of brackets: `written_FILE` as it stands there, `names_FILE`
# from its tree on, `paths_FILE` the files among them that are the project's. FILE begins with its
# tree.
function(read_includes tree file)
  file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]")
  set(all_written "")
  set(names "")
  set(paths "")
  cmake_path(GET file PARENT_PATH folder)
  foreach(line ${lines})
    string(REGEX REPLACE "^[ \t]*#[ \t]*include[ \t]*[\"<]([^\">]*).*" "\\1" written "${line}")
    set(found "")
    # A compiler looks beside the file first.
    cmake_path(SET beside NORMALIZE "${folder}/${written}")
    cmake_path(SET inside NORMALIZE "sim_cpp/${written}")
    cmake_path(SET public NORMALIZE "include/${written}")
    if(NOT line MATCHES "<" AND EXISTS ${ROOT}/${beside} AND NOT IS_DIRECTORY ${ROOT}/${beside})
      set(found ${beside})
    elseif(EXISTS ${ROOT}/${inside} AND NOT IS_DIRECTORY ${ROOT}/${inside})
      set(found ${inside})
    elseif(EXISTS ${ROOT}/${public} AND NOT IS_DIRECTORY ${ROOT}/${public})
      set(found ${public})
    endif()
    if(found)
      list(APPEND paths ${found})
      string(REGEX REPLACE "^(sim_cpp|include/muster)/" "" name "${found}")
    elseif(line MATCHES "<")
      continue()  # of others
    else()
      string(REGEX REPLACE "^muster/" "" name "${written}")
    endif()
    list(APPEND all_written "${written}")
    list(APPEND names "${name}")
  endforeach()
  set("written_${file}" "${all_written}" PARENT_SCOPE)
  set("names_${file}" "${names}" PARENT_SCOPE)
  set("paths_${file}" "${paths}" PARENT_SCOPE)
endfunction()

# Breaches by what a file names itself.
function(check_includes tree file)
  string(REGEX REPLACE "^${tree}/" "" source "${file}")
  foreach(written name IN ZIP_LISTS "written_${file}" "names_${file}")
    # What is installed needs nothing that is not.
    if(tree STREQUAL "include/muster" AND NOT written MATCHES "^muster/")
      string(APPEND broken "\n  ${file} includes ${written}, which is private")
    endif()
    foreach(entry ${rules})
      string(REPLACE "@" ";" parts "${entry}")
      list(GET parts 0 files)
      list(GET parts 1 forbidden)
      list(GET parts 2 excused)
      if(source MATCHES "${files}" AND name MATCHES "${forbidden}" AND
         NOT name MATCHES "${excused}")
        string(APPEND broken "\n  ${file} includes ${written}")
      endif()
    endforeach()
  endforeach()
  set(broken "${broken}" PARENT_SCOPE)
endfunction()

# Breaches of a golden model or checker by what it includes through other headers.
function(check_opinion file)
  foreach(opinion ${opinions})
    if(file MATCHES "/${opinion}/")
      set(others ${opinions})
      list(REMOVE_ITEM others ${opinion})
    endif()
  endforeach()
  set(seen ${paths_${file}})
  set(queue ${seen})
  while(queue)
    list(POP_FRONT queue header)
    if(header MATCHES "/${others}/")
      continue()  # named: by the file itself, above, or by a header, below
    endif()
    foreach(next ${paths_${header}})
      if(next MATCHES "/${others}/")
        string(APPEND broken "\n  ${file} includes ${next} through ${header}")
      endif()
      if(NOT next IN_LIST seen)
        list(APPEND seen ${next})
        list(APPEND queue ${next})
      endif()
    endforeach()
  endwhile()
  set(broken "${broken}" PARENT_SCOPE)
endfunction()

set(broken "")
set(files "")
foreach(tree include/muster sim_cpp)
  file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${tree}/*.hpp ${ROOT}/${tree}/*.cpp)
  list(APPEND files ${sources})
  foreach(file ${sources})
    read_includes(${tree} ${file})
    check_includes(${tree} ${file})
  endforeach()
endforeach()
foreach(file ${files})
  if(file MATCHES "/(golden|checkers)/")
    check_opinion(${file})
  endif()
endforeach()
if(broken)
  message(FATAL_ERROR "includes against the layers:${broken}")
endif()
