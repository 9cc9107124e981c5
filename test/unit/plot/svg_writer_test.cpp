#include "stiction/plot/svg_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "test/support/xml_check.h"

namespace stiction {
namespace {

TEST(svg_writer, marks_of_xml_are_escaped) {
  EXPECT_EQ(escape_xml("a<b & \"c\" > 'd'"), "a&lt;b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(escape_xml("m/s\xC2\xB2"), "m/s\xC2\xB2");
}

TEST(svg_writer, what_xml_forbids_is_replaced) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(escape_xml(std::string("a\0b", 3)), "a" + mark + "b");
  EXPECT_EQ(escape_xml("\x1B[31m"), mark + "[31m");
  // Broken UTF-8: a lone continuation byte, a cut sequence, an overlong one, a surrogate.
  EXPECT_EQ(escape_xml("\x80"), mark);
  EXPECT_EQ(escape_xml("\xE2\x88"), mark + mark);
  EXPECT_EQ(escape_xml("\xC0\xAF"), mark + mark);
  EXPECT_EQ(escape_xml("\xED\xA0\x80"), mark + mark + mark);
}

TEST(svg_writer, shortened_text_fits_and_ends_with_dots) {
  EXPECT_EQ(shorten_text("short", 12, 100), "short");
  const std::string cut = shorten_text("a very long name that cannot fit", 12, 60);
  EXPECT_TRUE(cut.ends_with("\xE2\x80\xA6"));
  EXPECT_LE(estimate_text_width(cut, 12), 60);
}

TEST(svg_writer, pixels_have_two_decimals_at_most) {
  SvgWriter svg(10, 20, "");
  svg.add_line({-0.001, 1.0 / 3}, {2.50, 100}, {.color = "#000000", .width = 1, .dash = {}});
  EXPECT_NE(svg.finish().find("x1=\"0\" y1=\"0.33\" x2=\"2.5\" y2=\"100\""), std::string::npos);
}

RC_GTEST_PROP(svg_writer, any_bytes_give_a_well_formed_picture, (const std::string& title, const std::string& text)) {
  SvgWriter svg(10, 20, title);
  svg.add_text({1, 2}, text, {});
  svg.add_text({1, 2}, {{text}, {text, true}, {text}}, {.turn = -90});
  RC_ASSERT(stiction_test::find_xml_fault(svg.finish()) == "");
}

}  // namespace
}  // namespace stiction
