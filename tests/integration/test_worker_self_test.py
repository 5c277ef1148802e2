"""A worker that cannot judge right, or cannot keep a hostile program in, must not judge."""

import pytest
from worker_fakes import FakeGrader, grade_by_source, judged

from judge.domain.verdicts import Verdict
from judge.errors import JudgeBroken
from judge.harness.languages import LANGUAGES as ALL_LANGUAGES
from judge.worker.graders import Graders
from judge.worker.self_test import run_self_test

LANGUAGES = ("python",)


@pytest.mark.parametrize("language", ALL_LANGUAGES)
def test_a_grader_that_judges_right_passes(language: str) -> None:
    result = run_self_test(FakeGrader(), (language,))
    assert result.verdict == "passed"
    assert result.report == {
        f"{language}, honest": "accepted",
        f"{language}, hostile": "runtime_error",
        f"{language}, honest again": "accepted",
    }


def test_only_the_languages_that_the_machine_has_are_tested() -> None:
    graded = []

    def grade(problem, source, language, on_stage):
        graded.append(language)
        return grade_by_source(problem, source, language, on_stage)

    assert run_self_test(FakeGrader(grade), ("python", "java")).verdict == "passed"
    assert graded == ["python"] * 3 + ["java"] * 3


def test_one_language_that_fails_fails_the_worker() -> None:
    def grade(problem, source, language, on_stage):
        if language == "cpp":
            return judged(problem, Verdict.ACCEPTED)
        return grade_by_source(problem, source, language, on_stage)

    result = run_self_test(FakeGrader(grade), ("python", "cpp"))
    assert result.verdict == "failed"
    assert result.report["cpp, hostile"] == "accepted"


def test_a_grader_without_languages_fails() -> None:
    assert run_self_test(FakeGrader(), ()).verdict == "failed"


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict != "skipped"])
def test_a_grader_with_one_answer_for_everything_fails(verdict: Verdict) -> None:
    grader = FakeGrader(lambda problem, *_: judged(problem, verdict))
    assert run_self_test(grader, LANGUAGES).verdict == "failed"


def test_what_a_hostile_program_leaves_behind_fails_the_worker() -> None:
    seen = []

    def poisoned(problem, source, language, on_stage):
        hostile_ran = any(b"way_out" in earlier for earlier in seen)
        seen.append(source)
        if hostile_ran:
            return judged(problem, Verdict.WRONG_ANSWER)
        return grade_by_source(problem, source, language, on_stage)

    assert run_self_test(FakeGrader(poisoned), LANGUAGES).verdict == "failed"


def test_graders_open_once_and_anew_after_a_fault() -> None:
    fake = FakeGrader()
    graders = Graders(fake.make)
    assert graders.current() is graders.current()
    assert (fake.opened, fake.closed) == (1, 0)
    graders.discard()
    graders.current()
    assert (fake.opened, fake.closed) == (2, 1)
    graders.close()
    assert fake.closed == 2
    with pytest.raises(JudgeBroken, match="shutting down"):
        graders.current()


def test_a_grader_that_breaks_while_closing_is_replaced_all_the_same() -> None:
    class BreaksAtExit(FakeGrader):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            raise OSError("the box is gone")

    graders = Graders(BreaksAtExit)
    first = graders.current()
    graders.discard()
    assert graders.current() is not first
