"""Forking out of the tests' own process, which may have threads."""

import os
import warnings


def fork_with_threads() -> int:
    """Fork with all that the interpreter does for it.

    The sandbox's own ``fork`` is for processes of one thread: in a child of this process the
    interpreter would wait for a thread that is not there, whenever another one had asked for its
    turn in that moment. Newer interpreters warn of threads at a fork; this child waits for none.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()
