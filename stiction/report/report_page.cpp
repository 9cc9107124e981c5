#include "stiction/report/report_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/plot/svg_writer.h"
#include "stiction/report/column_writer.h"
#include "stiction/report/embedded_page.h"
#include "stiction/report/encode_page.h"

namespace stiction {
namespace {

// What the page's HTML holds in the places of its title and of the runs.
constexpr std::string_view title_mark = "<!--title-->", data_mark = "<!--runs-->";

std::string name_of_folder(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder.lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

// Base64 holds no character that HTML could take for its own.
std::string make_block(const std::string& kind, const std::string& bytes) {
  return fmt::format("<script type=\"application/x-stiction-{}\">{}</script>\n", kind, encode_base64(bytes));
}

std::string fill_page(const std::string& data, std::string_view title) {
  if (!has_report_page()) throw make_no_page_error();
  std::string page(embedded_page());
  page.replace(page.find(data_mark), data_mark.size(), data);
  page.replace(page.find(title_mark), title_mark.size(), escape_xml(title));
  return page;
}

}  // namespace

bool has_report_page() {
  return !embedded_page().empty();
}

InputError make_no_page_error() {
  return InputError("this program was built without the report page",
                    "install npm and build again; stiction plot draws signals without it");
}

std::string make_report(const std::vector<std::string>& encoded_runs, std::string_view title) {
  std::string data;
  for (const std::string& run : encoded_runs) data += make_block("run", compress(run));
  return fill_page(data, title);
}

std::string make_live_report(const std::string& encoded_run, const std::vector<std::string>& shapes) {
  // Names may hold any character but a zero.
  std::string list;
  for (const std::string& shape : shapes) list += shape + '\0';
  return fill_page(make_block("run", compress(encoded_run)) + make_block("live", list), "Live - Stiction");
}

std::string make_report(const std::vector<std::filesystem::path>& runs) {
  std::vector<std::string> encoded;
  std::string title;
  for (const std::filesystem::path& folder : runs) {
    const auto reader = RunReader::open(folder);
    // By the last part of the folder; by the whole path where two of those are the same.
    const auto namesakes = std::count_if(runs.begin(), runs.end(), [&](const std::filesystem::path& other) {
      return name_of_folder(other) == name_of_folder(folder);
    });
    const PageData page = collect_page(*reader, namesakes == 1 ? name_of_folder(folder) : folder.string());
    if (title.empty()) title = page.title.empty() ? page.name : page.title;
    encoded.push_back(encode_page(page));
  }
  return make_report(encoded, title + " - Stiction");
}

}  // namespace stiction
