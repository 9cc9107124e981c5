#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "stiction/scene/describe/describe.h"

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

std::vector<std::string> list_toml_blocks(const std::string& markdown) {
  const std::string open = "```toml\n", close = "```\n";
  std::vector<std::string> blocks;
  for (std::size_t i = markdown.find(open); i != std::string::npos; i = markdown.find(open, i)) {
    i += open.size();
    const std::size_t end = markdown.find(close, i);
    blocks.push_back(markdown.substr(i, end - i));
    i = end + close.size();
  }
  return blocks;
}

TEST(Reference, EveryExampleIsValid) {
  const std::vector<std::string> blocks = list_toml_blocks(format_scene_reference());
  EXPECT_GE(blocks.size(), list_tables().size());
  for (const std::string& block : blocks) EXPECT_EQ(format_faults(list_faults(block)), "") << block;
}

TEST(Reference, NamesEveryFieldWithItsSentence) {
  const std::string reference = format_scene_reference();
  for (const TableInfo* table : list_tables()) {
    EXPECT_NE(reference.find(table->heading), std::string::npos) << table->heading;
    for (const FieldInfo& field : table->fields) {
      EXPECT_NE(reference.find("- `" + field.name + "`"), std::string::npos) << field.name;
      EXPECT_TRUE(field.sentence.ends_with('.')) << table->heading << " " << field.name;
      EXPECT_FALSE(field.meaning.empty()) << table->heading << " " << field.name;
    }
  }
}

TEST(Reference, DefaultsAreThoseOfTheStructs) {
  const auto default_of = [](const TableInfo& table, const std::string& name) {
    for (const FieldInfo& field : table.fields) {
      if (field.name == name) return field.default_text;
    }
    return std::string("no such field");
  };
  EXPECT_EQ(default_of(describe_time().info(), "duration"), "1");
  EXPECT_EQ(default_of(describe_method().info(), "integrator"), "\"rk4\"");
  EXPECT_EQ(default_of(describe_joint().info(), "parent"), "\"world\"");
  EXPECT_EQ(default_of(describe_shape().info(), "axis"), "[0, 0, 1]");
  EXPECT_EQ(default_of(describe_force().info(), "torque"), "[0, 0, 0]");
}

TEST(Reference, TypedFieldsNameKnownTypes) {
  for (const TableInfo* table : list_tables()) {
    const std::vector<std::string> types = table->list_types();
    for (const FieldInfo& field : table->fields) {
      for (const std::string& type : field.types) {
        EXPECT_NE(std::find(types.begin(), types.end(), type), types.end())
            << table->heading << " " << field.name << " " << type;
      }
    }
  }
}

// Rows of tables cannot be broken.
TEST(Reference, ProseHasLinesOfAtMost120Columns) {
  std::istringstream lines(format_scene_reference());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) {
      EXPECT_LE(line.size(), 120u) << line;
    }
  }
}

TEST(Reference, PageInDocsIsUpToDate) {
  std::ifstream stream(STICTION_SOURCE_DIR "/docs/scene-format.md");
  const std::string page((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_EQ(page, format_scene_reference()) << "print it again: stiction reference > docs/scene-format.md";
}

}  // namespace
}  // namespace stiction
