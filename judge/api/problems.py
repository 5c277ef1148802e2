"""One problem with everything that is needed to solve it."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from judge.actions.submit import offered_languages
from judge.api.deps import Parts, PartsDep, ReadLocale, allow_anonymous
from judge.api.etags import answer_unless_known
from judge.api.ids import REVISION, read
from judge.api.locales import HEADER
from judge.api.schemas.base import answers, anybody
from judge.api.schemas.problems import (
    PROBLEM_EXAMPLE,
    LocksAnswer,
    MyScore,
    OwnInputAnswer,
    ProblemAnswer,
    StatementAnswer,
    group_answers,
    in_locale,
    limits_answer,
    locks_answer,
    my_score,
    revision_answer,
    signature_answer,
)
from judge.api.schemas.samples import sample_answer
from judge.db.queries.problems import (
    Group,
    Problem,
    Revision,
    Statement,
    list_groups,
    list_prerequisites,
    list_samples,
    list_topics,
    select_statement,
    select_visible_problem,
)
from judge.db.queries.revisions import select_readable_revision
from judge.db.queries.scores import find_best_score
from judge.db.queries.unlocks import select_effort
from judge.domain.access import (
    Caller,
    Effort,
    Scope,
    StoredCase,
    is_open,
    read_lock,
)
from judge.domain.checkers.fit import answer_type
from judge.domain.problem import CheckerSpec
from judge.domain.progress import BestScore
from judge.domain.runs import takes_own_input
from judge.domain.signatures import signature_from_json
from judge.harness.display import starter_code
from judge.i18n import text

router = APIRouter(prefix="/problems", tags=["problems"])
Reader = Annotated[Caller | None, Depends(allow_anonymous(Scope.PROBLEMS_READ))]


@dataclass(frozen=True)
class _Loaded:
    """Everything that one connection read about a problem."""

    problem: Problem
    revision: Revision
    statement: Statement
    topics: tuple[str, ...]
    prerequisites: tuple[str, ...]
    samples: tuple[StoredCase, ...]
    groups: tuple[Group, ...]
    effort: Effort
    best: BestScore | None


@router.get(
    "/{slug}",
    summary="Read one problem",
    responses=answers(PROBLEM_EXAMPLE, 200, 304, 403, 404, 410),
    openapi_extra=anybody(),
    response_model=ProblemAnswer,
)
def show_problem(
    slug: str,
    request: Request,
    joined: PartsDep,
    caller: Reader,
    locale: ReadLocale,
    revision: Annotated[
        str | None, Query(description="An earlier one, if the caller may read it.")
    ] = None,
) -> Response:
    """Statement, samples, signature, starter code, limits, and what is still locked.

    Another `revision` than the published one is for staff, and for who submitted on it.
    """
    revision_id = None if revision is None else read(REVISION, revision)
    loaded = _load(joined, caller, slug, locale, revision_id)
    answer = _problem_answer(joined, caller, loaded, locale)
    headers = {HEADER: answer.locale}
    return answer_unless_known(request, answer.model_dump_json().encode(), headers)


def _load(
    joined: Parts, caller: Caller | None, slug: str, locale: str, revision_id: str | None
) -> _Loaded:
    with joined.database.read() as connection:
        visible = select_visible_problem(connection, slug, caller)
        problem, revision = visible.problem, visible.revision
        if revision_id is not None:
            revision = select_readable_revision(connection, caller, visible, revision_id)
        effort, best = Effort(0, accepted=False), None
        if caller is not None:
            effort = select_effort(connection, caller.account_id, problem.id)
            best = find_best_score(connection, caller.account_id, problem.id)
        return _Loaded(
            problem=problem,
            revision=revision,
            statement=select_statement(connection, revision.id, locale),
            topics=list_topics(connection, [problem.id])[problem.id],
            prerequisites=list_prerequisites(connection, problem.id),
            samples=list_samples(connection, revision.id),
            groups=list_groups(connection, revision.id),
            effort=effort,
            best=best,
        )


def _problem_answer(
    joined: Parts, caller: Caller | None, loaded: _Loaded, asked_locale: str
) -> ProblemAnswer:
    problem, revision, statement = loaded.problem, loaded.revision, loaded.statement
    locale, languages = statement.locale, offered_languages(revision)
    signature = signature_from_json(revision.signature)
    answer = answer_type(CheckerSpec(**revision.checker), signature)
    parts = joined.renderer.statement(statement.body_md, len(loaded.samples), revision.constants)
    return ProblemAnswer(
        slug=problem.slug,
        title=statement.title,
        locale=locale,
        revision=revision_answer(revision.id, revision.number),
        points=problem.points,
        topics=list(loaded.topics),
        prerequisites=list(loaded.prerequisites),
        statement=StatementAnswer(markdown=statement.body_md, parts=list(parts)),
        signature=signature_answer(signature, statement.parameter_docs),
        samples=[
            sample_answer(number, in_locale(case.title, locale), case, signature, languages, answer)
            for number, case in enumerate(loaded.samples, start=1)
        ],
        groups=group_answers(problem, loaded.groups, locale),
        limits=limits_answer(revision.limits),
        languages=list(languages),
        starter={language: starter_code(language, signature) for language in languages},
        hints=len(statement.hints),
        own_input=OwnInputAnswer(
            offered=takes_own_input(revision.checker),
            reference=bool(revision.reveal.get("reference", False)),
        ),
        locks=_locks(revision, caller, loaded.effort, asked_locale),
        my=_mine(caller, problem, loaded.best, loaded.effort.submissions),
    )


def _locks(revision: Revision, caller: Caller | None, effort: Effort, locale: str) -> LocksAnswer:
    """Closed to whoever is not signed in: an opening is remembered for an account."""
    if caller is None:
        notice = text("locks.anonymous", locale)
        return LocksAnswer(hints=True, solution=True, notice=notice)
    reveal = revision.reveal
    closed = {
        what: read_lock(reveal[what])
        for what in ("hints", "solution")
        if not is_open(reveal[what], caller.role, effort)
    }
    return locks_answer(closed, locale)


def _mine(
    caller: Caller | None, problem: Problem, best: BestScore | None, submissions: int
) -> MyScore | None:
    return None if caller is None else my_score(problem.points, best, submissions)
