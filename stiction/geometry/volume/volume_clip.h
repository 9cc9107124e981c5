#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "stiction/geometry/volume/volume_cap.h"

namespace stiction {

/// A vector of at most N entries that never allocates; push_back beyond N sets `overflow` and drops the entry.
template <class T, int N>
class FixedVector {
 public:
  FixedVector() = default;
  // Only what counts is copied.
  FixedVector(const FixedVector& other) : overflow(other.overflow), size_(other.size_) {
    std::copy(other.begin(), other.end(), begin());
  }
  FixedVector& operator=(const FixedVector& other) {
    overflow = other.overflow, size_ = other.size_;
    std::copy(other.begin(), other.end(), begin());
    return *this;
  }
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
/// Storage for polytopes with each other, with boxes and half-spaces, of at most this many faces together: 20 planes
/// bound at most 36 corners; likewise twice that.
inline constexpr std::size_t small_clip_faces = 20;
struct SmallClipStorage {
  template <class T>
  using Corners = FixedVector<T, 72>;
  template <class T>
  using Loop = FixedVector<T, 40>;
  template <class T>
  using Faces = FixedVector<T, 28>;
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

extern template struct ClipSolid<BoxClipStorage>;
extern template struct ClipSolid<SmallClipStorage>;
extern template struct ClipSolid<FreeClipStorage>;

BoxClipSolid make_clip_box(const Vec3& size);
template <class Storage>
ClipSolid<Storage> make_clip_polytope(const Polytope& polytope) {
  ClipSolid<Storage> solid;
  for (const Vec3& vertex : polytope.vertices) solid.corners.push_back(vertex);
  for (const PolytopeFace& face : polytope.faces) {
    typename ClipSolid<Storage>::Face flat;
    for (const int vertex : face.vertices) flat.loop.push_back(vertex);
    solid.faces.push_back(std::move(flat));
  }
  return solid;
}

}  // namespace stiction
