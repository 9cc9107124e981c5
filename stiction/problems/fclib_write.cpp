#include <algorithm>
#include <tuple>

#include "stiction/base/fault.h"
#include "stiction/problems/fclib.h"
#include "stiction/problems/fclib_hdf5.h"

namespace stiction {
namespace {

class FclibWriter {
 public:
  explicit FclibWriter(const std::string& path)
      : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
    if (!file_) fail();
  }

  void write_group(const std::string& name) {
    const Hdf5Handle group(H5Gcreate2(file_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if (!group) fail();
  }
  void write_int(const std::string& name, int value) { write(name, H5T_NATIVE_INT, &value, 1); }
  void write_ints(const std::string& name, const std::vector<int>& values) {
    write(name, H5T_NATIVE_INT, values.data(), values.size());
  }
  void write_vector(const std::string& name, const VecX& values) {
    write(name, H5T_NATIVE_DOUBLE, values.data(), static_cast<std::size_t>(values.size()));
  }
  void write_matrix(const std::string& name, int rows, int columns, std::vector<ConeEntry> entries,
                    FclibStorage storage);
  void flush() {
    if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw IoError("cannot write " + path_); }
  void write(const std::string& name, hid_t type, const void* data, std::size_t count) {
    const hsize_t size = count;
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(file_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    if (!set) fail();
    if (count > 0 && H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail();
  }

  std::string path_;
  Hdf5Handle file_;
};

void FclibWriter::write_matrix(const std::string& name, int rows, int columns, std::vector<ConeEntry> entries,
                               FclibStorage storage) {
  const bool by_rows = storage == FclibStorage::compressed_rows;
  std::sort(entries.begin(), entries.end(), [&](const ConeEntry& a, const ConeEntry& b) {
    return by_rows ? std::tie(a.row, a.column) < std::tie(b.row, b.column)
                   : std::tie(a.column, a.row) < std::tie(b.column, b.row);
  });
  const int count = static_cast<int>(entries.size()), lines = by_rows ? rows : columns;
  const bool compressed = storage != FclibStorage::triplets;
  std::vector<int> p(compressed ? lines + 1 : 0, 0), i;
  VecX x(count);
  for (const ConeEntry& e : entries) {
    x[static_cast<Eigen::Index>(i.size())] = e.value;
    i.push_back(by_rows ? e.column : e.row);
    if (compressed) {
      ++p[(by_rows ? e.row : e.column) + 1];
    } else {
      p.push_back(e.column);
    }
  }
  for (int line = 0; compressed && line < lines; ++line) p[line + 1] += p[line];
  write_group(name);
  write_int(name + "/m", rows);
  write_int(name + "/n", columns);
  write_int(name + "/nzmax", count);
  write_int(name + "/nz", !compressed ? count : by_rows ? -2 : -1);
  write_ints(name + "/p", p);
  write_ints(name + "/i", i);
  write_vector(name + "/x", x);
}

std::vector<ConeEntry> calc_entries(const Eigen::SparseMatrix<double>& matrix) {
  std::vector<ConeEntry> entries;
  for (int column = 0; column < matrix.outerSize(); ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, column); it; ++it) {
      entries.push_back({static_cast<int>(it.row()), column, it.value()});
    }
  }
  return entries;
}

void write_ellipsoid(FclibWriter& writer, const std::string& name, const MatX& ellipsoid) {
  if (ellipsoid.size() == 0) return;
  const MatX by_rows = ellipsoid.transpose();
  writer.write_vector(name, Eigen::Map<const VecX>(by_rows.data(), by_rows.size()));
}

void write_problem(FclibWriter& writer, const ConeProblem& problem, FclibStorage storage) {
  writer.write_group("fclib_local");
  writer.write_group("fclib_local/vectors");
  writer.write_int("fclib_local/spacedim", problem.dimension());
  writer.write_matrix("fclib_local/W", problem.W.rows(), problem.W.rows(), problem.W.calc_entries(), storage);
  writer.write_vector("fclib_local/vectors/q", problem.q);
  writer.write_vector("fclib_local/vectors/mu", problem.mu);
  write_ellipsoid(writer, "fclib_local/vectors/ellipsoid", problem.ellipsoid);
}

void write_problem(FclibWriter& writer, const GlobalConeProblem& problem, FclibStorage storage) {
  const int ndof = static_cast<int>(problem.M.rows());
  writer.write_group("fclib_global");
  writer.write_group("fclib_global/vectors");
  writer.write_int("fclib_global/spacedim", problem.dimension);
  writer.write_matrix("fclib_global/M", ndof, ndof, calc_entries(problem.M), storage);
  writer.write_matrix("fclib_global/H", ndof, static_cast<int>(problem.H.cols()), calc_entries(problem.H), storage);
  writer.write_vector("fclib_global/vectors/f", problem.f);
  writer.write_vector("fclib_global/vectors/w", problem.w);
  writer.write_vector("fclib_global/vectors/mu", problem.mu);
  if (problem.compliance.size() > 0) writer.write_vector("fclib_global/vectors/compliance", problem.compliance);
  write_ellipsoid(writer, "fclib_global/vectors/ellipsoid", problem.ellipsoid);
}

}  // namespace

void write_fclib(const std::string& path, const FclibFile& file, FclibStorage storage) {
  const Hdf5Quiet quiet;
  FclibWriter writer(path);
  std::visit([&](const auto& problem) { write_problem(writer, problem, storage); }, file.problem);
  if (file.r.size() > 0) {
    writer.write_group("solution");
    writer.write_vector("solution/r", file.r);
  }
  writer.flush();
}

}  // namespace stiction
