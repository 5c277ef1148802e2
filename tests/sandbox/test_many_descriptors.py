"""A supervisor with many open files: the numbers of its descriptors mean nothing in a box."""

import os
from collections.abc import Iterator

import pytest
from attack_box import HONEST, start

from submissions_sandbox import ALL_TIERS, RunLimits, Tier


@pytest.fixture
def many_open_files() -> Iterator[None]:
    """Whatever is opened next gets numbers around those that are fixed in a box."""
    opened = [os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC) for _ in range(80)]
    holes = [descriptor for descriptor in opened if 28 <= descriptor <= 48]
    for descriptor in holes:
        os.close(descriptor)
    yield
    for descriptor in set(opened) - set(holes):
        os.close(descriptor)


@pytest.mark.slow
@pytest.mark.usefixtures("many_open_files")
@pytest.mark.parametrize("tier", ALL_TIERS)
def test_every_number_of_a_descriptor_will_do(tier: Tier) -> None:
    taken = []
    for _ in range(20):  # each time the next hole is taken first
        with start(tier=tier) as sandbox, sandbox.open_box() as box:
            assert box.run(HONEST.encode(), RunLimits()).result == b"45"
        taken.append(os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC))
    for descriptor in taken:
        os.close(descriptor)
