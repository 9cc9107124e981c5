#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/base/fault.h"
#include "stiction/problems/fclib.h"
#include "stiction/problems/fclib_hdf5.h"

namespace stiction {
namespace {

// A matrix as the file has it, its entries checked against its size.
struct FileMatrix {
  int rows = 0, columns = 0;
  std::vector<ConeEntry> entries;
};

class FclibReader {
 public:
  explicit FclibReader(const std::string& path)
      : path_(path), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) throw IoError("cannot open " + path);
    if (!file_) fail("", "is no HDF5 file, or a damaged one");
    size_ = static_cast<double>(status.st_size);
  }

  [[noreturn]] void fail(const std::string& name, const std::string& message) const {
    Fault fault{.place = {}, .path = name, .message = message, .hint = {}};
    fault.place.file = path_;
    throw InputError({fault});
  }

  bool has(const std::string& name) const {
    // Each part of the path must exist before the next may be asked for.
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
      if (H5Lexists(file_.id(), name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file_.id(), name.c_str(), H5P_DEFAULT) > 0;
  }

  int read_int(const std::string& name) const {
    const std::vector<int> values = read<int>(name, H5T_NATIVE_INT, H5T_INTEGER);
    if (values.size() != 1) fail(name, fmt::format("must be one integer, got {} of them", values.size()));
    return values[0];
  }

  VecX read_vector(const std::string& name) const {
    const std::vector<double> values = read<double>(name, H5T_NATIVE_DOUBLE, H5T_FLOAT);
    return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
  }

  VecX read_optional_vector(const std::string& name) const { return has(name) ? read_vector(name) : VecX(); }

  FileMatrix read_matrix(const std::string& name) const;

 private:
  template <typename Number>
  std::vector<Number> read(const std::string& name, hid_t memory_type, H5T_class_t kind) const;
  void check_index(const std::string& name, std::size_t k, int value, int limit) const {
    if (value < 0 || value >= limit) {
      fail(fmt::format("{}[{}]", name, k), fmt::format("must be in 0..{}, got {}", limit - 1, value));
    }
  }
  std::vector<int> expand_pointers(const std::string& name, const std::vector<int>& p, int lines,
                                   std::size_t count) const;

  std::string path_;
  Hdf5Handle file_;
  double size_ = 0;  ///< of the file [bytes]
};

template <typename Number>
std::vector<Number> FclibReader::read(const std::string& name, hid_t memory_type, H5T_class_t kind) const {
  if (!has(name)) fail(name, "is missing");
  const Hdf5Handle data(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data) fail(name, "must be a dataset");
  const Hdf5Handle type(H5Dget_type(data.id()), H5Tclose);
  if (H5Tget_class(type.id()) != kind && H5Tget_class(type.id()) != H5T_INTEGER) fail(name, "must hold numbers");
  const Hdf5Handle space(H5Dget_space(data.id()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  if (count < 0) fail(name, "has no readable extent");
  // Deflate packs at most 1032 to 1: a large extent beyond what the stored bytes can hold is not backed by data.
  // (A small one that was never written reads as zeros.)
  // A damaged file may claim any number of stored bytes: there are no more than it has.
  const double stored = std::min(static_cast<double>(H5Dget_storage_size(data.id())), size_);
  if (static_cast<double>(count) > 1e6 + 1100 * stored)
    fail(name, fmt::format("claims {} entries without data", count));
  std::vector<Number> values(static_cast<std::size_t>(count));
  if (count > 0 && H5Dread(data.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail(name, "cannot be read: the file is damaged or truncated");
  }
  return values;
}

// The line (row or column) of each entry of a compressed matrix.
std::vector<int> FclibReader::expand_pointers(const std::string& name, const std::vector<int>& p, int lines,
                                              std::size_t count) const {
  if (p.size() != static_cast<std::size_t>(lines) + 1) {
    fail(name, fmt::format("must have {} entries, got {}", lines + 1, p.size()));
  }
  if (p[0] != 0) fail(name + "[0]", fmt::format("must be 0, got {}", p[0]));
  std::vector<int> line_of;
  for (int line = 0; line < lines; ++line) {
    if (p[line + 1] < p[line] || static_cast<std::size_t>(p[line + 1]) > count) {
      fail(fmt::format("{}[{}]", name, line + 1),
           fmt::format("must be in {}..{}, got {}", p[line], count, p[line + 1]));
    }
    line_of.resize(p[line + 1], line);
  }
  return line_of;
}

FileMatrix FclibReader::read_matrix(const std::string& name) const {
  FileMatrix matrix;
  matrix.rows = read_int(name + "/m");
  matrix.columns = read_int(name + "/n");
  if (matrix.rows < 0) fail(name + "/m", fmt::format("must be >= 0, got {}", matrix.rows));
  if (matrix.columns < 0) fail(name + "/n", fmt::format("must be >= 0, got {}", matrix.columns));
  const int nz = read_int(name + "/nz");
  const std::vector<int> p = read<int>(name + "/p", H5T_NATIVE_INT, H5T_INTEGER);
  const std::vector<int> i = read<int>(name + "/i", H5T_NATIVE_INT, H5T_INTEGER);
  const std::vector<double> x = read<double>(name + "/x", H5T_NATIVE_DOUBLE, H5T_FLOAT);
  if (nz < -2) fail(name + "/nz", fmt::format("must be -2, -1 or a number of triplets, got {}", nz));
  const bool by_rows = nz == -2;
  const std::size_t stored = std::min(i.size(), x.size());
  const std::vector<int> lines =
      nz >= 0 ? p : expand_pointers(name + "/p", p, by_rows ? matrix.rows : matrix.columns, stored);
  const std::size_t count = nz >= 0 ? static_cast<std::size_t>(nz) : lines.size();
  if (std::min(stored, lines.size()) < count) {
    fail(name, fmt::format("needs {} entries in p, i and x, got {}, {} and {}", count, p.size(), i.size(), x.size()));
  }
  matrix.entries.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const int row = by_rows ? lines[k] : i[k], column = by_rows ? i[k] : lines[k];
    check_index(name + (by_rows ? "/p" : "/i"), k, row, matrix.rows);
    check_index(name + (by_rows ? "/i" : "/p"), k, column, matrix.columns);
    if (!std::isfinite(x[k])) fail(fmt::format("{}/x[{}]", name, k), fmt::format("must be finite, got {}", x[k]));
    matrix.entries.push_back({row, column, x[k]});
  }
  return matrix;
}

int read_dimension(const FclibReader& reader, const std::string& name) {
  const int d = reader.read_int(name);
  if (d < 2 || d > 4) reader.fail(name, fmt::format("must be 2, 3 or 4, got {}", d));
  return d;
}

MatX read_ellipsoid(const FclibReader& reader, const std::string& name, int contacts, int d) {
  const VecX axes = reader.read_optional_vector(name);
  if (axes.size() == 0) return {};
  if (axes.size() != static_cast<Eigen::Index>(contacts) * (d - 1)) {
    reader.fail(name, fmt::format("must have {} entries, got {}", contacts * (d - 1), axes.size()));
  }
  return Eigen::Map<const MatX>(axes.data(), d - 1, contacts).transpose();
}

ConeProblem read_local(const FclibReader& reader) {
  const std::string root = "fclib_local/";
  for (const char* unsupported : {"V", "R"}) {
    if (reader.has(root + unsupported)) reader.fail(root + unsupported, "equality constraints are not supported");
  }
  const int d = read_dimension(reader, root + "spacedim");
  const FileMatrix W = reader.read_matrix(root + "W");
  if (W.rows != W.columns) reader.fail(root + "W", fmt::format("must be square, got {} x {}", W.rows, W.columns));
  if (W.rows % d != 0) reader.fail(root + "W/m", fmt::format("must be a multiple of {}, got {}", d, W.rows));
  ConeProblem problem;
  problem.q = reader.read_vector(root + "vectors/q");
  problem.mu = reader.read_vector(root + "vectors/mu");
  // Before a matrix of that size is made, the vectors must bear it out.
  if (problem.q.size() != W.rows) {
    reader.fail(root + "vectors/q", fmt::format("must have {} entries, got {}", W.rows, problem.q.size()));
  }
  problem.W = ConeMatrix(d, W.rows / d, W.entries);
  problem.ellipsoid = read_ellipsoid(reader, root + "vectors/ellipsoid", problem.contacts(), d);
  return problem;
}

Eigen::SparseMatrix<double> make_sparse(const FileMatrix& matrix) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(matrix.entries.size());
  for (const ConeEntry& e : matrix.entries) triplets.emplace_back(e.row, e.column, e.value);
  Eigen::SparseMatrix<double> sparse(matrix.rows, matrix.columns);
  sparse.setFromTriplets(triplets.begin(), triplets.end());
  return sparse;
}

GlobalConeProblem read_global(const FclibReader& reader) {
  const std::string root = "fclib_global/";
  if (reader.has(root + "G")) reader.fail(root + "G", "equality constraints are not supported");
  GlobalConeProblem problem;
  problem.dimension = read_dimension(reader, root + "spacedim");
  problem.f = reader.read_vector(root + "vectors/f");
  problem.w = reader.read_vector(root + "vectors/w");
  problem.mu = reader.read_vector(root + "vectors/mu");
  const FileMatrix M = reader.read_matrix(root + "M"), H = reader.read_matrix(root + "H");
  if (M.columns != problem.f.size() || H.columns != problem.w.size()) {
    reader.fail(root + "vectors", fmt::format("f and w must have {} and {} entries, got {} and {}", M.columns,
                                              H.columns, problem.f.size(), problem.w.size()));
  }
  // Before matrices of these sizes are made.
  if (M.rows != M.columns) reader.fail(root + "M/m", fmt::format("must be {} as n, got {}", M.columns, M.rows));
  if (H.rows != M.rows) reader.fail(root + "H/m", fmt::format("must be {} as M/m, got {}", M.rows, H.rows));
  problem.M = make_sparse(M);
  problem.H = make_sparse(H);
  problem.compliance = reader.read_optional_vector(root + "vectors/compliance");
  problem.ellipsoid = read_ellipsoid(reader, root + "vectors/ellipsoid", problem.contacts(), problem.dimension);
  return problem;
}

// Faults of the problem itself get the file's name.
template <typename Problem>
void validate_in_file(const std::string& path, const Problem& problem) {
  try {
    validate(problem);
  } catch (const InputError& error) {
    std::vector<Fault> faults = error.faults();
    for (Fault& fault : faults) fault.place.file = path;
    throw InputError(faults);
  }
}

}  // namespace

FclibFile read_fclib(const std::string& path) {
  const Hdf5Quiet quiet;
  const FclibReader reader(path);
  FclibFile file;
  try {
    if (reader.has("fclib_local")) {
      file.problem = read_local(reader);
    } else if (reader.has("fclib_global")) {
      file.problem = read_global(reader);
    } else {
      reader.fail("", "holds neither fclib_local nor fclib_global");
    }
    file.r = reader.read_optional_vector("solution/r");
  } catch (const std::bad_alloc&) {
    reader.fail("", "claims more data than memory can hold");
  }
  std::visit([&](const auto& problem) { validate_in_file(path, problem); }, file.problem);
  return file;
}

ConeProblem read_local_problem(const std::string& path) {
  const FclibFile file = read_fclib(path);
  if (const auto* local = std::get_if<ConeProblem>(&file.problem)) return *local;
  return make_local(std::get<GlobalConeProblem>(file.problem));
}

}  // namespace stiction
