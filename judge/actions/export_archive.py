"""The zip of everything that an account left, as a learner sees it.

Nothing is in it that its account could not read by itself: of a hidden case what
judge.domain.access shows a learner, of feedback no note. Staff gets the same: what they may read
besides belongs to problems, not to them.

It is written page by page into a file without a name, so that neither memory nor the database has
to hold all of it at once.
"""

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import IO, Any

from judge.db.engine import Database
from judge.db.queries.accounts import select_account
from judge.db.queries.feedback import Wanted, list_messages, list_threads
from judge.db.queries.own_data import (
    OwnSubmission,
    list_drafts,
    list_own_scores,
    list_own_submissions,
    list_unlocks,
    read_profile,
)
from judge.db.queries.submissions import (
    CurrentJudgement,
    list_case_results,
    list_judgements,
)
from judge.db.queries.unlocks import list_revealed
from judge.db.types import now
from judge.domain.access import Caller, Role, VisibleCase, may_read_judgement, visible_cases
from judge.domain.scoring import Score, points
from judge.harness.languages import LANGUAGES

# Sources beyond this are left out, the oldest ones; account.json says how many.
MAX_SOURCES_BYTES = 48 * 1024 * 1024
_PAGE = 100


@dataclass(frozen=True)
class _Owner:
    """Whose data it is; reads as a learner whatever the role."""

    database: Database
    caller: Caller
    on_progress: Callable[[], None]

    def submissions(self) -> Iterator[OwnSubmission]:
        """All of them, newest first, read page by page."""
        after: tuple[datetime, str] | None = None
        while True:
            self.on_progress()
            with self.database.read() as connection:
                page = list_own_submissions(connection, self.caller.account_id, after, _PAGE)
            if not page:
                return
            yield from page
            after = (page[-1].created_at, page[-1].id)


def build_archive(
    database: Database, account_id: str, on_progress: Callable[[], None] = lambda: None
) -> bytes:
    """The zip's bytes.

    Args:
        database: where to read.
        account_id: whose data.
        on_progress: called before each page of submissions.
    """
    with database.read() as connection:
        locale = select_account(connection, account_id).locale
    owner = _Owner(database, Caller(account_id, "", Role.LEARNER, locale=locale), on_progress)
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            left_out = _write_sources(archive, owner)
            with archive.open("judgements.json", "w") as target:
                _write_judgements(target, owner)
            _write_small(archive, owner, left_out)
        file.seek(0)
        return file.read()


def _write_sources(archive: zipfile.ZipFile, owner: _Owner) -> int:
    """Every source as it was sent; how many found no room."""
    written = left_out = 0
    for one in owner.submissions():
        if one.source is None:
            continue
        if written > MAX_SOURCES_BYTES:
            left_out += 1
            continue
        name = f"submissions/{one.slug}/sub_{one.id}{_suffix(one.language)}"
        archive.writestr(name, one.source)
        written += archive.getinfo(name).compress_size
    return left_out


def _write_judgements(target: IO[bytes], owner: _Owner) -> None:
    """One JSON list, written submission by submission."""
    separator = b"[\n"
    for one in owner.submissions():
        target.write(separator + _json(_submission(owner, one)))
        separator = b",\n"
    target.write(b"[]\n" if separator == b"[\n" else b"\n]\n")


def _write_small(archive: zipfile.ZipFile, owner: _Owner, left_out: int) -> None:
    account_id = owner.caller.account_id
    with owner.database.read() as connection:
        profile = read_profile(connection, account_id)
        unlocks = list_unlocks(connection, account_id)
        drafts = list_drafts(connection, account_id)
        scores = [_score(row) for row in list_own_scores(connection, account_id)]
    about = {"id": f"acc_{account_id}", "made_at": now(), "sources_left_out": left_out}
    archive.writestr("account.json", _json({**about, **profile}))
    archive.writestr("unlocks.json", _json(unlocks))
    archive.writestr("scores.json", _json(scores))
    archive.writestr("feedback.json", _json(_feedback(owner)))
    for one in drafts:
        name = f"drafts/{one['problem']}{_suffix(one['language'])}"
        archive.writestr(name, one["source"])


def _submission(owner: _Owner, one: OwnSubmission) -> dict[str, Any]:
    with owner.database.read() as connection:
        judgements = [
            found
            for found in list_judgements(connection, one.id)
            if may_read_judgement(owner.caller, found.cause, found.decision)
        ]
    return {
        "submission": f"sub_{one.id}",
        "problem": one.slug,
        "language": one.language,
        "revision": one.revision_number,
        "source_hash": one.source_hash,
        "created_at": one.created_at,
        "judgements": [_judgement(owner, found, one) for found in judgements],
    }


def _judgement(owner: _Owner, found: CurrentJudgement, one: OwnSubmission) -> dict[str, Any]:
    caller = owner.caller
    cases: tuple[VisibleCase, ...] = ()
    if found.is_final:
        with owner.database.read() as connection:
            revealed = list_revealed(connection, caller.account_id, found.revision_id)
            results = list_case_results(connection, found.id, revealed)
        cases = visible_cases(results, caller.role, revealed)
    return {
        "seq": found.seq,
        "cause": found.cause,
        "is_current": found.is_current,
        "revision": found.revision_number,
        "state": found.state,
        "verdict": found.verdict,
        "reason": found.reason,
        "score": None if found.score is None else points(found.score, one.points),
        "max_score": one.points,
        "tests": {"passed": found.tests_passed, "total": found.tests_planned},
        "cpu_ms": found.cpu_ms,
        "memory_kb": found.memory_kb,
        "compile_log": found.compile_log,
        "started_at": found.started_at,
        "finished_at": found.finished_at,
        "cases": [_case(case, caller.locale) for case in cases],
    }


def _case(case: VisibleCase, locale: str) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "ordinal": case.ordinal,
        "group": case.group,
        "title": case.title.get(locale) or case.title.get("en", ""),
        "verdict": case.verdict,
        "reason": case.reason,
        "error": case.error_class,
        "line": case.error_line,
    }
    if case.detail is not None:
        # Arguments and expected value are the problem's, not the learner's.
        shown |= {
            "message": case.detail.message,
            "returned": case.detail.returned,
            "stdout": case.detail.stdout,
            "stderr": case.detail.stderr,
        }
    return shown


def _feedback(owner: _Owner) -> list[dict[str, Any]]:
    threads = []
    after: tuple[datetime, str] | None = None
    while True:
        with owner.database.read() as connection:
            page = list_threads(connection, owner.caller, Wanted(), after, _PAGE)
            for one in page:
                messages = list_messages(connection, one.id, with_internal=False)
                threads.append(
                    {
                        "problem": one.slug,
                        "revision": one.revision_number,
                        "kind": one.kind,
                        "status": one.state,
                        "created_at": one.created_at,
                        "messages": [
                            {
                                "by": "staff" if message.by_staff else "author",
                                "body": message.body,
                                "at": message.at,
                            }
                            for message in messages
                        ],
                    }
                )
        if not page:
            return threads
        after = (page[-1].created_at, page[-1].id)


def _score(row: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in row.items() if not name.startswith("score_")}
    has_score = row["score_num"] is not None
    score = Score(row["score_num"], row["score_den"]) if has_score else None
    return {**shown, "score": None if score is None else points(score, row["points"])}


def _suffix(language: str) -> str:
    return LANGUAGES[language].suffixes[0] if language in LANGUAGES else ".txt"


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1, default=_plain).encode()


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(type(value).__name__)
