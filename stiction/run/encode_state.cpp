#include <cmath>
#include <cstring>
#include <limits>

#include "stiction/base/fault.h"
#include "stiction/run/simulation.h"

// A saved state as bytes. Little-endian, 8 bytes a number: a word that says what it is; t, step, step length, grid,
// last step; then for q, v, z, modes, what the state and the stepper remember, inputs, contacts the count and the
// numbers.

namespace stiction {
namespace {

constexpr char state_word[] = "STICTSV1";
constexpr std::size_t numbers_a_contact = 30;

class StateWriter {
 public:
  template <class T>
  void put(T value) {
    static_assert(sizeof value == 8);
    char raw[8];
    std::memcpy(raw, &value, 8);
    bytes.append(raw, 8);
  }
  template <class List>
  void put_list(const List& list) {
    put(static_cast<std::int64_t>(list.size()));
    for (const auto value : list) put(static_cast<double>(value));
  }
  std::string bytes = std::string(state_word, 8);
};

class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {
    if (!bytes.starts_with(std::string_view(state_word, 8))) refuse();
    rest_.remove_prefix(8);
  }
  template <class T>
  T take() {
    if (rest_.size() < 8) refuse();
    T value;
    std::memcpy(&value, rest_.data(), 8);
    rest_.remove_prefix(8);
    return value;
  }
  std::vector<double> take_list() {
    const auto count = take<std::int64_t>();
    if (count < 0 || static_cast<std::size_t>(count) > rest_.size() / 8) refuse();
    std::vector<double> list(static_cast<std::size_t>(count));
    for (double& value : list) value = take<double>();
    return list;
  }
  VecX take_vector() {
    const std::vector<double> list = take_list();
    return Eigen::Map<const VecX>(list.data(), static_cast<Eigen::Index>(list.size()));
  }
  void finish() const {
    if (!rest_.empty()) refuse();
  }
  [[noreturn]] static void refuse() { throw InputError("these bytes are not a saved state of this version"); }

 private:
  std::string_view rest_;
};

/// Not NaN, and within the range of an int.
bool is_int(double number) {
  return std::abs(number) <= static_cast<double>(std::numeric_limits<int>::max());
}

std::vector<double> write_contacts(const std::vector<ContactRecord>& contacts) {
  std::vector<double> numbers;
  for (const ContactRecord& contact : contacts) {
    numbers.insert(numbers.end(), {static_cast<double>(contact.shape_a), static_cast<double>(contact.shape_b),
                                   static_cast<double>(contact.point), static_cast<double>(contact.mode),
                                   contact.certified ? 1.0 : 0.0, contact.gap, contact.volume, contact.area,
                                   contact.deflection, contact.shear, contact.core_impulse, contact.dwell});
    for (const Vec3& x :
         {contact.position, contact.normal, contact.impulse, contact.moment_impulse, contact.slip, contact.extent})
      numbers.insert(numbers.end(), x.data(), x.data() + 3);
  }
  return numbers;
}

std::vector<ContactRecord> read_contacts(const std::vector<double>& numbers) {
  if (numbers.size() % numbers_a_contact != 0) StateReader::refuse();
  std::vector<ContactRecord> contacts;
  for (std::size_t i = 0; i < numbers.size(); i += numbers_a_contact) {
    const double* n = &numbers[i];
    if (!is_int(n[0]) || !is_int(n[1]) || !is_int(n[2]) || !(n[3] >= 0 && n[3] < 3)) StateReader::refuse();
    ContactRecord& contact = contacts.emplace_back();
    contact.shape_a = static_cast<int>(n[0]), contact.shape_b = static_cast<int>(n[1]);
    contact.point = static_cast<int>(n[2]);
    contact.mode = static_cast<ContactMode>(static_cast<int>(n[3]));
    contact.certified = n[4] != 0;
    contact.gap = n[5], contact.volume = n[6], contact.area = n[7];
    contact.deflection = n[8], contact.shear = n[9], contact.core_impulse = n[10], contact.dwell = n[11];
    contact.position = Vec3(n + 12), contact.normal = Vec3(n + 15), contact.impulse = Vec3(n + 18);
    contact.moment_impulse = Vec3(n + 21), contact.slip = Vec3(n + 24), contact.extent = Vec3(n + 27);
  }
  return contacts;
}

}  // namespace

std::string encode_state(const SimulationState& state) {
  StateWriter writer;
  writer.put(state.state.t);
  writer.put(state.state.step);
  for (const double value : {state.step, state.step_origin, state.last_step}) writer.put(value);
  for (const VecX* list : {&state.state.q, &state.state.v, &state.state.z}) writer.put_list(*list);
  writer.put_list(state.state.modes);
  writer.put_list(state.state.memory);
  writer.put_list(state.memory);
  writer.put_list(state.inputs);
  writer.put_list(write_contacts(state.contacts));
  return std::move(writer.bytes);
}

SimulationState decode_state(std::string_view bytes) {
  StateReader reader(bytes);
  SimulationState state;
  state.state.t = reader.take<double>();
  state.state.step = reader.take<std::int64_t>();
  state.step = reader.take<double>(), state.step_origin = reader.take<double>();
  state.last_step = reader.take<double>();
  state.state.q = reader.take_vector(), state.state.v = reader.take_vector(), state.state.z = reader.take_vector();
  for (const double mode : reader.take_list()) {
    if (!is_int(mode)) StateReader::refuse();
    state.state.modes.push_back(static_cast<int>(mode));
  }
  state.state.memory = reader.take_list();
  state.memory = reader.take_list(), state.inputs = reader.take_list();
  state.contacts = read_contacts(reader.take_list());
  reader.finish();
  return state;
}

}  // namespace stiction
