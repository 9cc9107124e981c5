# cmake --install into a fresh prefix, as ./dev install does; then programs outside the project are built against the
# package and run, by CMake, with the C++ example of the README, and by pkg-config; those of docs/cpp.md and docs/c.md by
# the commands of these pages; then the installed program.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${code}:\n${output}")
  endif()
endfunction()

set(prefix ${WORK}/home/stiction)  # as in the documents, with HOME = WORK/home
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --component Unspecified)

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

run(${CMAKE_COMMAND} -S ${OUTSIDE} -B ${WORK}/outside -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_PREFIX_PATH=${prefix}
  -DREADME_SOURCE=${WORK}/readme.cpp)
run(${CMAKE_COMMAND} --build ${WORK}/outside)
run(${WORK}/outside/outside)
execute_process(COMMAND ${WORK}/outside/readme WORKING_DIRECTORY ${EXAMPLE_FOLDER} OUTPUT_VARIABLE output)
if(NOT output MATCHES "^x\\(end\\) = 0\\.4551")  # the hand calculation of docs/tutorials.md: 0.5 - 0.0449 m
  message(FATAL_ERROR "the C++ example of the README prints: ${output}")
endif()

# Blocks of a document by their language, as files; and its commands, run as they stand there but for the installation.
function(write_block page language file)
  file(READ ${DOCS}/${page} text)
  if(NOT text MATCHES "```${language}\n([^`]*)```")
    message(FATAL_ERROR "${page} has no block of ${language}")
  endif()
  file(WRITE ${file} "${CMAKE_MATCH_1}")
endfunction()
function(run_commands page folder)
  file(READ ${DOCS}/${page} text)
  if(NOT text MATCHES "<!-- not run:[^\n]*-->\n\n((    [^\n]*\n)+)")
    message(FATAL_ERROR "${page} has no commands")
  endif()
  set(script "set -e\n${CMAKE_MATCH_1}")
  if(NOT script MATCHES "\n *\\./dev install \"\\$HOME/stiction\"")
    message(FATAL_ERROR "${page} does not install")
  endif()
  string(REGEX REPLACE "\n *\\./dev install[^\n]*" "" script "${script}")
  string(REGEX REPLACE "\n *(g\\+\\+|gcc) " "\n\\1 ${FLAGS} " script "${script}")
  file(WRITE ${folder}/commands.sh "${script}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env HOME=${WORK}/home "CXXFLAGS=${FLAGS}" bash commands.sh
    WORKING_DIRECTORY ${folder} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "the commands of ${page} end with ${code}:\n${output}")
  endif()
endfunction()

set(page ${WORK}/cpp)
write_block(cpp.md cpp ${page}/app.cpp)
write_block(cpp.md cmake ${page}/CMakeLists.txt)
write_block(cpp.md text ${page}/expected.txt)
run_commands(cpp.md ${page})
file(READ ${page}/expected.txt expected)
# By CMake and by pkg-config. A simulation needs neither the library of HDF5 exports nor that of pictures.
foreach(program build/app app)
  execute_process(COMMAND ${page}/${program} OUTPUT_VARIABLE output)
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "${program} of docs/cpp.md prints:\n${output}")
  endif()
  execute_process(COMMAND ldd ${page}/${program} OUTPUT_VARIABLE libraries)
  if(NOT libraries MATCHES "sqlite" OR libraries MATCHES "hdf5|cairo")
    message(FATAL_ERROR "${program} of docs/cpp.md needs:\n${libraries}")
  endif()
endforeach()
# Vector instructions of the program's own: they would align matrices otherwise than the library does.
run(bash -c "export PKG_CONFIG_PATH=${prefix}/lib/pkgconfig && ${COMPILER} ${FLAGS} -std=c++20 -march=native ${page}/app.cpp \
  $(pkg-config --cflags --libs stiction) -o ${page}/native && ${page}/native > ${page}/native.txt")
file(READ ${page}/native.txt output)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "docs/cpp.md, compiled with -march=native, prints:\n${output}")
endif()
# The last block goes on after the first: it is put before the end of main().
file(READ ${DOCS}/cpp.md text)
string(FIND "${text}" "```cpp\n" last REVERSE)
string(SUBSTRING "${text}" ${last} -1 text)
string(REGEX MATCH "^```cpp\n([^`]*)```" text "${text}")
set(last_block "${CMAKE_MATCH_1}")
file(READ ${page}/app.cpp whole)
string(REGEX REPLACE "}\n$" "${last_block}  return simulation.step().status == stiction::StepStatus::ok ? 0 : 1;\n}\n" whole
  "${whole}")
file(WRITE ${page}/whole.cpp "${whole}")
run(bash -c "export PKG_CONFIG_PATH=${prefix}/lib/pkgconfig && ${COMPILER} ${FLAGS} -std=c++20 ${page}/whole.cpp \
  $(pkg-config --cflags --libs stiction) -o ${page}/whole && ${page}/whole")
set(page ${WORK}/c)
write_block(c.md c ${page}/app.c)
run_commands(c.md ${page})
execute_process(COMMAND ${prefix}/bin/stiction examples copy falling_rod WORKING_DIRECTORY ${page} OUTPUT_QUIET)
execute_process(COMMAND ${page}/app WORKING_DIRECTORY ${page} OUTPUT_VARIABLE output)
if(NOT output MATCHES "^y = 0\\.2[0-9]+ m after 0\\.4 s, [0-9]+ contacts\n$")
  message(FATAL_ERROR "the program of docs/c.md prints: ${output}")
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
    if(library MATCHES "hdf5|cairo|sqlite|sundials|tomlplusplus|muparser")
      message(FATAL_ERROR "${program}, the contact core alone, needs ${library}")
    endif()
  endforeach()
endfunction()
check_needs(${WORK}/contact_only/contact_only)
file(GLOB pc_folder ${prefix}/lib*/pkgconfig ${prefix}/lib*/*/pkgconfig)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
execute_process(COMMAND pkg-config --cflags --libs stiction-contact OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${FLAGS} ${flags}")
run(${COMPILER} -std=c++20 ${CONTACT_ONLY}/main.cpp ${flags} -o ${WORK}/by_pkgconfig)
run(${WORK}/by_pkgconfig)
check_needs(${WORK}/by_pkgconfig)

# The program and the scenes are there too.
run(${prefix}/bin/stiction version)
file(GLOB examples RELATIVE ${EXAMPLE_FOLDER} ${EXAMPLE_FOLDER}/*.toml)
foreach(example IN LISTS examples)
  run(${prefix}/bin/stiction check ${prefix}/share/stiction/examples/${example})
endforeach()
