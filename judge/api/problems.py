"""The list of problems, and one problem with everything that is needed to solve it."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from judge.actions.submit import offered_languages
from judge.api.deps import Parts, PartsDep, ReadLocale, allow_anonymous
from judge.api.etags import answer_unless_known
from judge.api.ids import REVISION, show
from judge.api.locales import HEADER
from judge.api.pages import PageQuery, link_next, read_cursor, write_cursor
from judge.api.schemas.base import answers, anybody
from judge.api.schemas.problems import (
    ITEM_EXAMPLE,
    PROBLEM_EXAMPLE,
    LocksAnswer,
    MyScore,
    ProblemAnswer,
    ProblemItem,
    ProblemPage,
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
    list_languages,
    list_prerequisites,
    list_published,
    list_samples,
    list_titles,
    list_topics,
    select_statement,
    select_visible_problem,
)
from judge.db.queries.scores import find_best_score, map_best_scores, map_submission_counts
from judge.db.queries.unlocks import select_effort
from judge.domain.access import (
    Caller,
    Effort,
    Scope,
    StoredCase,
    is_open,
    read_lock,
    sight_of,
)
from judge.domain.checkers.fit import answer_type
from judge.domain.problem import CheckerSpec
from judge.domain.progress import BestScore
from judge.domain.signatures import signature_from_json
from judge.harness.display import starter_code
from judge.harness.languages import LANGUAGES
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
    "",
    summary="List the problems",
    responses=answers({"items": [ITEM_EXAMPLE], "next": None}, 200, 403),
    openapi_extra=anybody(),
)
def list_problems(
    request: Request,
    response: Response,
    joined: PartsDep,
    caller: Reader,
    page: PageQuery,
    locale: ReadLocale,
) -> ProblemPage:
    """Published problems that the caller may see, in the course's order."""
    after = read_cursor(page.cursor, (int, str))
    with joined.database.read() as connection:
        found = list_published(connection, sight_of(caller), after, page.limit + 1)
        shown = found[: page.limit]
        revisions = [str(problem.revision_id) for problem in shown]
        topics = list_topics(connection, [problem.id for problem in shown])
        titles = list_titles(connection, revisions)
        languages = list_languages(connection, revisions)
        best = map_best_scores(connection, caller.account_id) if caller else {}
        counts = map_submission_counts(connection, caller.account_id) if caller else {}
    items = [
        ProblemItem(
            slug=problem.slug,
            title=in_locale(titles[str(problem.revision_id)], locale),
            topics=list(topics[problem.id]),
            points=problem.points,
            languages=[one for one in languages[str(problem.revision_id)] if one in LANGUAGES],
            revision=show(REVISION, str(problem.revision_id)),
            my=_mine(caller, problem, best.get(problem.id), counts.get(problem.id, 0)),
        )
        for problem in shown
    ]
    more = write_cursor(shown[-1].position, shown[-1].slug) if len(found) > page.limit else None
    return ProblemPage(items=items, next=link_next(request, response, more))


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
) -> Response:
    """Statement, samples, signature, starter code, limits, and what is still locked."""
    loaded = _load(joined, caller, slug, locale)
    answer = _problem_answer(joined, caller, loaded, locale)
    headers = {HEADER: answer.locale}
    return answer_unless_known(request, answer.model_dump_json().encode(), headers)


def _load(joined: Parts, caller: Caller | None, slug: str, locale: str) -> _Loaded:
    with joined.database.read() as connection:
        visible = select_visible_problem(connection, slug, caller)
        problem, revision = visible.problem, visible.revision
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
