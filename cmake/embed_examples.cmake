# Writes a C++ source that holds scene files as text. Run at build time:
#   cmake -D OUTPUT=file.cpp -D FILES="a.toml|b.toml" -P embed_examples.cmake
string(REPLACE "|" ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  file(STRINGS "${file}" includes REGEX "^[ \t]*include[ \t]*=")
  if(includes)
    message(FATAL_ERROR "${file}: an example is built into the program alone and cannot include other files")
  endif()
  file(READ "${file}" text)
  string(APPEND entries "      {\"${name}\", R\"stiction(${text})stiction\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from examples/ by cmake/embed_examples.cmake.
#include \"apps/cli/embedded_examples.h\"

namespace stiction::cli {

const std::vector<EmbeddedExample>& embedded_examples() {
  static const std::vector<EmbeddedExample> examples = {
${entries}  };
  return examples;
}

}  // namespace stiction::cli
")
