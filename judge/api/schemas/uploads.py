"""Uploads of packages and the reports on their verification."""

from typing import Any

from judge.actions.verification import Uploaded
from judge.api.ids import REVISION, show
from judge.api.schemas.base import AnswerModel
from judge.api.schemas.choices import Severity, UploadState, VerifyState
from judge.api.schemas.notices import NoticeAnswer
from judge.errors import Finding

FINDING_EXAMPLE = {
    "code": "unknown-prerequisite",
    "where": "judge.yaml:35",
    "message": "no problem and no concept is named 'softmax'",
    "severity": "warning",
}


class FindingAnswer(AnswerModel):
    """One thing about a package: ``error`` keeps it from being published, ``warning`` does not."""

    code: str
    where: str
    message: str
    severity: Severity


class UploadAnswer(AnswerModel):
    """What became of an upload; of a dry run nothing was stored and ``revision`` is null."""

    slug: str
    revision: str | None
    number: int | None
    is_known: bool
    verify_state: UploadState
    findings: list[FindingAnswer]
    notices: list[NoticeAnswer]


class VerificationAnswer(AnswerModel):
    """How far a revision's verification is; ``report`` is what the last one found."""

    revision: str
    verify_state: VerifyState
    is_running: bool
    report: dict[str, Any] | None


UPLOAD_EXAMPLE = {
    "slug": "greedy",
    "revision": "rev_0199f2a1b3c47d5e8f60718293a4b5c6",
    "number": 1,
    "is_known": False,
    "verify_state": "pending",
    "findings": [FINDING_EXAMPLE],
    "notices": [],
}
DRY_RUN_EXAMPLE = {**UPLOAD_EXAMPLE, "revision": None, "number": None, "verify_state": ""}
VERIFICATION_EXAMPLE = {
    "revision": "rev_0199f2a1b3c47d5e8f60718293a4b5c6",
    "verify_state": "proved",
    "is_running": False,
    "report": {"format": "judge-report/1", "passed": True, "cases": 12, "findings": []},
}


def finding_answers(findings: tuple[Finding, ...]) -> list[FindingAnswer]:
    """Findings as they are shown."""
    return [
        FindingAnswer(code=one.code, where=one.where, message=one.message, severity=one.severity)
        for one in findings
    ]


def upload_answer(
    slug: str,
    findings: tuple[Finding, ...],
    uploaded: Uploaded | None,
    verify_state: str,
    notices: list[NoticeAnswer],
) -> UploadAnswer:
    """An upload, or a dry run where nothing was stored."""
    return UploadAnswer(
        slug=slug,
        revision=None if uploaded is None else show(REVISION, uploaded.revision_id),
        number=None if uploaded is None else uploaded.number,
        is_known=uploaded is not None and uploaded.is_known,
        verify_state=verify_state,
        findings=finding_answers(findings),
        notices=notices,
    )
