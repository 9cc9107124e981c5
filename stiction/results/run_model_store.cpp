#include <fmt/format.h>

#include "stiction/base/fault.h"
#include "stiction/results/run_format.h"
#include "stiction/results/shape_text.h"

// The tables `body`, `shape`, `joint`, `spring`, `contact_shape`, `contact_rule` and `joined`: the mechanical system of
// a run, as those see it who look at the run.

namespace stiction {
namespace {

/// Binds values to the parameters of a statement one after the other, and runs it.
class RowWriter {
 public:
  RowWriter(Database& database, const char* sql) : statement_(database, sql) {}

  RowWriter& put(int value) { return put_any(static_cast<std::int64_t>(value)); }
  RowWriter& put(double value) { return put_any(value); }
  RowWriter& put(const std::string& value) { return put_any(std::string_view(value)); }
  RowWriter& put(const Vec3& p) { return put(p.x()).put(p.y()).put(p.z()); }
  RowWriter& put(const Transform& X) {
    const Quaternion q = calc_quaternion(X.R);
    return put(X.p).put(q.w).put(q.vec());
  }
  void end() {
    statement_.run();
    next_ = 1;
  }

 private:
  template <class T>
  RowWriter& put_any(T value) {
    statement_.bind(next_++, value);
    return *this;
  }
  Statement statement_;
  int next_ = 1;
};

/// Reads the columns of a row one after the other.
class RowReader {
 public:
  RowReader(Database& database, const char* sql) : file_(database.file().string()), statement_(database, sql) {}

  bool next() {
    column_ = 0;
    return statement_.step();
  }
  bool flag() { return statement_.integer(column_++) != 0; }
  double real() { return statement_.real(column_++); }
  std::string text() { return statement_.text(column_++); }
  Vec3 vector() {
    const double x = real(), y = real(), z = real();
    return {x, y, z};
  }
  Transform pose() {
    const Vec3 p = vector();
    const double w = real();
    const Vec3 v = vector();
    return {calc_matrix({w, v.x(), v.y(), v.z()}), p};
  }
  /// Of a body: a run may come from anywhere.
  int index(std::size_t count) {
    const std::int64_t value = statement_.integer(column_++);
    if (value < 0 || value >= static_cast<std::int64_t>(count))
      throw IoError(fmt::format("{}: damaged: there is no body {}", file_, value));
    return static_cast<int>(value);
  }

