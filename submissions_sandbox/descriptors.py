"""Which descriptor a test process finds what at.

The program keeps 0 to 3: its request, stdout, stderr, and where its result goes. The control
channel and the binary that is to be started lie above and do not survive an exec. The Landlock
rules wait at a number of their own until they are entered; then that one is closed, too.
"""

import os
from collections.abc import Sequence

from submissions_sandbox.calls import CLOSE_ON_EXEC, duplicate, duplicate_and_flag

REQUEST, STDOUT, STDERR, RESULT, CONTROL, BINARY = range(6)
# Box init receives a handful of descriptors, all of them far below.
_ABOVE = 32
RULESET = 40
_NONE_ABOVE = 1 << 20


def arrange_descriptors(control: int, received: Sequence[int]) -> None:
    """Put request, stdout, stderr, result, control and, if there is one, a binary at 0 to 5.

    Every other descriptor but ``RULESET`` is closed.
    """
    # Two steps: a target number may still be in use by another of them.
    above = _ABOVE
    for descriptor in received:
        duplicate(descriptor, above)
        above += 1
    duplicate(control, above)
    for target in (REQUEST, STDOUT, STDERR, RESULT):
        duplicate(_ABOVE + target, target)
    duplicate_and_flag(above, CONTROL, CLOSE_ON_EXEC)
    if len(received) > CONTROL:
        duplicate_and_flag(_ABOVE + CONTROL, BINARY, CLOSE_ON_EXEC)
    os.closerange(len(received) + 1, RULESET)
    os.closerange(RULESET + 1, _NONE_ABOVE)
