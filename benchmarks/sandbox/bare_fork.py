"""What isolation costs: one test in a box against the same fork without isolation.

Both sides use the same zygote, supervisor, frames and driver; the bare side only skips the step
that isolates. It exists in this file alone: the package itself cannot run bare.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import programs
from blocks import Measured, NotMeasured, Plan, Row, Side, compare

import submissions_sandbox.sandbox as sandbox_module
from submissions_sandbox import Groups, Lacking, RunLimits, Sandbox

_ZYGOTE = "from submissions_sandbox.zygote import main; "
# Of what isolates a run, the bare side only puts the descriptors in their places.
_GO_BARE = (
    "import submissions_sandbox.isolate as isolate; "
    "from submissions_sandbox.descriptors import arrange_descriptors; "
    "isolate.Entry.enter = lambda _, *descriptors: arrange_descriptors(*descriptors); "
)
# Behind the filter no socket can be made.
_PROBE = """
import socket

def sample_token(logits, k):
    socket.socket().close()
    return 0
"""


def _measure(plan: Plan) -> Measured:
    return _against_bare(plan, Sandbox(programs.profile()))


def _measure_with_groups(plan: Plan) -> Measured:
    groups = Groups.find()
    if isinstance(groups, Lacking):
        raise NotMeasured(f"{groups.detail}: {groups.fix}")
    with groups:
        return _against_bare(plan, Sandbox(programs.profile(), groups=groups))


def _against_bare(plan: Plan, boxed: Sandbox) -> Measured:
    with boxed, _bare_sandbox() as bare:
        if not _can_make_sockets(bare) or _can_make_sockets(boxed):
            raise RuntimeError("the two sides are not what they should be")
        return compare(
            plan,
            Side("box", programs.box_block(boxed, programs.NUMPY_SOURCE), plan.fast_runs),
            Side("bare fork", programs.box_block(bare, programs.NUMPY_SOURCE), plan.fast_runs),
        )


@contextmanager
def _bare_sandbox() -> Iterator[Sandbox]:
    original = sandbox_module._START_LINE
    if original.count(_ZYGOTE) != 1:
        raise RuntimeError("the zygote is started in another way than this file knows")
    sandbox_module._START_LINE = original.replace(_ZYGOTE, _GO_BARE + _ZYGOTE)
    try:
        bare = Sandbox(programs.profile())
    finally:
        sandbox_module._START_LINE = original
    with bare:
        yield bare


def _can_make_sockets(sandbox: Sandbox) -> bool:
    with sandbox.open_box() as box:
        return box.run(programs.request(_PROBE), RunLimits()).result.startswith(b"V")


ROWS = (
    Row("bare", 1.35, at_least=False, measure=_measure),
    Row("bare-groups", 1.7, at_least=False, measure=_measure_with_groups),
)
