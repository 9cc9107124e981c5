# cmake --install: the libraries up to the simulation, the chosen headers, the program, and package files for
# find_package(stiction) and pkg-config. Libraries and headers that only the program uses are not installed.
include(CMakePackageConfigHelpers)

# The public headers: <stiction/simulation.h>, the contact core, and what these include. A test checks that this is all.
set(STICTION_PUBLIC_HEADERS
  simulation.h
  base/fault.h base/internal_error.h
  math/rotation.h math/spatial.h math/time_function.h math/transform.h math/vector.h
  geometry/shape/mass_properties.h geometry/shape/polytope.h geometry/shape/quadric.h
  geometry/shape/shape.h geometry/closest/closest.h
  contact/compliant_law.h contact/contact_core.h contact/contact_body.h contact/contensou.h contact/volume_patch.h
  contact/contact_state.h contact/damping_factor.h contact/friction_bristle.h contact/friction_coulomb.h
  contact/friction_ellipse.h contact/friction_law.h contact/friction_response.h contact/friction_spring.h
  contact/friction_user.h contact/law_memory.h contact/normal_law.h contact/normal_linear.h contact/normal_power.h
  contact/normal_response.h contact/normal_user.h
  multibody/joint_form.h multibody/state.h
  stepping/contact_record.h stepping/method.h stepping/step_profile.h stepping/step_report.h
  results/contact_samples.h results/judgement.h results/measured.h results/run_store.h
  scene/scene.h
  run/simulate.h run/simulation.h)
foreach(header IN LISTS STICTION_PUBLIC_HEADERS)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/stiction/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction/${folder})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/stiction/base/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction/base)

install(FILES ${PROJECT_SOURCE_DIR}/bindings/c/stiction.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Highest layer first: the order in which a linker takes static libraries.
set(STICTION_INSTALLED_LAYERS run scene results stepping solvers multibody contact geometry math base)
list(TRANSFORM STICTION_INSTALLED_LAYERS PREPEND stiction_ OUTPUT_VARIABLE installed)
install(TARGETS stiction stiction_simulation stiction_c ${installed} EXPORT stictionTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT stictionTargets NAMESPACE stiction:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/stictionConfig.cmake.in
  ${PROJECT_BINARY_DIR}/stictionConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stictionConfig.cmake ${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)

# pkg-config. Qhull and SUNDIALS have no such file of their own in Debian. Definitions as in stiction_layer().
function(stiction_pkgconfig name description requires libraries)
  set(definitions "-DEIGEN_MAX_ALIGN_BYTES=16 -DEIGEN_MALLOC_ALREADY_ALIGNED=1")
  if(NOT requires)
    set(definitions "")  # C
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.pc @ONLY CONTENT "prefix=\${pcfiledir}/../..
Name: ${name}
Description: ${description}
Version: ${PROJECT_VERSION}
Requires: ${requires}
Cflags: -I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR} ${definitions}
Libs: -L\${prefix}/${CMAKE_INSTALL_LIBDIR} ${libraries}
")
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
list(TRANSFORM installed PREPEND -l)
string(REPLACE ";" " " installed "${installed}")
stiction_pkgconfig(stiction-contact "The core of compliant contact" "eigen3 fmt"
  "-lstiction_contact -lstiction_geometry -lstiction_math -lstiction_base -lqhull_r")
stiction_pkgconfig(stiction "${PROJECT_DESCRIPTION}" "eigen3 fmt tomlplusplus muparser sqlite3"
  "${installed} -lqhull_r -lsundials_cvode -pthread")
# Programs find the shared library where it was installed, also outside of the system's folders.
stiction_pkgconfig(stiction-c "The C interface of Stiction" ""
  "-Wl,-rpath,\${prefix}/${CMAKE_INSTALL_LIBDIR} -lstiction")
if(TARGET stiction_cli)
  install(TARGETS stiction_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
