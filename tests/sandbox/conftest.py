"""One sandbox for all attacks, a box of its own for each, and what must hold after every one."""

import os
from collections.abc import Iterator

import pytest
from attack_box import HONEST, Runner, start
from processes import children, descendants, has_ended, open_descriptors

from submissions_sandbox import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with start() as sandbox:
        yield sandbox


@pytest.fixture
def run(sandbox: Sandbox) -> Iterator[Runner]:
    """Runs attacks; afterwards the box still runs an honest program, and nothing is left behind.

    Neither a process, nor a descriptor of the supervisor or of the zygote.
    """
    outer = sandbox._process.pid
    (zygote,) = children(outer)
    before = open_descriptors(), open_descriptors(zygote)
    box = sandbox.open_box()
    init = os.dup(box._init_pidfd)
    runner = Runner(box)
    yield runner
    assert runner.report(HONEST) == "45"
    box.close()
    ended = has_ended(init)
    os.close(init)
    assert ended
    assert descendants(outer) == [zygote]
    assert (open_descriptors(), open_descriptors(zygote)) == before
