# cmake --install: headers, libraries, the program, and a package config for find_package(stiction).
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY STICTION_LAYERS)
install(TARGETS stiction ${layers} EXPORT stictionTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/generated/stiction/base/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction/base)
install(EXPORT stictionTargets NAMESPACE stiction:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/stictionConfig.cmake.in
  ${PROJECT_BINARY_DIR}/stictionConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stictionConfig.cmake ${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
if(TARGET stiction_cli)
  install(TARGETS stiction_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
