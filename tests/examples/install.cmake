# SPDX-License-Identifier: Apache-2.0
# Installs BUILD, or a COMPONENT of it, into PREFIX, an empty folder: nothing of before is taken for
# what is installed now.
file(REMOVE_RECURSE ${PREFIX})
if(COMPONENT)
  set(part --component ${COMPONENT})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} ${part}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
