"""The catalogue: the list of problems, and the map of what builds on what."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from judge.api.deps import PartsDep, ReadLocale, allow_anonymous
from judge.api.ids import REVISION, show
from judge.api.pages import Page, PageQuery, link_next, read_cursor, write_cursor
from judge.api.schemas.base import answers, anybody
from judge.api.schemas.catalogue import (
    GRAPH_EXAMPLE,
    GraphAnswer,
    GraphEdge,
    GraphNode,
)
from judge.api.schemas.problems import (
    ITEM_EXAMPLE,
    ProblemItem,
    ProblemPage,
    in_locale,
    my_score,
)
from judge.db.queries.catalogue import Own, Wanted, list_wanted, read_own
from judge.db.queries.problems import (
    Problem,
    list_edges,
    list_languages,
    list_published,
    list_titles,
    list_topics,
)
from judge.db.queries.scores import map_solvers
from judge.domain.access import Caller, Scope, sight_of
from judge.domain.catalogue import Standing, solved_rate
from judge.domain.problem import Localized
from judge.harness.languages import LANGUAGES

router = APIRouter(tags=["problems"])
Reader = Annotated[Caller | None, Depends(allow_anonymous(Scope.PROBLEMS_READ))]


@dataclass(frozen=True)
class _Asked:
    """Which problems are asked for, and which page of them."""

    wanted: Wanted
    page: Page


@dataclass(frozen=True)
class _Facts:
    """What one page of problems shows, by problem id or revision id."""

    topics: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, Localized]
    languages: Mapping[str, list[str]]
    solvers: Mapping[str, tuple[int, int]]


def _asked(
    page: PageQuery,
    topic: Annotated[
        str | None, Query(max_length=64, description="Only problems with this topic.")
    ] = None,
    status: Annotated[
        Standing | None, Query(description="Only problems that the caller is so far with.")
    ] = None,
    q: Annotated[
        str | None,
        Query(max_length=100, description="Words of the title, in any locale, or of the slug."),
    ] = None,
) -> _Asked:
    return _Asked(Wanted(topic, status, q), page)


@router.get(
    "/problems",
    summary="List the problems",
    responses=answers({"items": [ITEM_EXAMPLE], "next": None}, 200, 401, 403, 422),
    openapi_extra=anybody(),
)
def list_problems(
    request: Request,
    response: Response,
    joined: PartsDep,
    caller: Reader,
    locale: ReadLocale,
    asked: Annotated[_Asked, Depends(_asked)],
) -> ProblemPage:
    """Published problems that the caller may see, in the course's order.

    `q` finds words whatever case and accents they are written with; `status` is new, tried or
    solved.
    """
    limit = asked.page.limit
    after = read_cursor(asked.page.cursor, (int, str))
    with joined.database.read() as connection:
        own = read_own(connection, caller)
        page = (after, limit + 1)
        found = list_wanted(connection, sight_of(caller), own, asked.wanted, page)
        shown = found[:limit]
        ids, revisions = [one.id for one in shown], [str(one.revision_id) for one in shown]
        facts = _Facts(
            topics=list_topics(connection, ids),
            titles=list_titles(connection, revisions),
            languages=list_languages(connection, revisions),
            solvers=map_solvers(connection, ids),
        )
    items = [_item(problem, facts, None if caller is None else own, locale) for problem in shown]
    more = write_cursor(shown[-1].position, shown[-1].slug) if len(found) > limit else None
    return ProblemPage(items=items, next=link_next(request, response, more))


@router.get(
    "/topics/graph",
    summary="Read the map of problems",
    responses=answers(GRAPH_EXAMPLE, 200, 401, 403),
    openapi_extra=anybody(),
)
def show_graph(joined: PartsDep, caller: Reader, locale: ReadLocale) -> GraphAnswer:
    """Problems that the caller may see, what each requires, and how far the caller is.

    A prerequisite without such a problem is a concept, known by its name alone.
    """
    with joined.database.read() as connection:
        problems = list_published(connection, sight_of(caller))
        ids = [problem.id for problem in problems]
        titles = list_titles(connection, [str(problem.revision_id) for problem in problems])
        topics, edges = list_topics(connection, ids), list_edges(connection, ids)
        own = read_own(connection, caller)
    slugs = {problem.id: problem.slug for problem in problems}
    nodes = [
        GraphNode(
            id=problem.slug,
            kind="problem",
            title=in_locale(titles[str(problem.revision_id)], locale),
            topics=list(topics[problem.id]),
            status=None if caller is None else own.standing(problem.id).value,
        )
        for problem in problems
    ]
    concepts = sorted({requires for _, requires in edges} - set(slugs.values()))
    nodes += [
        GraphNode(id=one, kind="concept", title=None, topics=[], status=None) for one in concepts
    ]
    order = {problem.id: place for place, problem in enumerate(problems)}
    ordered = sorted(edges, key=lambda edge: order[edge[0]])
    return GraphAnswer(
        nodes=nodes,
        edges=[GraphEdge(before=requires, after=slugs[one]) for one, requires in ordered],
    )


def _item(problem: Problem, facts: _Facts, own: Own | None, locale: str) -> ProblemItem:
    revision_id = str(problem.revision_id)
    return ProblemItem(
        slug=problem.slug,
        title=in_locale(facts.titles[revision_id], locale),
        topics=list(facts.topics[problem.id]),
        points=problem.points,
        languages=[one for one in facts.languages[revision_id] if one in LANGUAGES],
        revision=show(REVISION, revision_id),
        solved_rate=solved_rate(*facts.solvers.get(problem.id, (0, 0))),
        my=None
        if own is None
        else my_score(problem.points, own.best.get(problem.id), own.counts.get(problem.id, 0)),
    )
