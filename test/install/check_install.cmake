# cmake --install into a fresh prefix; then programs outside the project are built against the package and run, by CMake,
# with the C++ example of the README, and by pkg-config; then the installed program.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${code}:\n${output}")
  endif()
endfunction()

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# Headers of ours that an installed header includes are installed, too; those that are internal are not.
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*.h)
list(LENGTH headers header_count)
if(header_count GREATER 48)
  message(FATAL_ERROR "${header_count} headers are installed: internal ones among them?")
endif()
foreach(header IN LISTS headers)
  file(STRINGS ${prefix}/include/${header} lines REGEX "#include [\"<]stiction/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*[\"<](stiction/[^\">]*)[\">].*" "\\1" included "${line}")
    if(NOT EXISTS ${prefix}/include/${included})
      message(FATAL_ERROR "${header} includes ${included}, which is not installed")
    endif()
  endforeach()
endforeach()

# The first block of C++ in the README.
file(READ ${README} readme)
string(REGEX MATCH "```cpp\n([^`]*)```" block "${readme}")
file(WRITE ${WORK}/readme.cpp "${CMAKE_MATCH_1}")

# The program of docs/cpp.md, and what it prints.
file(READ ${DOCS}/cpp.md page)
string(REGEX MATCH "```cpp\n([^`]*)```" block "${page}")
file(WRITE ${WORK}/docs.cpp "${CMAKE_MATCH_1}")
string(REGEX MATCH "```text\n([^`]*)```" block "${page}")
set(docs_output "${CMAKE_MATCH_1}")

run(${CMAKE_COMMAND} -S ${OUTSIDE} -B ${WORK}/outside -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_PREFIX_PATH=${prefix}
  -DREADME_SOURCE=${WORK}/readme.cpp -DDOCS_SOURCE=${WORK}/docs.cpp)
run(${CMAKE_COMMAND} --build ${WORK}/outside)
run(${WORK}/outside/outside)
# A simulation needs neither the library of HDF5 exports nor that of pictures.
execute_process(COMMAND ldd ${WORK}/outside/outside OUTPUT_VARIABLE libraries)
if(NOT libraries MATCHES "sqlite" OR libraries MATCHES "hdf5|cairo")
  message(FATAL_ERROR "a program that simulates needs:\n${libraries}")
endif()
execute_process(COMMAND ${WORK}/outside/readme WORKING_DIRECTORY ${EXAMPLE_FOLDER} OUTPUT_VARIABLE output)
if(NOT output MATCHES "^x\\(end\\) = 0\\.4551")  # the hand calculation of docs/tutorials.md: 0.5 - 0.0449 m
  message(FATAL_ERROR "the C++ example of the README prints: ${output}")
endif()

execute_process(COMMAND ${WORK}/outside/docs OUTPUT_VARIABLE output)
if(NOT output STREQUAL docs_output)
  message(FATAL_ERROR "the program of docs/cpp.md prints:\n${output}")
endif()

# The contact core alone: by CMake without the packages of the other layers, and by pkg-config.
run(${CMAKE_COMMAND} -S ${CONTACT_ONLY} -B ${WORK}/contact_only -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK}/contact_only)
run(${WORK}/contact_only/contact_only)
# It needs none of the libraries of the layers above, directly or by another library.
function(check_needs program)
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program} RESOLVED_DEPENDENCIES_VAR needed UNRESOLVED_DEPENDENCIES_VAR missing)
  if(NOT needed MATCHES "libstdc")
    message(FATAL_ERROR "${program}: its libraries cannot be listed")
  endif()
  foreach(library IN LISTS needed missing)
    if(library MATCHES "hdf5|cairo|sqlite|sundials|tomlplusplus")
      message(FATAL_ERROR "${program}, the contact core alone, needs ${library}")
    endif()
  endforeach()
endfunction()
check_needs(${WORK}/contact_only/contact_only)
file(GLOB pc_folder ${prefix}/lib*/pkgconfig ${prefix}/lib*/*/pkgconfig)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
foreach(package stiction-contact stiction)
  execute_process(COMMAND pkg-config --cflags --libs ${package} OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  if(flags MATCHES "hdf5|cairo")
    message(FATAL_ERROR "pkg-config of ${package} gives ${flags}")
  endif()
  separate_arguments(flags UNIX_COMMAND "${flags}")
  separate_arguments(compiler_flags UNIX_COMMAND "${FLAGS}")
  set(source ${CONTACT_ONLY}/main.cpp)
  if(package STREQUAL stiction)
    set(source ${WORK}/readme.cpp)
  endif()
  run(${COMPILER} -std=c++20 ${compiler_flags} ${source} ${flags} -o ${WORK}/by_pkgconfig)
  if(package STREQUAL stiction-contact)
    check_needs(${WORK}/by_pkgconfig)
  endif()
endforeach()
execute_process(COMMAND ${WORK}/by_pkgconfig WORKING_DIRECTORY ${EXAMPLE_FOLDER} OUTPUT_VARIABLE output)
if(NOT output MATCHES "^x\\(end\\) = 0\\.4551")
  message(FATAL_ERROR "built by pkg-config, the C++ example of the README prints: ${output}")
endif()

# The program and the scenes are there too.
run(${prefix}/bin/stiction version)
file(GLOB examples RELATIVE ${EXAMPLE_FOLDER} ${EXAMPLE_FOLDER}/*.toml)
foreach(example IN LISTS examples)
  run(${prefix}/bin/stiction check ${prefix}/share/stiction/examples/${example})
endforeach()
