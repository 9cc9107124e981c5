# Debian packages the libraries come from: tools/packages.txt.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(Threads REQUIRED)
find_package(Qhull 8.0 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers only: Beast, of the program alone
# Only cvode: it already contains serial vectors and dense linear solvers; the separate libraries drag in MPI.
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS cvode)
# The shared library: its header-only mode aborts on some malformed input.
find_package(PkgConfig REQUIRED)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)
# The serial build, also where an MPI build is installed beside it.
pkg_check_modules(HDF5_SERIAL REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
if(STICTION_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()
if(STICTION_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
