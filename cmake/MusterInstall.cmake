# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs, in components: `core`, the libraries and their headers; `verif`,
# what makes and runs Verilated models of other projects; `program`, with the models that are built.
# docs/how-to/library.md.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/muster)
set(data ${CMAKE_INSTALL_DATADIR}/muster)
if(MUSTER_RTL)
  find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)
endif()

install(TARGETS muster_core EXPORT musterCore
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT core)
if(MUSTER_APP)
  install(TARGETS muster_app EXPORT musterCore
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT core)
  install(TARGETS muster RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # Schemas of all that the program reads and writes as JSON.
  set(schemas ${PROJECT_BINARY_DIR}/schemas)
  file(GLOB tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/schemas/*.yaml)
  add_custom_command(OUTPUT ${schemas}/muster-run-1.schema.json
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/validate --write ${schemas}
            --program $<TARGET_FILE:muster>
    DEPENDS ${tables} ${PROJECT_SOURCE_DIR}/scripts/validate muster
    COMMENT "Making the JSON Schemas" VERBATIM)
  add_custom_target(muster_schemas ALL DEPENDS ${schemas}/muster-run-1.schema.json)
  install(DIRECTORY ${schemas} profiles DESTINATION ${data} COMPONENT program)
endif()
install(DIRECTORY include/muster DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core
        PATTERN verif.hpp EXCLUDE)
install(EXPORT musterCore NAMESPACE muster:: DESTINATION ${package} COMPONENT core)
configure_package_config_file(cmake/musterConfig.cmake.in
  ${PROJECT_BINARY_DIR}/musterConfig.cmake INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_DATADIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/musterConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/musterConfig.cmake
              ${PROJECT_BINARY_DIR}/musterConfigVersion.cmake
        DESTINATION ${package} COMPONENT core)

if(TARGET muster_mpi)
  install(TARGETS muster_mpi muster_calls
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program)
endif()
# Comments of the headers refer to it.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/muster COMPONENT core
        FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.png)
if(NOT MUSTER_RTL)
  return()
endif()
install(DIRECTORY ${PROJECT_BINARY_DIR}/models/ OPTIONAL
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/muster/models COMPONENT program)

install(TARGETS muster_verilated muster_comparison muster_verif EXPORT musterVerif
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT verif)
install(EXPORT musterVerif NAMESPACE muster:: DESTINATION ${package} COMPONENT verif)
install(FILES include/muster/verif.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/muster COMPONENT verif)
# What a model is compiled from: hardware, the frames of banks, the functions of CMake; in folders
# as here.
install(DIRECTORY rtl DESTINATION ${data} COMPONENT verif
        FILES_MATCHING PATTERN *.sv PATTERN *.svh PATTERN *.f PATTERN *.core PATTERN *.sdc
        PATTERN *.xdc)
# Lists of it for other tools, with the examples that they and pages name, and its registers.
# FuseSoC, which looks for cores in all folders of a checkout, finds none that is installed in the
# build folder.
file(TOUCH ${PROJECT_BINARY_DIR}/FUSESOC_IGNORE)
install(FILES muster.core Bender.yml DESTINATION ${data} COMPONENT verif)
install(DIRECTORY examples/mesh_top examples/own_soc examples/two_switches
        DESTINATION ${data}/examples COMPONENT verif)
install(DIRECTORY rdl DESTINATION ${data} COMPONENT verif FILES_MATCHING PATTERN *.rdl)
install(FILES verif/formal/muster_bind.sv DESTINATION ${data}/verif/formal COMPONENT verif)
# Registers and driver for programs in C.
install(DIRECTORY sw DESTINATION ${data} COMPONENT verif FILES_MATCHING PATTERN *.h PATTERN *.c)
install(DIRECTORY verif/models DESTINATION ${data}/verif COMPONENT verif
        FILES_MATCHING PATTERN *.hpp PATTERN model.cpp.in
        REGEX "/((box|injection|link|nic|policy)_model|model_library|instrumented)\\.hpp$" EXCLUDE)
install(DIRECTORY verif/networks DESTINATION ${data}/verif COMPONENT verif)
install(FILES cmake/MusterAddModel.cmake cmake/MusterBlocks.cmake cmake/MusterVerilate.cmake
              cmake/VerilateModel.cmake
        DESTINATION ${data}/cmake COMPONENT verif)
