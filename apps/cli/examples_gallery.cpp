#include <fmt/format.h>

#include <optional>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/plot/line_plot.h"
#include "stiction/plot/svg_writer.h"
#include "stiction/report/report_page.h"
#include "stiction/run/simulate.h"

#include "apps/cli/child_process.h"
#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/examples.h"
#include "apps/cli/gallery_progress.h"
#include "apps/cli/headless_browser.h"
#include "apps/cli/interrupt_watch.h"
#include "apps/cli/report_verdict.h"
#include "apps/cli/view_run.h"

namespace stiction::cli {
namespace {

constexpr PictureSize picture_size{.width = 960, .height = 600};

// One example on the page.
struct Card {
  std::string name, title, sentence, paper;
  std::string picture;  // file name
  Trust trust = Trust::trustworthy;
  std::string because{};  // what the scene says of its verdict
};

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

// Words, not a formula, and no rest of one.
bool is_sentence(std::string_view text) {
  return text.ends_with('.') && is_capital(text.front()) && text.find('=') == text.npos;
}

// Past the full stop that ends the sentence from `start` on: the next one begins with a capital, "Fig. 5.2" with none.
std::size_t find_end(const std::string& text, std::size_t start) {
  for (std::size_t at = text.find(". ", start); at != std::string::npos; at = text.find(". ", at + 1)) {
    if (at + 2 < text.size() && is_capital(text[at + 2])) return at + 1;
  }
  return text.size();
}

// The first sentence of the comments before the first table, or nothing: the title says what it is.
std::string find_sentence(std::string_view text) {
  std::string comment;
  while (!text.empty() && !text.starts_with('[')) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with("# ")) comment += (comment.empty() ? "" : " ") + std::string(line.substr(2));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  for (std::size_t start = 0; start < comment.size();) {
    const std::size_t end = find_end(comment, start);
    const std::string sentence = comment.substr(start, end - start);
    if (is_sentence(sentence)) return sentence;
    start = end + 1;
  }
  return {};
}

// Where there is no browser: the first position over time.
std::string draw_fallback(const RunReader& run, const std::string& title) {
  LinePlot plot{.title = title, .x_label = "time [s]", .y_label = "", .series = {}};
  plot.width = picture_size.width;
  plot.height = picture_size.height;
  for (const SignalInfo& signal : run.signals()) {
    if (signal.unit != "m" || plot.series.size() == 3) continue;
    plot.series.push_back({signal.name, run.times(), run.read(signal.name)});
  }
  plot.y_label = "[m]";
  return draw_line_plot(plot);
}

Card make_card(const EmbeddedExample& example, const std::filesystem::path& out, HeadlessBrowser* browser,
               GalleryProgress& progress) {
  const Scene scene = read_example(example, {});
  Card card{
      .name = std::string(example.name), .title = scene.title, .sentence = {}, .paper = scene.paper, .picture = {}};
  card.because = scene.expect.because;
  card.sentence = find_sentence(example.text);
  const TemporaryFolder folder;
  const std::filesystem::path run = folder.path() / card.name, report = out / (card.name + ".html");
  RunOptions run_options;
  run_options.folder = run;
  run_options.is_interrupted = InterruptWatch::was_interrupted;
  // The picture is the rest of the work.
  run_options.on_progress = [&](const Progress& now) { progress.update(0.9 * now.t / now.duration); };
  (void)simulate(scene, run_options);
  InterruptWatch::check();
  write_report({run}, report);
  card.trust = judge(*RunReader::open(run)).trust;
  if (browser) {
    browser->open(report, fmt::format("bare=1&t={}", format_number(0.45 * scene.time.duration)));
    // It is too small to be read on a card: the page says it once.
    browser->evaluate("document.querySelector('.legend').style.visibility = 'hidden'");
    card.picture = card.name + ".png";
    write_file(out / card.picture, browser->take_picture());
  } else {
    card.picture = card.name + ".svg";
    write_file(out / card.picture, draw_fallback(*RunReader::open(run), card.title));
  }
  return card;
}

constexpr std::string_view page_head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stiction: examples</title>
<style>
:root { color-scheme: light dark; --back: #fff; --text: #1c2128; --soft: #5b6572; --border: #dde1e6; }
@media (prefers-color-scheme: dark) { :root { --back: #1b1f25; --text: #e6e9ee; --soft: #a2abb8; --border: #363d47; } }
body { margin: 0 auto; padding: 28px 24px 60px; max-width: 1240px; background: var(--back); color: var(--text);
  font: 14.5px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
h1 { font-size: 24px; letter-spacing: -0.02em; margin: 0 0 4px; }
p { margin: 0; } .soft { color: var(--soft); }
ul { list-style: none; margin: 24px 0 0; padding: 0; display: grid; gap: 22px;
  grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); }
li { border: 1px solid var(--border); border-radius: 10px; overflow: hidden; }
a { color: inherit; text-decoration: none; display: block; height: 100%; } a:hover h2 { text-decoration: underline; }
img { display: block; width: 100%; aspect-ratio: 16 / 10; object-fit: cover; border-bottom: 1px solid var(--border); }
.text { padding: 12px 14px 14px; } h2 { font-size: 15px; margin: 0 0 4px; } .paper { font-size: 12.5px; margin-top: 6px; }
.verdict { font-weight: 600; margin-top: 6px; } .trustworthy { color: #1d7f4e; } .look_closer { color: #a86500; }
.do_not_trust { color: #c22f3f; }
</style></head><body>
<h1>Examples</h1>
<p class="soft">Each picture leads to the report of its run: replay, plots and audit in one file. Arrows are contact
forces; at green points a contact sticks, at orange ones it slips.</p>
<ul>
)";

std::string format_card(const Card& card) {
  const std::string paper =
      card.paper.empty() ? "" : fmt::format("<p class=\"soft paper\">{}</p>", escape_xml(card.paper));
  const std::string sentence = card.sentence.empty() ? "" : fmt::format("<p>{}</p>", escape_xml(card.sentence));
  const std::string because =
      card.because.empty() ? "" : fmt::format("<p class=\"soft\">because {}</p>", escape_xml(card.because));
  return fmt::format(
      "<li><a href=\"{0}.html\"><img src=\"{1}\" alt=\"\" loading=\"lazy\"><div class=\"text\"><h2>{2}</h2>"
      "{3}{4}<p class=\"verdict {5}\">{6}</p>{7}</div></a></li>\n",
      escape_xml(card.name), escape_xml(card.picture), escape_xml(card.title), sentence, paper, word_of(card.trust),
      words_of(card.trust), because);
}

// None where there is no chromium: that is said, and no fault.
std::unique_ptr<HeadlessBrowser> start_browser() {
  try {
    return std::make_unique<HeadlessBrowser>(picture_size);
  } catch (const InputError& error) {
    print_error(fmt::format("{}: the pictures will be plots\n", error.faults().front().message));
    return nullptr;
  }
}

// By the steps of all bodies, and the picture of each.
double guess_work(const EmbeddedExample& example) {
  const Scene scene = read_example(example, {});
  return 20000 + scene.time.duration / scene.time.step * static_cast<double>(scene.bodies.size());
}

GalleryProgress make_progress(const std::vector<const EmbeddedExample*>& examples, const std::string& mode) {
  std::vector<GalleryProgress::Task> tasks;
  tasks.reserve(examples.size());
  for (const EmbeddedExample* example : examples) tasks.push_back({std::string(example->name), guess_work(*example)});
  return {ProgressDisplay::choose_mode(mode, false), std::move(tasks)};
}

// The page after each of the examples; how many are on it.
std::size_t write_gallery(const std::vector<const EmbeddedExample*>& examples, const GalleryOptions& options) {
  const auto browser = start_browser();
  GalleryProgress progress = make_progress(examples, options.progress);
  std::string page(page_head);
  std::size_t count = 0;
  try {
    for (const EmbeddedExample* example : examples) {
      page += format_card(make_card(*example, options.out, browser.get(), progress));
      write_file(options.out / "index.html", page + "</ul></body></html>\n");
      progress.update(1);
      ++count;
    }
  } catch (const Interrupted&) {
    // What is done stays.
  }
  return count;
}

}  // namespace

int make_gallery(const GalleryOptions& options) {
  std::vector<const EmbeddedExample*> examples;
  for (const std::string& name : options.names) examples.push_back(&find_example(name));
  if (options.names.empty()) {
    for (const EmbeddedExample& example : embedded_examples()) examples.push_back(&example);
  }
  std::filesystem::create_directories(options.out);
  const InterruptWatch watch;
  const std::size_t count = write_gallery(examples, options);
  const std::string index = (options.out / "index.html").string();
  if (count < examples.size()) {
    print_error(fmt::format("error: interrupted: {} of {} examples are in {}\n", count, examples.size(), index));
    return exit_interrupted;
  }
  print(fmt::format("wrote {} ({} example{})\n", index, count, count == 1 ? "" : "s"));
  return exit_ok;
}

}  // namespace stiction::cli
