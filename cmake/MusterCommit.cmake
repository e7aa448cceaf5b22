# SPDX-License-Identifier: Apache-2.0
# Writes the commit of the sources into a header, if it is not there yet; called in every build:
#
#   cmake -D ROOT=. -D HEADER=commit_text.hpp -P cmake/MusterCommit.cmake
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND git --no-optional-locks -c safe.directory=* describe --always --dirty --abbrev=12
          --exclude=*
  WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE commit RESULT_VARIABLE failed
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
# A folder inside another project's checkout is none.
if(failed OR NOT EXISTS ${ROOT}/.git)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT
"// Made by cmake/MusterCommit.cmake.
namespace muster::app {
inline constexpr const char* kCommitText = \"@commit@\";
}  // namespace muster::app
" @ONLY)
