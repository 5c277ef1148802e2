"""C++ sources, and the judgement that each must get: see the module golden."""

from pathlib import Path

import golden
import pytest

from judge.grading.pipeline import Grader
from judge.harness import cpp_unit
from judge.harness.languages import CPP

# Of the lines behind the learner's text, the compiler's box, and files of the host.
NEVER_SHOWN = (
    cpp_unit.NAMESPACE,
    "<harness",
    "cpp_runtime",
    "unit.cpp",
    "__wrap",
    "/usr/",
    "/headers",
    "/tmp/",  # noqa: S108 - where the compiler keeps what it makes
    "root:x:",
)


@pytest.mark.parametrize("folder", golden.parameters(CPP))
def test_a_source_gets_the_judgement_that_it_must_get(
    folder: Path, grader: Grader, rest: tuple[int, int]
) -> None:
    source, judgement = golden.judge_folder(grader, folder, CPP)
    golden.assert_next_honest_submission_is_accepted(grader, CPP)
    golden.assert_nothing_is_left(grader, rest)
    golden.assert_nothing_is_shown_of(NEVER_SHOWN, source, judgement)
