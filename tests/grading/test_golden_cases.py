"""Python sources, and the judgement that each must get: see the module golden."""

from pathlib import Path

import golden
import pytest

from judge.grading.pipeline import Grader
from judge.harness.languages import PYTHON


@pytest.mark.parametrize("folder", golden.parameters(PYTHON))
def test_a_source_gets_the_judgement_that_it_must_get(
    folder: Path, grader: Grader, rest: tuple[int, int]
) -> None:
    golden.judge_folder(grader, folder, PYTHON)
    golden.assert_next_honest_submission_is_accepted(grader, PYTHON)
    golden.assert_nothing_is_left(grader, rest)
