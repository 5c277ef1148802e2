"""Problems as readers see them."""

from collections.abc import Mapping
from typing import Any

from judge.api.ids import REVISION, show
from judge.api.schemas.base import AnswerModel
from judge.api.schemas.choices import LanguageId, LocaleId, StandingName
from judge.api.schemas.samples import SAMPLE_EXAMPLE, SampleAnswer
from judge.db.queries.problems import Group, Problem
from judge.domain.access import Lock
from judge.domain.catalogue import standing
from judge.domain.problem import Localized
from judge.domain.progress import BestScore
from judge.domain.scoring import Score, points
from judge.domain.signatures import Signature
from judge.i18n import text


class MyScore(AnswerModel):
    """The caller's own result; ``score`` is None while nothing was judged, which is not 0.

    ``status`` is new, tried (something was handed in) or solved (it once had the full score).
    """

    score: float | None
    submissions: int
    status: StandingName


class ProblemItem(AnswerModel):
    """One line of the list of problems; ``my`` is None for who is not signed in.

    ``solved_rate`` is the share, from 0 to 1, of the accounts that submitted and have solved it;
    None where fewer than five have submitted.
    """

    slug: str
    title: str
    topics: list[str]
    points: int
    languages: list[LanguageId]
    revision: str
    solved_rate: float | None
    my: MyScore | None


class ProblemPage(AnswerModel):
    """A page of problems; ``next`` is the address of the next one."""

    items: list[ProblemItem]
    next: str | None


class SignatureParameterAnswer(AnswerModel):
    """One parameter of the function, with its explanation in the statement's locale."""

    name: str
    type: str
    doc: str


class SignatureAnswer(AnswerModel):
    """The function to write.

    ``display_order`` is the order in which samples name arguments; ``result_names`` is what their
    call names the parts of the returned tuple, or empty: such samples are shown with the call.
    """

    name: str
    parameters: list[SignatureParameterAnswer]
    returns: str
    returns_doc: str
    display_order: list[str]
    result_names: list[str]


class TestGroupAnswer(AnswerModel):
    """Test cases that score together; ``points`` are given only if all of them pass."""

    name: str
    title: str
    points: float


class StatementAnswer(AnswerModel):
    """The statement as Markdown and as safe HTML.

    ``parts`` holds pieces of HTML, and numbers of samples where these belong.
    """

    markdown: str
    parts: list[str | int]


class RevisionAnswer(AnswerModel):
    """Which text and tests this is; send ``id`` with a submission to be told of changes."""

    id: str
    number: int


class LimitsAnswer(AnswerModel):
    """Limits of one test case."""

    cpu_ms: int
    memory_kb: int
    stdout_kb: int


class OwnInputAnswer(AnswerModel):
    """Whether a run takes own input, and whether the reference may be asked about it."""

    offered: bool
    reference: bool


class LocksAnswer(AnswerModel):
    """What is still closed to the caller; ``notice`` says what opens it, or is empty."""

    hints: bool
    solution: bool
    notice: str


class ProblemAnswer(AnswerModel):
    """A whole problem for somebody who is about to solve it."""

    slug: str
    title: str
    locale: LocaleId
    revision: RevisionAnswer
    points: int
    topics: list[str]
    prerequisites: list[str]
    statement: StatementAnswer
    signature: SignatureAnswer
    samples: list[SampleAnswer]
    groups: list[TestGroupAnswer]
    limits: LimitsAnswer
    languages: list[LanguageId]
    starter: dict[str, str]
    hints: int
    own_input: OwnInputAnswer
    locks: LocksAnswer
    my: MyScore | None


class ProblemTextAnswer(AnswerModel):
    """A hint or the solution."""

    locale: LocaleId
    markdown: str
    html: str
    revision: str


class HintAnswer(ProblemTextAnswer):
    """One hint of several, from gentle to concrete."""

    number: int
    total: int


def my_score(problem_points: int, best: BestScore | None, submissions: int) -> MyScore:
    """The caller's own result on a problem."""
    accepted = best is not None and best.first_accepted_at is not None
    return MyScore(
        score=None if best is None else points(best.score, problem_points),
        submissions=submissions,
        status=standing(submissions, accepted=accepted).value,
    )


def in_locale(text: Localized, locale: str) -> str:
    """A text in a locale, in English, or in whatever there is."""
    return text.get(locale) or text.get("en") or next(iter(text.values()), "")


