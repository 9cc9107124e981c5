#pragma once

namespace stiction {

/// One scalar coordinate of a named joint, the same in tree and in constraint form: what motors, torsional springs,
/// drivers and couplers act on. In constraint form only the axial joints (revolute, prismatic, screw, cylindrical) have
/// it.
struct CoordinateRef {
  int joint = 0;      ///< index into System::named_joints
  int component = 0;  ///< 0 <= component < nq
};

}  // namespace stiction
