#include "stiction/problems/fclib.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "stiction/base/fault.h"

#include "test/unit/solvers/cone_problems.h"

namespace stiction {
namespace {

class Fclib : public ::testing::Test {
 protected:
  std::string make_path(const std::string& name) const {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const auto folder = std::filesystem::temp_directory_path() / "stiction_fclib_test" / test->name();
    std::filesystem::create_directories(folder);
    return folder / name;
  }
  void expect_fault(const std::string& path, const std::string& entry, const std::string& text = "") const {
    try {
      read_fclib(path);
      ADD_FAILURE() << "no fault at " << entry;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(entry), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
      EXPECT_EQ(error.faults()[0].place.file, path);
    }
  }
  ConeProblem problem_ = make_local(test::make_tower(2, 3, 0.5, 1));
};

// Overwrites entry `index` of a dataset in place.
template <typename Number>
void change(const std::string& path, const std::string& name, hsize_t index, Number value) {
  static_assert(std::is_same_v<Number, int> || std::is_same_v<Number, double>);
  const hid_t type = std::is_same_v<Number, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  const hsize_t one = 1;
  const hid_t memory = H5Screate_simple(1, &one, nullptr);
  ASSERT_GE(H5Sselect_elements(space, H5S_SELECT_SET, 1, &index), 0);
  ASSERT_GE(H5Dwrite(data, type, memory, space, H5P_DEFAULT, &value), 0);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

void remove(const std::string& path, const std::string& name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Ldelete(file, name.c_str(), H5P_DEFAULT), 0);
  H5Fclose(file);
}

TEST_F(Fclib, LocalProblemsComeBackAsTheyWere) {
  problem_.ellipsoid = MatX::Random(problem_.contacts(), 2).cwiseAbs();
  for (FclibStorage storage :
       {FclibStorage::compressed_columns, FclibStorage::compressed_rows, FclibStorage::triplets}) {
    const std::string path = make_path("local.hdf5");
    const VecX r = VecX::LinSpaced(problem_.q.size(), 0, 1);
    write_fclib(path, {problem_, r}, storage);
    const FclibFile file = read_fclib(path);
    const auto& back = std::get<ConeProblem>(file.problem);
    EXPECT_EQ(back.W.calc_dense(), problem_.W.calc_dense());
    EXPECT_EQ(back.q, problem_.q);
    EXPECT_EQ(back.mu, problem_.mu);
    EXPECT_EQ(back.ellipsoid, problem_.ellipsoid);
    EXPECT_EQ(file.r, r);
  }
}

TEST_F(Fclib, GlobalProblemsComeBackAsTheyWere) {
  GlobalConeProblem global = test::make_pile(3, 0.7, 2);
  global.compliance = VecX::Constant(global.w.size(), 0.25);
  for (FclibStorage storage :
       {FclibStorage::compressed_columns, FclibStorage::compressed_rows, FclibStorage::triplets}) {
    const std::string path = make_path("global.hdf5");
    write_fclib(path, {global, {}}, storage);
    const FclibFile file = read_fclib(path);
    const auto& back = std::get<GlobalConeProblem>(file.problem);
    EXPECT_EQ(MatX(back.M), MatX(global.M));
    EXPECT_EQ(MatX(back.H), MatX(global.H));
    EXPECT_EQ(back.f, global.f);
    EXPECT_EQ(back.w, global.w);
    EXPECT_EQ(back.mu, global.mu);
    EXPECT_EQ(back.compliance, global.compliance);
    EXPECT_EQ(file.r.size(), 0);
    EXPECT_EQ(read_local_problem(path).W.calc_dense(), make_local(global).W.calc_dense());
  }
}

TEST_F(Fclib, NamesTheOffendingEntry) {
  const std::string path = make_path("bad.hdf5");
  const std::vector<std::tuple<std::function<void()>, std::string, std::string>> cases = {
      {[&] { change(path, "fclib_local/vectors/mu", 1, -0.5); }, "mu[1]", "must be >= 0, got -0.5"},
      {[&] { change(path, "fclib_local/vectors/q", 4, std::numeric_limits<double>::quiet_NaN()); }, "q[4]",
       "must be finite"},
      {[&] { change(path, "fclib_local/W/x", 7, std::numeric_limits<double>::infinity()); }, "fclib_local/W/x[7]",
       "must be finite"},
      {[&] { change(path, "fclib_local/W/i", 3, 1000); }, "fclib_local/W/i[3]", "must be in 0..23, got 1000"},
      {[&] { change(path, "fclib_local/W/i", 3, -1); }, "fclib_local/W/i[3]", "got -1"},
      {[&] { change(path, "fclib_local/W/p", 0, 5); }, "fclib_local/W/p[0]", "must be 0, got 5"},
      {[&] { change(path, "fclib_local/W/p", 2, 1 << 30); }, "fclib_local/W/p[2]", ""},
      {[&] { change(path, "fclib_local/W/p", 2, -7); }, "fclib_local/W/p[2]", "got -7"},
      {[&] { change(path, "fclib_local/W/nz", 0, -3); }, "fclib_local/W/nz", "got -3"},
      {[&] { change(path, "fclib_local/W/nz", 0, 2000000000); }, "fclib_local/W", "needs 2000000000 entries"},
      {[&] { change(path, "fclib_local/W/m", 0, 25); }, "fclib_local/W", "must be square, got 25 x 24"},
      {[&] { change(path, "fclib_local/W/n", 0, 30); }, "fclib_local/W/p", "must have 31 entries, got 25"},
      {[&] { change(path, "fclib_local/W/m", 0, -24); }, "fclib_local/W/m", "must be >= 0, got -24"},
      {[&] { change(path, "fclib_local/spacedim", 0, 7); }, "fclib_local/spacedim", "must be 2, 3 or 4, got 7"},
      {[&] { change(path, "fclib_local/spacedim", 0, 2); }, "mu", "must have 12 entries, got 8"},
      {[&] { remove(path, "fclib_local/vectors/q"); }, "fclib_local/vectors/q", "is missing"},
      {[&] { remove(path, "fclib_local/W"); }, "fclib_local/W/m", "is missing"},
      {[&] { remove(path, "fclib_local"); }, "", "neither fclib_local nor fclib_global"},
  };
  for (const auto& [spoil, entry, text] : cases) {
    write_fclib(path, {problem_, {}});
    spoil();
    expect_fault(path, entry, text);
  }
}

TEST_F(Fclib, RefusesGlobalProblemsThatDoNotFit) {
  GlobalConeProblem global = test::make_pile(3, 0.7, 2);
  const std::string path = make_path("global.hdf5");
  write_fclib(path, {global, {}});
  change(path, "fclib_global/vectors/f", 2, std::numeric_limits<double>::quiet_NaN());
  expect_fault(path, "f[2]", "must be finite");
  write_fclib(path, {global, {}});
  change(path, "fclib_global/M/x", 0, 0.0);
  expect_fault(path, "M[0,0] must be > 0, got 0", "positive definite");
  write_fclib(path, {global, {}});
  change(path, "fclib_global/M/x", 7, -2.0);
  expect_fault(path, "M[7,7] must be > 0, got -2");
  // Sizes that no matrix is made of, be they claimed: 2e9 rows would take 8 GB of pointers.
  write_fclib(path, {global, {}});
  change(path, "fclib_global/M/m", 0, 2000000000);
  expect_fault(path, "fclib_global/M/m", "must be 18 as n, got 2000000000");
  write_fclib(path, {global, {}});
  change(path, "fclib_global/H/m", 0, 2000000000);
  expect_fault(path, "fclib_global/H/m", "must be 18 as M/m, got 2000000000");
}

TEST_F(Fclib, NamesTheRowAtWhichAMassMatrixIsNotPositiveDefinite) {
  GlobalConeProblem global = test::make_pile(3, 0.7, 2);
  const std::string path = make_path("mass.hdf5");
  // Rows 4 and 11 coupled by m: [[a, m], [m, b]] is positive definite where m^2 < a b, and its second pivot over b is
  // 1 - m^2 / (a b), whichever of the two goes first.
  const double product = global.M.coeff(4, 4) * global.M.coeff(11, 11);
  const auto couple = [&](double square) {
    global.M.coeffRef(4, 11) = global.M.coeffRef(11, 4) = std::sqrt(square * product);
    write_fclib(path, {global, {}});
  };
  couple(1.25);
  expect_fault(path, "M must be positive definite; the pivot of row ", "is -0.25 times its diagonal");
  couple(1);
  expect_fault(path, "M must be positive definite; the pivot of row ", "is 0 times its diagonal");
  couple(0.75);
  EXPECT_NO_THROW(read_local_problem(path));
  // Masses that differ by 1e18 are no fault.
  global.M.coeffRef(0, 0) = 1e9;
  global.M.coeffRef(1, 1) = 1e-9;
  couple(0);
  EXPECT_NO_THROW(read_local_problem(path));
}

TEST_F(Fclib, TruncatedFilesAreRefusedAtEveryLength) {
  const std::string whole = make_path("whole.hdf5"), cut = make_path("cut.hdf5");
  write_fclib(whole, {problem_, {}});
  const auto size = std::filesystem::file_size(whole);
  for (std::uintmax_t length = 0; length < size; length += 1 + size / 200) {
    std::filesystem::copy_file(whole, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, length);
    EXPECT_THROW(read_fclib(cut), InputError) << length << " of " << size;
  }
}

TEST_F(Fclib, OtherFilesAreRefused) {
  const std::string path = make_path("text.hdf5");
  std::ofstream(path) << "not a problem at all";
  expect_fault(path, "is no HDF5 file");
  EXPECT_THROW(read_fclib(make_path("absent.hdf5")), IoError);
  EXPECT_THROW(write_fclib(make_path("no_such_folder") + "/x/y.hdf5", {problem_, {}}), IoError);
}

}  // namespace
}  // namespace stiction
