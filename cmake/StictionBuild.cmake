# Compiler settings shared by every target, and the helpers that define a layer, a test and a benchmark.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(stiction_flags INTERFACE)
# -ffp-contract=off: the same bits with and without fused multiply-add hardware.
# -fno-math-errno: lets sqrt inline; it changes no result.
# -fno-semantic-interposition: position-independent code, too, inlines its own public functions.
target_compile_options(stiction_flags INTERFACE -ffp-contract=off -fno-math-errno -fno-semantic-interposition -Wall -Wextra -Wshadow -Wpedantic
  $<$<BOOL:${STICTION_WERROR}>:-Werror>)
# g++ 12 sees strings overflow (GCC bug 105651) and optional variants uninitialised (GCC bug 80635) that are not; where,
# depends on what is compiled together. The debug preset keeps these warnings.
option(STICTION_UNITY "Compile several files of a target at a time" OFF)
if(STICTION_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(stiction_flags INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-array-bounds -Wno-restrict)
endif()
# g++ collects garbage less often, for up to 1 GB a process: templates take an eighth less time to compile.
target_compile_options(stiction_flags INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=200;--param=ggc-min-heapsize=1048576>)

# Header parsing is most of a build's time: what nearly every file includes, our own mathematics among it, is
# parsed once for all layers and once for all tests. The sanitizer presets leave it out, so that a file which relies on
# it instead of its own includes is found.
option(STICTION_PRECOMPILED_HEADERS "Parse the headers of Eigen, fmt, gtest and the standard library once" OFF)
set(common_headers <algorithm> <array> <cmath> <functional> <limits> <map> <memory> <optional> <string> <string_view>
  <variant> <vector> <Eigen/Dense> <fmt/format.h> "${PROJECT_SOURCE_DIR}/stiction/math/spatial.h"
  "${PROJECT_SOURCE_DIR}/stiction/math/time_function.h")
# g++ compiles what includes it with the optimisation that it was made with, whatever the command line says: each level
# needs a precompiled header of its own.
function(stiction_precompiled name)  # for executables: an executable, whose code is compiled as theirs is (-fPIE)
  cmake_parse_arguments(ARG "EXECUTABLES" "" "LIBRARIES;HEADERS;OPTIONS" ${ARGN})
  if(STICTION_PRECOMPILED_HEADERS)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/precompiled_${name}.cpp)
    file(GENERATE OUTPUT ${source} CONTENT "int main() {}\n")
    if(ARG_EXECUTABLES)
      add_executable(stiction_precompiled_${name} ${source})
    else()
      add_library(stiction_precompiled_${name} OBJECT ${source})
    endif()
    target_link_libraries(stiction_precompiled_${name} PRIVATE stiction_flags Eigen3::Eigen fmt::fmt ${ARG_LIBRARIES})
    target_include_directories(stiction_precompiled_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_options(stiction_precompiled_${name} PRIVATE ${ARG_OPTIONS})
    target_precompile_headers(stiction_precompiled_${name} PRIVATE ${common_headers} ${ARG_HEADERS})
  endif()
endfunction()
function(stiction_use_precompiled target name)
  if(STICTION_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM stiction_precompiled_${name})
  endif()
endfunction()

# Files of one folder parse the same headers and instantiate the same templates: compiled several at a time they take a
# third of the time. The debug preset compiles file by file, so that a file which relies on the includes of another is found.
# STICTION_SEPARATE names the targets one is working on, which are compiled file by file, for example "stiction_stepping;test_laws".
set(STICTION_SEPARATE "" CACHE STRING "Targets that are compiled file by file in spite of STICTION_UNITY")
function(stiction_join target)
  set(together ${STICTION_UNITY})
  if(target IN_LIST STICTION_SEPARATE)
    set(together OFF)
  endif()
  # Names of one file hide names of another that it cannot see by itself; types of one file are no other file's here.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${together} UNITY_BUILD_BATCH_SIZE 20
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#pragma GCC diagnostic ignored \"-Wshadow\"
#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"")
endfunction()

# Code that is no part of a step: -O1 takes two thirds of the time that -O3 takes to optimise it.
set(brief_optimisation $<$<CONFIG:Release>:-O1>)
function(stiction_compile_briefly target)
  target_compile_options(${target} PRIVATE ${brief_optimisation})
  stiction_use_precompiled(${target} brief)
endfunction()

# One folder = one target = one layer. The arrows between layers are tools/layers.txt; DEPENDS repeats them for the linker.
# OUTSIDE_STEP: a step never calls it.
function(stiction_layer name)
  cmake_parse_arguments(ARG "OUTSIDE_STEP" "" "DEPENDS;LIBRARIES;PRIVATE_LIBRARIES;SOURCES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(stiction_${name} STATIC ${sources} ${ARG_SOURCES})
  add_library(stiction::${name} ALIAS stiction_${name})
  set_target_properties(stiction_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_include_directories(stiction_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Programs allocate and lay out matrices as the library does, whatever -march or sanitizer they are compiled with.
  target_compile_definitions(stiction_${name} INTERFACE
    "$<INSTALL_INTERFACE:EIGEN_MAX_ALIGN_BYTES=16;EIGEN_MALLOC_ALREADY_ALIGNED=1>")
  target_compile_features(stiction_${name} PUBLIC cxx_std_20)
  target_link_libraries(stiction_${name} PRIVATE $<BUILD_INTERFACE:stiction_flags>)
  foreach(layer IN LISTS ARG_DEPENDS)
    target_link_libraries(stiction_${name} PUBLIC stiction_${layer})
  endforeach()
  target_link_libraries(stiction_${name} PUBLIC ${ARG_LIBRARIES} PRIVATE ${ARG_PRIVATE_LIBRARIES})
  if(ARG_OUTSIDE_STEP)
    stiction_compile_briefly(stiction_${name})
  else()
    stiction_use_precompiled(stiction_${name} layers)
  endif()
  stiction_join(stiction_${name})
  set_property(GLOBAL APPEND PROPERTY STICTION_LAYERS stiction_${name})
endfunction()

# Of an inline function that several objects hold the linker keeps the first: those of the layers that step, which are
# fully optimised, come before the objects of the program and of tests, which are not.
function(stiction_prefer_step_layers target)
  set(archives "")
  foreach(layer math geometry solvers contact multibody stepping)
    list(APPEND archives $<TARGET_FILE:stiction_${layer}>)
  endforeach()
  list(JOIN archives "," archives)
  target_link_options(${target} PRIVATE LINKER:--whole-archive,${archives},--no-whole-archive)
endfunction()

# One test program from every *_test.cpp of a folder; each test case is a ctest entry.
function(stiction_test_folder name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;DEFINITIONS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE stiction_flags GTest::gtest_main ${ARG_LIBRARIES})
  target_compile_definitions(test_${name} PRIVATE ${ARG_DEFINITIONS})
  target_compile_options(test_${name} PRIVATE ${brief_optimisation})
  stiction_use_precompiled(test_${name} tests)
  stiction_join(test_${name})
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
