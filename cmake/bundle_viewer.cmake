# Installs what viewer/package-lock.json names, if that has changed, and writes PAGE and STAMP. Run at build time:
#   cmake -D NPM=... -D NODE=... -D VIEWER=viewer -D PAGE=page.html -D STAMP=page.stamp -P bundle_viewer.cmake
# Packages that cannot be had are told, and leave an empty PAGE and no STAMP. A page that cannot be bundled is a fault of
# its sources: the build fails.
file(REMOVE ${STAMP})
set(installed ${VIEWER}/node_modules/.installed)
file(SHA256 ${VIEWER}/package-lock.json wanted)
set(present "")
if(EXISTS ${installed})
  file(READ ${installed} present)
endif()
set(failure "")
if(NOT present STREQUAL wanted)
  # Scripts of packages are not run.
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${VIEWER}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(code EQUAL 0)
    file(WRITE ${installed} ${wanted})
  else()
    set(failure "npm ci failed in ${VIEWER}:\n${output}")
  endif()
endif()
if(NOT failure)
  execute_process(COMMAND ${NODE} bundle.mjs ${PAGE} WORKING_DIRECTORY ${VIEWER}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    file(REMOVE ${PAGE})
    message(FATAL_ERROR "the report page could not be bundled:\n${output}")
  endif()
endif()
if(failure)
  message("${failure}\nThe program is built without the report page (stiction view); plots work.")
  file(WRITE ${PAGE} "")
else()
  file(WRITE ${STAMP} "")
endif()
