"""The contact core in another simulator (examples/hosts), where that is installed."""
import os
import pathlib
import runpy

import numpy as np
import pytest

examples = pathlib.Path(os.environ["STICTION_EXAMPLES"])


@pytest.fixture(scope="module")
def host():
    pytest.importorskip("mujoco")
    return runpy.run_path(str(examples / "hosts/mujoco_contact.py"))


def test_a_ball_bounces_by_its_coefficient_of_restitution(host):
    # e^2 h. During the contact, 4 ms long, gravity adds 1 % to the speed of the impact: twice that in the height.
    assert host["measure_rebound"](True) == pytest.approx(0.5 ** 2 * 0.5, rel=0.025)
    # MuJoCo's default is critically damped: no rebound.
    assert host["measure_rebound"](False) < 1e-3


def test_a_block_does_not_creep(host):
    moved, creep = host["measure_creep"](True)
    # f_t = f_n sigma_0 z: the bristles deflect by tan(slope) / sigma_0, and that is all. Steps of 0.1 ms.
    assert moved == pytest.approx(np.tan(host["slope"]) / host["bristle_stiffness"], rel=1e-3)
    assert abs(creep) < 1e-12
    # MuJoCo's regularised friction creeps as its own law says.
    _, creep = host["measure_creep"](False)
    assert creep == pytest.approx(host["calc_mujoco_creep"](), rel=0.01) and creep > 1e-3


def test_misuse_is_told(host):
    import mujoco
    model = mujoco.MjModel.from_xml_string(host["ball"].replace('<option ', '<option integrator="RK4" '))
    with pytest.raises(ValueError, match="RK4"):
        host["StictionContact"](model, {("floor", "ball"): host["ball_law"]})
    model = mujoco.MjModel.from_xml_string(host["ball"].replace('type="sphere" size="0.1"', 'type="box" size="1 1 1"'))
    with pytest.raises(ValueError, match="no contact core"):
        host["StictionContact"](model, {("floor", "ball"): host["ball_law"]})
