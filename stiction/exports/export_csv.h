#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "stiction/results/pair_names.h"
#include "stiction/results/run_store.h"

namespace stiction {

/// A table of text: the header `time` and the names of the signals that match the globs, then one line a sample. SI
/// units, 17 significant digits, so that every number reads back as the same bits. Names with a comma or a quote are
/// quoted. InputError for a glob that matches nothing, IoError for the disk.
void export_csv(const RunReader& run, const std::vector<std::string>& globs, std::ostream& out);
/// Into a file that appears whole or not at all.
void export_csv(const RunReader& run, const std::vector<std::string>& globs, const std::filesystem::path& file);

/// The recorded contacts, one a line, with the columns of contact_samples.h; shapes and modes by name, a and b in the
/// order of their table; normal, impulse and slip go with them: from a to b, on b, of b.
void export_contacts_csv(const RunReader& run, const PairNames& names, std::ostream& out);
void export_contacts_csv(const RunReader& run, const PairNames& names, const std::filesystem::path& file);

}  // namespace stiction
