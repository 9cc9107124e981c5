"""The environments, by gymnasium's own checker."""
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from stiction.gym import ArmOnPlate, PegInHole  # noqa: E402


@pytest.mark.parametrize("kind", [PegInHole, ArmOnPlate])
def test_environment_passes_the_check(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(kind(), skip_render_check=True)


@pytest.mark.parametrize("kind", [PegInHole, ArmOnPlate])
def test_episodes_repeat(kind):
    def play():
        env = kind()
        env.action_space.seed(2)
        observations = [env.reset(seed=1)[0]]
        for _ in range(30):
            observations.append(env.step(env.action_space.sample())[0])
        return np.array(observations)

    assert np.array_equal(play(), play())


def test_peg_falls_in_where_it_stands_above_the_hole():
    env = PegInHole()
    env.reset(seed=0)
    env.simulation.restore(env._start)  # centred
    for _ in range(60):
        *_, done, _, _ = env.step(np.zeros(5))
        if done:
            break
    assert done
