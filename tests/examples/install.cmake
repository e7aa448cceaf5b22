# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into PREFIX, an empty folder: nothing of before is taken for what is installed now.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
