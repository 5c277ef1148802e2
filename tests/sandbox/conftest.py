"""One sandbox a tier for all attacks, a box of its own for each, and what must hold after each."""

import os
from collections.abc import Iterator

import pytest
from attack_box import HONEST, Runner, outer_pid, start, zygote_pid
from processes import has_ended, open_descriptors, settle, settled

from submissions_sandbox import ALL_TIERS, Sandbox


@pytest.fixture(scope="session", params=ALL_TIERS, ids=[f"tier {tier}" for tier in ALL_TIERS])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with start(tier=request.param) as sandbox:
        yield sandbox


@pytest.fixture
def run(sandbox: Sandbox) -> Iterator[Runner]:
    """Runs attacks; afterwards the box still runs an honest program, and nothing is left behind.

    Neither a process, nor a descriptor of the supervisor or of the zygote.
    """
    zygote = zygote_pid(sandbox)
    around = [] if zygote == outer_pid(sandbox) else [zygote]
    # What the test before this one left to its end may not be listed any more.
    assert settle(outer_pid(sandbox), around) == around
    before = open_descriptors(), open_descriptors(zygote)
    box = sandbox.open_box()
    init = os.dup(box._init_pidfd)
    runner = Runner(box, sandbox.tier)
    yield runner
    assert runner.report(HONEST) == "45"
    box.close()
    ended = has_ended(init)
    os.close(init)
    assert ended
    assert settle(outer_pid(sandbox), around) == around
    # The zygote closes its copy of a box's pidfd after it has sent it.
    assert settled(lambda: (open_descriptors(), open_descriptors(zygote)), before) == before