 private:
  std::string file_;
  Statement statement_;
  int column_ = 0;
};

void write_bodies(Database& database, const RunModel& model) {
  RowWriter body(database, "INSERT INTO body VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  RowWriter shape(database, "INSERT INTO shape VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const auto id = static_cast<int>(i);
    const RunModel::BodyModel& from = model.bodies[i];
    body.put(id).put(from.name).put(from.fixed ? 1 : 0).put(from.X_WB).end();
    for (const PlacedShape& part : from.shapes) {
      const std::string geometry = encode_shape(part.shape);
      shape.put(id).put(part.name).put(part.X_BS).put(geometry).end();
    }
  }
}

void read_bodies(Database& database, RunModel& model) {
  RowReader body(database, "SELECT name, fixed, x, y, z, qw, qx, qy, qz FROM body ORDER BY id");
  while (body.next()) {
    RunModel::BodyModel& to = model.bodies.emplace_back();
    to.name = body.text(), to.fixed = body.flag(), to.X_WB = body.pose();
  }
  RowReader shape(database, "SELECT body, name, x, y, z, qw, qx, qy, qz, geometry FROM shape ORDER BY id");
  while (shape.next()) {
    const int index = shape.index(model.bodies.size());
    PlacedShape& to = model.bodies[static_cast<std::size_t>(index)].shapes.emplace_back();
    to.name = shape.text(), to.X_BS = shape.pose(), to.shape = decode_shape(shape.text());
  }
}

void write_links(Database& database, const RunModel& model) {
  RowWriter joint(database, "INSERT INTO joint VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const RunModel::JointModel& from : model.joints)
    joint.put(from.name).put(from.kind).put(from.parent).put(from.child).put(from.X_PF).end();
  RowWriter spring(database, "INSERT INTO spring VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const RunModel::SpringModel& from : model.springs)
    spring.put(from.name).put(from.a).put(from.b).put(from.at_a).put(from.at_b).end();
}

void read_links(Database& database, RunModel& model) {
  const std::size_t bodies = model.bodies.size();
  RowReader joint(database, "SELECT name, kind, parent, child, x, y, z, qw, qx, qy, qz FROM joint ORDER BY id");
  while (joint.next()) {
    RunModel::JointModel& to = model.joints.emplace_back();
    to.name = joint.text(), to.kind = joint.text();
    to.parent = joint.index(bodies), to.child = joint.index(bodies), to.X_PF = joint.pose();
  }
  RowReader spring(database, "SELECT name, a, b, ax, ay, az, bx, by, bz FROM spring ORDER BY id");
  while (spring.next()) {
    RunModel::SpringModel& to = model.springs.emplace_back();
    to.name = spring.text(), to.a = spring.index(bodies), to.b = spring.index(bodies);
    to.at_a = spring.vector(), to.at_b = spring.vector();
  }
}

void write_contact(Database& database, const ContactModel& model) {
  RowWriter shape(database, "INSERT INTO contact_shape VALUES (?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    const ContactShape& from = model.shapes[i];
    shape.put(static_cast<int>(i))
        .put(from.name)
        .put(from.body)
        .put(from.material)
        .put(from.moves_freely ? 1 : 0)
        .end();
  }
  RowWriter rule(database, "INSERT INTO contact_rule VALUES (NULL, ?, ?, ?, ?, ?, ?)");
  for (const ContactRule& from : model.rules) {
    rule.put(from.name).put(from.a).put(from.b).put(from.touches ? 1 : 0);
    rule.put(from.law.friction).put(from.law.restitution).end();
  }
  RowWriter joined(database, "INSERT INTO joined VALUES (?, ?)");
  for (const auto& [a, b] : model.joined) joined.put(a).put(b).end();
}

void read_contact(Database& database, RunModel& model) {
  const std::size_t bodies = model.bodies.size();
  ContactModel& contact = model.contact;
  RowReader shape(database, "SELECT name, body, material, moves_freely FROM contact_shape ORDER BY id");
  while (shape.next()) {
    ContactShape& to = contact.shapes.emplace_back();
    to.name = shape.text(), to.body = shape.index(bodies), to.material = shape.text(), to.moves_freely = shape.flag();
    to.body_name = model.bodies[static_cast<std::size_t>(to.body)].name;
  }
  RowReader rule(database, "SELECT name, a, b, touches, friction, restitution FROM contact_rule ORDER BY id");
  while (rule.next()) {
    ContactRule& to = contact.rules.emplace_back();
    to.name = rule.text(), to.a = rule.text(), to.b = rule.text(), to.touches = rule.flag();
    to.law.friction = rule.real(), to.law.restitution = rule.real();
  }
  RowReader joined(database, "SELECT a, b FROM joined ORDER BY a, b");
  while (joined.next()) {
    const int a = joined.index(bodies), b = joined.index(bodies);
    contact.joined.emplace_back(a, b);
  }
}

}  // namespace

void write_model(Database& database, const RunModel& model) {
  RowWriter up(database, "INSERT INTO setting VALUES ('up.x', ?), ('up.y', ?), ('up.z', ?)");
  up.put(model.up).end();
  write_bodies(database, model);
  write_links(database, model);
  write_contact(database, model.contact);
}

RunModel read_model(Database& database) {
  RunModel model;
  RowReader up(database, "SELECT value FROM setting WHERE key IN ('up.x', 'up.y', 'up.z') ORDER BY key");
  for (int i = 0; i < 3 && up.next(); ++i) model.up[i] = up.real();
  read_bodies(database, model);
  read_links(database, model);
  read_contact(database, model);
  return model;
}

}  // namespace stiction
