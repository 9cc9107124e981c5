#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "stiction/base/fault.h"
#include "stiction/base/noise.h"
#include "stiction/base/version.h"
#include "stiction/exports/export_csv.h"
#include "stiction/exports/export_hdf5.h"

#include "test_run.h"

namespace stiction {
namespace {

class Export : public testing::Test {
 protected:
  Export() {
    const auto writer = create_run(folder / "run", make_test_scene(), infos());
    for (int part = 0; part < 3; ++part) run.write_part(*writer, part);
    reader = RunReader::open(folder / "run");
  }

  // The first name is continued by the second, as those of a joint and a body of one name are.
  std::vector<SignalInfo> infos() const {
    return {
        {"arm.position", "rad", "output"}, {"arm.position.x", "m", "output"}, {"odd, \"name\".tilt", "1", "output"}};
  }
  std::vector<double> expected(int signal) const {
    std::vector<double> samples;
    for (int i = 0; i < 24; ++i) samples.push_back(run.sample(i, signal));
    return samples;
  }
  int count_files() const {
    const auto files = std::filesystem::directory_iterator(folder.path());
    return static_cast<int>(std::distance(begin(files), end(files)));
  }

  TestFolder folder;
  TestRun run;
  std::unique_ptr<RunReader> reader;
};

TEST_F(Export, CsvHasTheShortestTextThatReadsBack) {
  const auto writer = create_run(folder / "short", make_test_scene(), {{"a.x", "m", "output"}});
  // A point of the step grid is written as people write it; what was measured keeps its bits.
  const std::vector<double> times = {175 * 1e-3}, contacts;
  const MatX samples = MatX::Constant(1, 1, 0.1 + 0.2);
  const std::vector<StepEvent> events;
  writer->write_part({times, samples, contacts, events}, nullptr);
  std::ostringstream out;
  export_csv(*RunReader::open(folder / "short"), {"*"}, out);
  EXPECT_EQ(out.str(), "time,a.x\n0.175,0.30000000000000004\n");
}

TEST_F(Export, CsvReadsBackAsTheSameBits) {
  export_csv(*reader, {"*"}, folder / "out.csv");
  std::ifstream file(folder / "out.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "time,arm.position,arm.position.x,\"odd, \"\"name\"\".tilt\"");
  for (int i = 0; i < 24; ++i) {
    std::getline(file, line);
    const char* at = line.c_str();
    const double row[] = {round_time(run.time(i)), run.sample(i, 0), run.sample(i, 1), run.sample(i, 2)};
    for (const double value : row) {
      char* end = nullptr;
      EXPECT_TRUE(same_bits(std::strtod(at, &end), value)) << line;
      at = end + 1;
    }
  }
  EXPECT_FALSE(std::getline(file, line));
  EXPECT_EQ(count_files(), 2) << "a temporary file is left over";
}

TEST_F(Export, CsvHoldsWhatTheGlobsChoose) {
  std::ostringstream out;
  export_csv(*reader, {"arm.*.x"}, out);
  // The first sample is sqrt(2) pi / 2 = 2.22144146907918312...: 16 digits tell it from its neighbours.
  EXPECT_EQ(out.str().substr(0, 41), "time,arm.position.x\n0,2.221441469079183\n0");
}

TEST_F(Export, AGlobWithoutAMatchIsRefusedAndNothingIsWritten) {
  for (const auto export_run : {+[](const RunReader&r, const std::filesystem::path&p) {
                                  export_csv(r, {"arm.positon", "*.tilt", "leg.*"}, p);
                                },
                                +[](const RunReader&r, const std::filesystem::path&p) {
                                  export_hdf5(r, {"arm.positon", "*.tilt", "leg.*"}, p);
                                }}) {
    const std::string message = message_of<InputError>([&] { export_run(*reader, folder / "out"); });
    EXPECT_PRED2(contains, message, "no signal matches \"arm.positon\"");
    EXPECT_PRED2(contains, message, "did you mean \"arm.position\"");
    EXPECT_PRED2(contains, message, "no signal matches \"leg.*\"");
    EXPECT_PRED2(contains, message, "see stiction explain signal");
    EXPECT_EQ(count_files(), 1);
  }
}

TEST_F(Export, APlaceThatCannotBeWrittenIsNamed) {
  const auto csv = [&](const std::filesystem::path& p) {
    return message_of<IoError>([&] { export_csv(*reader, {"*"}, p); });
  };
  const auto hdf5 = [&](const std::filesystem::path& p) {
    return message_of<IoError>([&] { export_hdf5(*reader, {"*"}, p); });
  };
  EXPECT_PRED2(contains, csv(folder / "no/out.csv"), "no such folder");
  EXPECT_PRED2(contains, hdf5(folder / "no/out.h5"), "no such folder");
  EXPECT_PRED2(contains, csv(folder / "run"), "not a regular file");
  EXPECT_PRED2(contains, hdf5("/dev/full"), "not a regular file");
  std::ofstream full("/dev/full");
  EXPECT_PRED2(contains, message_of<IoError>([&] { export_csv(*reader, {"*"}, full); }), "cannot be written");
}

// Reading by HDF5's own functions.
std::vector<double> read_data(hid_t file, const char* path) {
  const hid_t data = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(data);
  std::vector<double> samples(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples.data()), 0);
  H5Sclose(space);
  H5Dclose(data);
  return samples;
}

std::vector<std::string> read_texts(hid_t file, const char* path, const char* attribute_name) {
  const hid_t attribute = H5Aopen_by_name(file, path, attribute_name, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
  std::vector<char*> pointers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (!pointers.empty()) {
    EXPECT_GE(H5Aread(attribute, type, pointers.data()), 0);
  }
  const std::vector<std::string> texts(pointers.begin(), pointers.end());
  if (!pointers.empty()) H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  H5Tclose(type);
  H5Sclose(space);
  H5Aclose(attribute);
  return texts;
}

TEST_F(Export, Hdf5ReadsBackAsTheSameBits) {
  export_hdf5(*reader, {"*"}, folder / "out.h5");
  EXPECT_EQ(count_files(), 2) << "a temporary file is left over";
  const hid_t file = H5Fopen((folder / "out.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_TRUE(same_bits(read_data(file, "/time"), reader->times()));
  EXPECT_TRUE(same_bits(read_data(file, "/arm/position/value"), expected(0)));
  EXPECT_TRUE(same_bits(read_data(file, "/arm/position/x"), expected(1)));
  EXPECT_TRUE(same_bits(read_data(file, "/odd, \"name\"/tilt"), expected(2)));
  using Texts = std::vector<std::string>;
  EXPECT_EQ(read_texts(file, "/time", "unit"), Texts{"s"});
  EXPECT_EQ(read_texts(file, "/arm/position/value", "unit"), Texts{"rad"});
  EXPECT_EQ(read_texts(file, "/", "program_version"), Texts{version});
  EXPECT_EQ(read_texts(file, "/", "scene_names"), (Texts{"main.toml", "parts/arm.toml"}));
  EXPECT_EQ(read_texts(file, "/", "scene_texts"), (Texts{make_test_scene().files[0].text, ""}));
  EXPECT_EQ(read_texts(file, "/", "scene_overrides"), make_test_scene().overrides);
  H5Fclose(file);
}

TEST_F(Export, Hdf5HoldsScenesOfAnySize) {
  const SceneText scene = {{{"large.toml", std::string(3 << 20, '#')}}, {}};
  create_run(folder / "large", scene, infos()).reset();
  export_hdf5(*RunReader::open(folder / "large"), {"*.x"}, folder / "out.h5");
  const hid_t file = H5Fopen((folder / "out.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(read_texts(file, "/", "scene_texts").at(0), scene.files[0].text);
  EXPECT_TRUE(read_data(file, "/time").empty());
  EXPECT_TRUE(read_data(file, "/arm/position/x").empty());
  EXPECT_TRUE(read_texts(file, "/", "scene_overrides").empty());
  H5Fclose(file);
}

}  // namespace
}  // namespace stiction
