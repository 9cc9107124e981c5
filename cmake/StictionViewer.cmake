# Bundles viewer/ into one HTML file, STICTION_PAGE, made by the target stiction_page. Where npm or its packages are
# missing, the file is empty and the program is built without the page: everything but the report works. Tests of the page
# are skipped only where npm is missing.
set(STICTION_PAGE ${PROJECT_BINARY_DIR}/viewer/page.html)
find_program(STICTION_NPM npm)
find_program(STICTION_NODE NAMES node nodejs)

if(STICTION_NPM AND STICTION_NODE)
  set(viewer ${PROJECT_SOURCE_DIR}/viewer)
  file(GLOB viewer_sources CONFIGURE_DEPENDS "${viewer}/src/*" "${viewer}/src/*/*")
  # The stamp is missing after a failure, so that the next build tries again.
  set(stamp ${PROJECT_BINARY_DIR}/viewer/page.stamp)
  add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${STICTION_PAGE}
    COMMAND ${CMAKE_COMMAND} -D NPM=${STICTION_NPM} -D NODE=${STICTION_NODE} -D VIEWER=${viewer} -D PAGE=${STICTION_PAGE}
      -D STAMP=${stamp} -P ${PROJECT_SOURCE_DIR}/cmake/bundle_viewer.cmake
    DEPENDS ${viewer_sources} ${viewer}/package.json ${viewer}/package-lock.json ${viewer}/bundle.mjs
      ${PROJECT_SOURCE_DIR}/cmake/bundle_viewer.cmake
    COMMENT "Bundling the report page" VERBATIM)
  add_custom_target(stiction_page DEPENDS ${stamp})
else()
  message(STATUS "npm is missing: the program is built without the report page (stiction view); plots work")
  file(CONFIGURE OUTPUT ${STICTION_PAGE} CONTENT "")  # touched only if it was not empty before
  add_custom_target(stiction_page)
endif()