def revision_answer(identifier: str, number: int) -> RevisionAnswer:
    """Identifier and number of a revision."""
    return RevisionAnswer(id=show(REVISION, identifier), number=number)


def signature_answer(signature: Signature, docs: Mapping[str, str]) -> SignatureAnswer:
    """The signature with the parameters' explanations, ``return`` among them."""
    return SignatureAnswer(
        name=signature.name,
        parameters=[
            SignatureParameterAnswer(
                name=parameter.name,
                type=str(parameter.type),
                doc=docs.get(parameter.name, ""),
            )
            for parameter in signature.parameters
        ],
        returns=str(signature.returns),
        returns_doc=docs.get("return", ""),
        display_order=list(signature.display_order),
        result_names=list(signature.result_names),
    )


def group_answers(
    problem: Problem, groups: tuple[Group, ...], locale: str
) -> list[TestGroupAnswer]:
    """Groups with what each is worth in points of the problem."""
    full = sum(group.max_score for group in groups)
    return [
        TestGroupAnswer(
            name=group.name,
            title=in_locale(group.title, locale),
            points=points(Score(group.max_score, full), problem.points),
        )
        for group in groups
    ]


def locks_answer(closed: Mapping[str, Lock], locale: str) -> LocksAnswer:
    """What is closed: ``hints``, ``solution`` or both, each with what would open it."""
    kinds = set(closed.values())
    if len(closed) == 2 and len(kinds) == 1:
        sentences = [_lock_notice("locks", kinds.pop(), locale)]
    else:
        sentences = [
            _lock_notice(f"refused.{what}-locked", lock, locale) for what, lock in closed.items()
        ]
    return LocksAnswer(
        hints="hints" in closed,
        solution="solution" in closed,
        notice=text("list.sentences", locale).join(sentences),
    )


def _lock_notice(prefix: str, lock: Lock, locale: str) -> str:
    return text(f"{prefix}.{lock.kind}", locale, {"submissions": lock.submissions})


def limits_answer(limits: Mapping[str, Any]) -> LimitsAnswer:
    """Limits of one test case."""
    return LimitsAnswer(
        cpu_ms=limits["cpu_ms"], memory_kb=limits["memory_kb"], stdout_kb=limits["stdout_kb"]
    )


_REVISION_EXAMPLE = "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f"
ITEM_EXAMPLE = {
    "slug": "sample_token",
    "title": "Sampling with temperature and top-k",
    "topics": ["decoding", "sampling"],
    "points": 100,
    "languages": ["python", "java"],
    "revision": _REVISION_EXAMPLE,
    "solved_rate": 0.64,
    "my": {"score": 62.5, "submissions": 3, "status": "tried"},
}
PROBLEM_EXAMPLE = {
    "slug": "sample_token",
    "title": "Sampling with temperature and top-k",
    "locale": "en",
    "revision": {"id": _REVISION_EXAMPLE, "number": 1},
    "points": 100,
    "topics": ["decoding", "sampling"],
    "prerequisites": [],
    "statement": {"markdown": "Draw one token …", "parts": ["<p>Draw one token …</p>", 1]},
    "signature": {
        "name": "sample_token",
        "parameters": [{"name": "logits", "type": "list[float]", "doc": "one number a token"}],
        "returns": "int",
        "returns_doc": "the token",
        "display_order": ["logits"],
        "result_names": [],
    },
    "samples": [SAMPLE_EXAMPLE],
    "groups": [{"name": "secret/10-small", "title": "Small cases", "points": 20.0}],
    "limits": {"cpu_ms": 6000, "memory_kb": 524288, "stdout_kb": 64},
    "languages": ["python", "java"],
    "starter": {
        "python": "def sample_token(logits: list[float]) -> int:\n    raise NotImplementedError\n",
        "java": "class Solution {\n    static long sample_token(double[] logits) { … }\n}\n",
    },
    "hints": 3,
    "own_input": {"offered": True, "reference": True},
    "locks": {
        "hints": True,
        "solution": True,
        "notice": "Hints and the solution open after your first submission.",
    },
    "my": {"score": None, "submissions": 0, "status": "new"},
}
HINT_EXAMPLE = {
    "locale": "en",
    "markdown": "Sort first.",
    "html": "<p>Sort first.</p>",
    "revision": _REVISION_EXAMPLE,
    "number": 1,
    "total": 3,
}
SOLUTION_EXAMPLE = {key: HINT_EXAMPLE[key] for key in ("locale", "markdown", "html", "revision")}
