"""One grader for a whole run of the grading tests, as in a worker."""

from collections.abc import Iterator

import golden
import pytest
from grading_packages import read_problem, start_grader

from judge.domain.problem import Problem
from judge.grading.pipeline import Grader


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    grader = start_grader()
    yield grader
    grader.__exit__(None, None, None)


@pytest.fixture(scope="module")
def rest(grader: Grader) -> tuple[int, int]:
    """Processes and descriptors that are held while the grader grades nothing.

    Looked up for each file: between two of them other tests may have started something of
    their own that lasts for the session, a sandbox for one.
    """
    return golden.held_at_rest(grader)


@pytest.fixture(scope="session")
def pair_sum() -> Problem:
    return read_problem("pair_sum")


@pytest.fixture(scope="session")
def scale_rows() -> Problem:
    return read_problem("scale_rows")
