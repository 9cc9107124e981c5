#pragma once

#include <array>
#include <vector>

#include "stiction/geometry/volume/volume_cap.h"

namespace stiction {

/// A vector of at most N entries that never allocates; push_back beyond N sets `overflow` and drops the entry.
template <class T, int N>
class FixedVector {
 public:
  void push_back(const T& value) {
    if (size_ < N)
      data_[size_++] = value;
    else
      overflow = true;
  }
  void clear() { size_ = 0; }
  /// Keeps the first `count` entries.
  void shorten(int count) { size_ = count; }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](int i) { return data_[i]; }
  const T& operator[](int i) const { return data_[i]; }
  T* begin() { return data_.data(); }
  T* end() { return data_.data() + size_; }
  const T* begin() const { return data_.data(); }
  const T* end() const { return data_.data() + size_; }

  bool overflow = false;

 private:
  std::array<T, N> data_;
  int size_ = 0;
};

/// Storage for two boxes: 12 planes bound at most 12 faces, 20 corners, 11 corners a face (Euler); twice that for
/// rounding's sake.
struct BoxClipStorage {
  template <class T>
  using Corners = FixedVector<T, 48>;
  template <class T>
  using Loop = FixedVector<T, 24>;
  template <class T>
  using Faces = FixedVector<T, 16>;
};
/// Storage of any size.
struct FreeClipStorage {
  template <class T>
  using Corners = std::vector<T>;
  template <class T>
  using Loop = std::vector<T>;
  template <class T>
  using Faces = std::vector<T>;
};

/// A convex polyhedron that is cut by half-spaces. Corners are classified once for each plane, each crossed edge gets
/// one new corner which its two faces share, and the new face is linked from those corners: the surface stays closed
/// whatever rounding does, so that volume and moments by the divergence theorem are exact to rounding even where faces
/// of both bodies coincide.
template <class Storage>
struct ClipSolid {
  struct Face {
    typename Storage::template Loop<int> loop;  ///< corners, counter-clockwise from outside
    bool of_b = false;                          ///< the face belongs to B's surface
  };
  typename Storage::template Corners<Vec3> corners;
  typename Storage::template Faces<Face> faces;

  bool empty() const { return faces.size() < 4; }
  /// Keeps n'x <= offset; the new face belongs to B's surface if `of_b`.
  void cut(const Vec3& normal, double offset, bool of_b);
  /// Sums about the returned origin, a corner.
  LocalSums calc_sums() const;
};

using BoxClipSolid = ClipSolid<BoxClipStorage>;
using FreeClipSolid = ClipSolid<FreeClipStorage>;

extern template struct ClipSolid<BoxClipStorage>;
extern template struct ClipSolid<FreeClipStorage>;

BoxClipSolid make_clip_box(const Vec3& size);
FreeClipSolid make_clip_polytope(const Polytope& polytope);

}  // namespace stiction
