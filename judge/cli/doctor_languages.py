"""Doctor's lines about languages: each judges the worker's self-test in one tier, afresh.

A language whose toolchain is not there, or cannot be prepared, is left out by a worker too, so it
is no failure. One that is at work and judges wrong is: a worker would then judge nothing.
"""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.domain.verdicts import Verdict
from judge.errors import Misconfigured
from judge.grading.pipeline import Grader
from judge.harness.languages import LANGUAGES, PYTHON, Language, missing_sentence
from judge.queue.workers import PASSED
from judge.worker.self_test import describe_failure, run_self_test
from submissions_sandbox import Tier
from submissions_sandbox.probes import (
    HOW_TO_REPORT,
    Decides,
    DidNotHold,
    NotThere,
    Probe,
    State,
    attempt,
)

_LINES_ABOVE = "mend the lines above first"


@dataclass(frozen=True)
class LanguageProbe:
    """What became of one language; ``versions`` are those of what judges it."""

    id: str
    line: Probe
    versions: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "id": self.id,
            "title": self.line.name,
            "available": self.line.state is State.OK,
            "state": self.line.state,
            "versions": self.versions,
            "detail": self.line.detail,
            "fix": self.line.fix,
        }


def probe_languages(data_dir: Path, tier: Tier | None) -> list[LanguageProbe]:
    """A line for each language that is offered."""
    return [_probe(one, data_dir, tier) for one in LANGUAGES.values()]


def _probe(language: Language, data_dir: Path, tier: Tier | None) -> LanguageProbe:
    versions: dict[str, str] = {}

    def judge() -> str:
        if tier is None:
            raise _not_tried(language)
        # Nothing that was made before may stand in for a compiler or a JVM that does not work now.
        with tempfile.TemporaryDirectory(prefix="doctor-", dir=data_dir) as fresh:
            versions.update(_self_test(language, Path(fresh), tier))
        shown = ", ".join(f"{name} {version}" for name, version in versions.items())
        return f"{shown}; judges right in tier {tier}"

    line = attempt(language.title, Decides.FITNESS, judge)
    return LanguageProbe(language.id, line, versions)


def _self_test(language: Language, cache: Path, tier: Tier) -> dict[str, str]:
    """Versions of what judges a language, which passed the self-test."""
    try:
        with Grader((language.id,), data_dir=cache, tiers=(tier,)) as grader:
            versions = grader.languages()[language.id]
            test = run_self_test(grader, (language.id,))
    except Misconfigured as error:
        raise _missing(language, str(error)) from error
    if test.verdict == PASSED:
        return versions
    said = f"does not judge right in tier {tier}: {describe_failure(test.report)}"
    got_out = test.report[f"{language.id}, hostile"] == Verdict.ACCEPTED
    raise DidNotHold(said, HOW_TO_REPORT if got_out else _fix(language))


def _missing(language: Language, words: str) -> NotThere:
    """Says why, in the words in brackets behind the sentence that names the remedy."""
    why = words.removeprefix(missing_sentence(language.id, language.install_line)).strip(" ()")
    return NotThere(f"not judged here{': ' if why else ''}{why}", language.install_line)


def _not_tried(language: Language) -> NotThere:
    detail = "not tried: nothing isolates here"
    return (DidNotHold if language.id == PYTHON else NotThere)(detail, _LINES_ABOVE)


def _fix(language: Language) -> str:
    if not language.is_compiled:
        return _LINES_ABOVE
    return f"apt-get install --reinstall {' '.join(language.apt_packages)}"
