# Compiler settings shared by every target, and the helpers that define a layer, a test and a benchmark.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(stiction_flags INTERFACE)
# -ffp-contract=off: the same bits with and without fused multiply-add hardware.
# -fno-math-errno: lets sqrt inline; it changes no result.
target_compile_options(stiction_flags INTERFACE -ffp-contract=off -fno-math-errno -Wall -Wextra -Wshadow -Wpedantic
  $<$<BOOL:${STICTION_WERROR}>:-Werror>)

# One folder = one target = one layer. The arrows between layers are tools/layers.txt; DEPENDS repeats them for the linker.
function(stiction_layer name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES;PRIVATE_LIBRARIES;SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(stiction_${name} STATIC ${sources} ${ARG_SOURCES})
  add_library(stiction::${name} ALIAS stiction_${name})
  set_target_properties(stiction_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_include_directories(stiction_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(stiction_${name} PUBLIC cxx_std_20)
  target_link_libraries(stiction_${name} PRIVATE $<BUILD_INTERFACE:stiction_flags>)
  foreach(layer IN LISTS ARG_DEPENDS)
    target_link_libraries(stiction_${name} PUBLIC stiction_${layer})
  endforeach()
  target_link_libraries(stiction_${name} PUBLIC ${ARG_LIBRARIES} PRIVATE ${ARG_PRIVATE_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY STICTION_LAYERS stiction_${name})
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
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
