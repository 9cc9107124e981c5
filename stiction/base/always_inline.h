#pragma once

/// For short functions in the innermost loops: as calls they pass vectors through memory, number by number in and pair
/// by pair out, which stalls the processor.
#define STICTION_INLINE [[gnu::always_inline]] inline
