"""Which descriptor a test process finds what at.

The program keeps 0 to 3: its request, stdout, stderr, and where its result goes. The control
channel and the binary that is to be started lie above and do not survive an exec.
"""

import os

REQUEST, STDOUT, STDERR, RESULT, CONTROL, BINARY = range(6)
_KEPT_OVER_EXEC = (REQUEST, STDOUT, STDERR, RESULT)
_ABOVE = 32


def arrange_descriptors(control: int, received: list[int]) -> None:
    """Put request, stdout, stderr, result, control and, if there is one, a binary at 0 to 5.

    Every other descriptor is closed.
    """
    wanted = [*received[:CONTROL], control, *received[CONTROL:]]
    # Two steps: a target number may still be in use by another of them.
    high = [os.dup2(descriptor, _ABOVE + index) for index, descriptor in enumerate(wanted)]
    for target, descriptor in enumerate(high):
        os.dup2(descriptor, target, inheritable=target in _KEPT_OVER_EXEC)
    os.closerange(len(wanted), _ABOVE + len(wanted))
