#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/problems/fclib.h"

#include "fuzz_target.h"

namespace {

// HDF5 reads files: each input goes through one of this process.
std::filesystem::path make_path() {
  return std::filesystem::temp_directory_path() / ("stiction_fuzz_" + std::to_string(getpid()) + ".hdf5");
}

std::string write_seed(const stiction::FclibFile& file, stiction::FclibStorage storage) {
  const std::filesystem::path path = make_path();
  stiction::write_fclib(path, file, storage);
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(stream), {});
  std::filesystem::remove(path);
  return bytes;
}

}  // namespace

// What is accepted has passed validate(): solvers may take it as it is.
/// HDF5 1.10 itself loses a block on some damaged files; what we lose is still reported.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
  return "leak:libhdf5";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  const std::filesystem::path path = make_path();
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const ConeProblem problem = read_local_problem(path);
    STICTION_CHECK(problem.q.size() == problem.W.rows() && problem.mu.size() == problem.contacts());
    STICTION_CHECK(problem.q.allFinite() && problem.mu.minCoeff() >= 0);
  } catch (const InputError&) {
  } catch (const IoError&) {
  }
  std::filesystem::remove(path);
  return 0;
}

stiction::fuzz::Seeds stiction::fuzz::make_seeds() {
  ConeProblem local;
  local.W = ConeMatrix(3, 2, {{0, 0, 2}, {1, 1, 2}, {2, 2, 2}, {0, 3, 1}, {3, 0, 1}, {3, 3, 2}, {4, 4, 2}, {5, 5, 2}});
  local.q = VecX::Constant(6, -1);
  local.mu = VecX::Constant(2, 0.5);
  GlobalConeProblem global;
  global.M.resize(6, 6);
  global.M.setIdentity();
  global.H = global.M;
  global.f = local.q;
  global.w = VecX::Zero(6);
  global.mu = local.mu;
  return {{write_seed({local, local.q}, FclibStorage::compressed_columns),
           write_seed({local, {}}, FclibStorage::compressed_rows), write_seed({local, {}}, FclibStorage::triplets),
           write_seed({global, {}}, FclibStorage::compressed_columns)},
          1000};
}
