"""Java sources, and the judgement that each must get: see the module golden."""

from pathlib import Path

import golden
import pytest

from judge.grading.pipeline import Grader
from judge.harness.languages import JAVA

# Of the driver, the folders that only a JVM's box has, and files of the host.
NEVER_SHOWN = ("decodejudge", "jdk.internal", "/usr/", "/java/", "memory:", "root:x:")


@pytest.mark.parametrize("folder", golden.parameters(JAVA))
def test_a_source_gets_the_judgement_that_it_must_get(
    folder: Path, grader: Grader, rest: tuple[int, int]
) -> None:
    source, judgement = golden.judge_folder(grader, folder, JAVA)
    golden.assert_next_honest_submission_is_accepted(grader, JAVA)
    golden.assert_nothing_is_left(grader, rest)
    golden.assert_nothing_is_shown_of(NEVER_SHOWN, source, judgement)
