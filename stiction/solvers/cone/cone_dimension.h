#pragma once

namespace stiction {

/// f.operator()<D>() for the dimension D = 2, 3 or 4 of a problem's contacts.
template <class F>
auto with_dimension(int dimension, F f) {
  switch (dimension) {
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    default:
      return f.template operator()<4>();
  }
}

}  // namespace stiction
