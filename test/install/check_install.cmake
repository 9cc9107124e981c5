# cmake --install into a fresh prefix; then the outside project is configured, built and run, with the C++ example of the
# README; then the installed program.
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

# The program and the scenes are there too.
run(${prefix}/bin/stiction version)
file(GLOB examples RELATIVE ${EXAMPLE_FOLDER} ${EXAMPLE_FOLDER}/*.toml)
foreach(example IN LISTS examples)
  run(${prefix}/bin/stiction check ${prefix}/share/stiction/examples/${example})
endforeach()
