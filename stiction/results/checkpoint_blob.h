#pragma once

#include <string>

#include "stiction/results/run_store.h"

namespace stiction {

/// A checkpoint as bytes, bit for bit. Little-endian, 8 bytes a number, one after the other:
///     t (float64), step (int64), and for each of q, v, z, modes, memory of the state, stepper memory,
///     recorder memory:
///     the count (int64) and the numbers (float64; modes int64)
std::string encode_checkpoint(const Checkpoint& checkpoint);
/// IoError if the bytes are not exactly that, beginning with `place` ("run/run.sqlite").
Checkpoint decode_checkpoint(const std::string& bytes, const std::string& place);

/// FNV-1a of the bytes, 16 hexadecimal digits.
std::string calc_checksum(const std::string& bytes);

}  // namespace stiction
