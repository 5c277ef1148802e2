"""What the judge keeps of a package when it is stored: plain values, ready for rows.

Owns the translation of a loaded package into them, so that whoever stores a package needs to have
loaded nothing: an upload is read in a process of its own (judge.packages.intake), and only these
values come back. It knows no table; judge.actions.revisions writes them.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from judge.domain.problem import TestCase
from judge.domain.signatures import Signature, signature_to_json
from judge.domain.values import arguments_to_json, to_json
from judge.packages.archives import read_archive
from judge.packages.files import to_zip
from judge.packages.package import Package, load
from judge.packages.proof import calibrated
from judge.packages.rules.placeholders import unwritten_texts

Row = dict[str, Any]
# As many names as a sentence can hold; lint names them all.
_MOST_UNWRITTEN = 12


@dataclass(frozen=True)
class CaseContent:
    """One test case; ``arguments`` and ``expected`` are JSON texts, ``facts`` everything else."""

    facts: Row
    arguments: bytes
    expected: bytes


@dataclass(frozen=True)
class Content:
    """Everything that is stored of a package.

    Attributes:
        slug: the problem's name.
        content_hash: digest of every file.
        tests_hash: digest of what can change a verdict.
        visibility: as judge.yaml wishes it.
        points: what a full score is worth when the problem is new.
        topics: words, in order.
        prerequisites: names of problems and concepts, in order.
        embargo_ends_at: ISO time before which nothing is published; empty without one.
        unwritten: files whose texts are placeholders still, the first twelve of them.
        calibration: critical values by case that the package's own proof holds.
        facts: further columns of a revision: JSON values by name.
        statements: one row a locale.
        groups: one row a test group, in order.
        cases: in order.
        blob: the canonical zip of the package.
    """

    slug: str
    content_hash: str
    tests_hash: str
    visibility: str
    points: int
    topics: tuple[str, ...]
    prerequisites: tuple[str, ...]
    embargo_ends_at: str
    unwritten: tuple[str, ...]
    calibration: Mapping[str, float]
    facts: Row
    statements: tuple[Row, ...]
    groups: tuple[Row, ...]
    cases: tuple[CaseContent, ...]
    blob: bytes

    def embargo(self) -> datetime | None:
        """From when on the problem may be published, if that is said."""
        return datetime.fromisoformat(self.embargo_ends_at) if self.embargo_ends_at else None


def read_content(blob: bytes) -> Content:
    """What is stored of a package that is an archive, read in this process.

    Raises:
        PackageInvalid: it cannot be read.
    """
    return content_of(load(read_archive(blob), ""))


def content_of(package: Package) -> Content:
    """What is stored of a package."""
    embargo = package.problem_yaml.embargo_ends_at()
    problem = package.problem
    return Content(
        slug=package.slug,
        content_hash=package.content_hash,
        tests_hash=package.tests_hash,
        visibility=package.judge_yaml.visibility,
        points=problem.points,
        topics=tuple(map(str, package.judge_yaml.topics)),
        prerequisites=tuple(map(str, package.judge_yaml.prerequisites)),
        embargo_ends_at="" if embargo is None else embargo.isoformat(),
        unwritten=unwritten_texts(package)[:_MOST_UNWRITTEN],
        calibration=dict(calibrated(package).calibration),
        facts={
            "signature": signature_to_json(problem.signature),
            "limits": asdict(problem.limits) | {"time_factors": problem.time_factors},
            "checker": asdict(problem.checker),
            "reveal": package.judge_yaml.reveal.model_dump(mode="json")
            | {"reference": package.judge_yaml.custom_input.reference},
            "languages": list(problem.languages),
            "constants": dict(package.problem_yaml.constants),
        },
        statements=tuple(_statements(package)),
        groups=tuple(_groups(package)),
        cases=tuple(_case(package.case_signature, case) for case in problem.cases),
        blob=to_zip(package.files),
    )


def _statements(package: Package) -> list[Row]:
    docs = {str(locale): texts for locale, texts in package.judge_yaml.signature.docs.items()}
    return [
        {
            "locale": locale,
            "title": package.names.get(locale) or package.slug,
            "body_md": body,
            "parameter_docs": {name: str(text) for name, text in docs.get(locale, {}).items()},
            "hints": [hint[locale] for hint in package.hints if locale in hint],
            "solution_md": package.solutions.get(locale, ""),
        }
        for locale, body in package.statements.items()
    ]


def _groups(package: Package) -> list[Row]:
    return [
        {
            "name": group.name,
            "ordinal": ordinal,
            "title": dict(group.title),
            "max_score": group.max_score,
            "require_pass": list(group.require_pass),
        }
        for ordinal, group in enumerate(package.problem.groups)
    ]


def _case(signature: Signature, case: TestCase) -> CaseContent:
    return CaseContent(
        facts={
            "ordinal": case.ordinal,
            "path": case.id,
            "group_name": case.group,
            "title": dict(case.title),
            "visibility": case.visibility.value,
            "hint": dict(case.hint),
        },
        arguments=json.dumps(arguments_to_json(signature, case.arguments)).encode(),
        expected=json.dumps(to_json(signature.returns, case.expected)).encode(),
    )
