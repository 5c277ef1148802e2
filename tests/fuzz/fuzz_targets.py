"""All targets by name, and the host's shared files around them."""

from collections.abc import Iterator
from contextlib import contextmanager

import fuzz_cases
import fuzz_filter
import fuzz_frames
import fuzz_logs
import fuzz_plans
import fuzz_syscalls
from fuzz_driver import Target
from fuzz_host import library_digest
from fuzz_source import claim

OFFLINE: dict[str, Target] = {
    "filter": fuzz_filter.filter_against_table,
    **fuzz_frames.targets(),
    **fuzz_logs.targets(),
    **fuzz_cases.targets(),
}
IN_BOXES: dict[str, Target] = {**fuzz_syscalls.targets(), **fuzz_plans.targets()}
TARGETS = OFFLINE | IN_BOXES


@contextmanager
def library_unchanged() -> Iterator[None]:
    """Whatever runs meanwhile leaves the standard library that boxes share as it was.

    Raises:
        Finding: it did not.
    """
    before = library_digest()
    yield
    claim(library_digest() == before, "the shared standard library has changed")
