#include "stiction/scene/read/read_context.h"

#include <fmt/format.h>

namespace stiction {

namespace {
constexpr std::size_t most_faults = 100;
}

void ReadContext::fail(const Spot& spot, std::string message, std::string hint) {
  if (faults_.size() == most_faults) {
    faults_.back().hint = fmt::format("there are more errors; the first {} are shown", most_faults);
    throw InputError(faults_);
  }
  faults_.push_back({sources_.place(spot), path_, std::move(message), std::move(hint)});
}

void ReadContext::record(const Spot& spot) {
  source_map_.places[path_] = sources_.place(spot);
}

ReadContext::Scope::Scope(ReadContext& context, std::string_view key)
    : context_(context), path_size_(context.path_.size()), type_(context.type), slides_(context.slides) {
  context.path_ = join_path(context.path_, key);
}

ReadContext::Scope::~Scope() {
  context_.path_.resize(path_size_);
  context_.type = std::move(type_);
  context_.slides = slides_;
}

}  // namespace stiction
