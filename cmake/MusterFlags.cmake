# SPDX-License-Identifier: Apache-2.0
# Compiler settings of our own code; Verilated code takes none of the warnings.
add_library(muster_flags INTERFACE)
target_compile_options(muster_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)
if(MUSTER_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Of shared libraries: their own functions call each other directly. Nobody replaces one of them.
add_library(muster_shared INTERFACE)
target_compile_options(muster_shared INTERFACE -fno-semantic-interposition)
target_link_options(muster_shared INTERFACE -Wl,-Bsymbolic-functions)
