#include "stiction/exports/export_hdf5.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <utility>

#include "stiction/base/fault.h"
#include "stiction/results/file_replacement.h"
#include "stiction/results/select_signals.h"

namespace stiction {
namespace {

// HDF5 prints its own stack of errors unless told otherwise; ours are exceptions.
class QuietErrors {
 public:
  QuietErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

template <class Code>
Code check(Code code, const char* what) {
  if (code < 0) throw IoError(fmt::format("HDF5 cannot {}", what));
  return code;
}

// An open HDF5 object and the function that closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*closer)(hid_t), const char* what) : id_(check(id, what)), closer_(closer) {}
  ~Handle() {
    if (id_ >= 0) closer_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }
  /// Closing a file writes what is left of it: that may fail.
  void close(const char* what) { check(closer_(std::exchange(id_, hid_t(-1))), what); }

 private:
  hid_t id_;
  herr_t (*closer_)(hid_t);
};

// A list of texts of any length as an attribute: such texts live in the file's heap, not in the attribute's 64 KiB.
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts, bool scalar) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type, H5T_VARIABLE), "make a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a text type");
  const hsize_t count = texts.size();
  Handle space(scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose, "make a data space");
  Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "make an attribute");
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  if (!pointers.empty()) check(H5Awrite(attribute, type, pointers.data()), "write an attribute");
}

void write_samples(hid_t file, const std::string& path, const std::string& unit, const std::vector<double>& samples) {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make a property list");
  check(H5Pset_create_intermediate_group(links, 1), "make a group");
  const hsize_t count = samples.size();
  Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a data space");
  Handle data(H5Dcreate2(file, path.c_str(), H5T_IEEE_F64LE, space, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
              "make a data set");
  if (count > 0) {
    check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples.data()), "write the samples");
  }
  write_attribute(data, "unit", {unit}, true);
}

// ball.position.x -> /ball/position/x. `names` is sorted.
std::string path_of(const std::string& name, const std::vector<std::string>& names) {
  std::string path = "/" + name;
  std::replace(path.begin(), path.end(), '.', '/');
  const auto next = std::lower_bound(names.begin(), names.end(), name + ".");
  const bool continued = next != names.end() && next->starts_with(name + ".");
  return continued ? path + "/value" : path;
}

void write_scene(hid_t root, const RunReader& run) {
  const SceneText scene = run.scene();
  std::vector<std::string> names, texts;
  for (const SceneText::File& file : scene.files) {
    names.push_back(file.name);
    texts.push_back(file.text);
  }
  write_attribute(root, "program_version", {run.program_version()}, true);
  write_attribute(root, "scene_names", names, false);
  write_attribute(root, "scene_texts", texts, false);
  write_attribute(root, "scene_overrides", scene.overrides, false);
}

void write_file(const RunReader& run, const std::vector<std::size_t>& selected, const std::filesystem::path& place) {
  std::vector<std::string> names = {"time"};
  for (const std::size_t i : selected) names.push_back(run.signals()[i].name);
  std::sort(names.begin(), names.end());

  Handle file(H5Fcreate(place.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "make the file");
  write_scene(file, run);
  write_samples(file, path_of("time", names), "s", run.times());
  for (const std::size_t i : selected) {
    const SignalInfo& signal = run.signals()[i];
    write_samples(file, path_of(signal.name, names), signal.unit, run.read(signal.name));
  }
  file.close("finish the file");
}

}  // namespace

void export_hdf5(const RunReader& run, const std::vector<std::string>& globs, const std::filesystem::path& file) {
  const std::vector<std::size_t> selected = select_signals(run.signals(), globs);
  FileReplacement replacement(file);
  const QuietErrors quiet;
  try {
    write_file(run, selected, replacement.temporary());
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: {}", file.string(), error.what()));
  }
  replacement.commit();
}

}  // namespace stiction
