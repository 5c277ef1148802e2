"""Who may see what: roles, scopes, reveal rules and the one view of a test case.

Owns every decision about what leaves the judge. Everything a learner is told about a case goes
through ``visible_case``; whoever builds an answer for people starts from its result and adds
nothing. Pure: the caller fetches rows, this module decides.

Two questions that are easily taken for one: who may see a problem's hidden parts (teachers and
admins: hints, solutions, every detail of a case), and whose work one may read (one's own; admins
everybody's; teachers what the members of their classes did on the problems that the class was
given). What binds accounts to each other is a class (``ClassTies``), and only to who has joined it.

Rule for an unrevealed hidden case: verdict, reason code, title and the case's hint; for a
runtime_error also the exception's class if it is one of the languages' own, of one class in a
submission. No line: a program chooses it among as many as its source has, and could spell its input
with it. No other byte that came out of the box, for the same reason. Time and memory are shown only
as the submission's maximum, because per case they would be a channel as well.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from judge.domain.known_exceptions import KNOWN_EXCEPTIONS
from judge.domain.problem import Localized, Visibility
from judge.domain.verdicts import Reason, Verdict


class Role(StrEnum):
    """What an account is."""

    LEARNER = "learner"
    TEACHER = "teacher"
    ADMIN = "admin"

    @property
    def is_staff(self) -> bool:
        """Teachers and admins see the hidden parts of problems, also in their own results."""
        return self is not Role.LEARNER

    @property
    def reads_all_work(self) -> bool:
        """Admins read everybody's submissions, sources and scores."""
        return self is Role.ADMIN


class Scope(StrEnum):
    """What an API token may do, within the rights of its account."""

    PROBLEMS_READ = "problems:read"
    SUBMISSIONS_READ = "submissions:read"
    SUBMISSIONS_WRITE = "submissions:write"
    SCORES_READ = "scores:read"
    CLASS_READ = "class:read"
    CLASS_WRITE = "class:write"
    FEEDBACK_WRITE = "feedback:write"
    ADMIN_PROBLEMS = "admin:problems"
    ADMIN_ACCOUNTS = "admin:accounts"
    ADMIN_OPS = "admin:ops"


# Rights of a role, in scopes. Whose rows a scope reaches is decided by the role as well.
_TEACHER_SCOPES = frozenset(Scope) - {Scope.ADMIN_ACCOUNTS, Scope.ADMIN_OPS}
ROLE_SCOPES: Mapping[Role, frozenset[Scope]] = {
    Role.LEARNER: _TEACHER_SCOPES - {Scope.ADMIN_PROBLEMS, Scope.CLASS_WRITE},
    Role.TEACHER: _TEACHER_SCOPES,
    Role.ADMIN: frozenset(Scope),
}


@dataclass(frozen=True)
class ClassTies:
    """What binds an account to others: the classes that it has joined, by id.

    Attributes:
        taught: classes that it teaches.
        joined: classes that it learns in.
        teacher_ids: accounts that teach any of these classes.
    """

    taught: frozenset[str] = frozenset()
    joined: frozenset[str] = frozenset()
    teacher_ids: frozenset[str] = frozenset()


NO_TIES = ClassTies()


@dataclass(frozen=True)
class Caller:
    """Who asks: an account with its present role, and what its token is limited to.

    ``token_scopes`` is None for a browser session, which has all rights of the role. ``locale`` is
    the account's; it decides nothing but the words of an answer. ``ties`` are those of this moment.
    ``token_id`` and ``ip_prefix`` (the address cut to its network) are for the audit log.
    """

    account_id: str
    handle: str
    role: Role
    token_scopes: frozenset[Scope] | None = None
    locale: str = ""
    ties: ClassTies = NO_TIES
    token_id: str | None = None
    ip_prefix: str = ""

    @property
    def scopes(self) -> frozenset[Scope]:
        """The rights of this call: the role's, cut down to the token's."""
        rights = ROLE_SCOPES[self.role]
        return rights if self.token_scopes is None else rights & self.token_scopes

    def may_read_work_of(self, account_id: str, *, is_taught: bool = False) -> bool:
        """Whether the caller may read another account's submissions and scores on a problem.

        ``is_taught``: the account learns in a class that the caller teaches, and the class was
        given this problem (judge.db.queries.classes.is_taught).
        """
        is_teacher = self.role.is_staff and is_taught
        return self.role.reads_all_work or self.account_id == account_id or is_teacher

    def teaches(self, class_id: str) -> bool:
        """Whether the caller may read and change a class: its teachers, and admins."""
        return self.role is Role.ADMIN or (self.role.is_staff and class_id in self.ties.taught)

    def teaching(self, class_id: str) -> "Caller":
        """The caller who has just begun to teach a class, which ``ties`` do not tell yet."""
        return replace(self, ties=replace(self.ties, taught=self.ties.taught | {class_id}))

    def learns_in(self, class_id: str) -> bool:
        """Whether the caller has joined a class without teaching it."""
        return class_id in self.ties.joined


def may_reset_password(caller: Caller, role: Role, *, is_own_learner: bool) -> bool:
    """Whether a caller may make the link with which an account sets a new password.

    Admins for everybody; teachers for who learns in a class of theirs (``is_own_learner``), never
    for staff: with the link one gets the rights of the account.
    """
    if Scope.ADMIN_ACCOUNTS in caller.scopes:
        return True
    return Scope.CLASS_WRITE in caller.scopes and is_own_learner and not role.is_staff


def may_invite(caller: Caller, role: Role, class_id: str | None, is_closed: bool) -> bool:
    """Whether a caller may invite people who become ``role``, into a class or into none.

    Admins whomever but admins; teachers learners into the classes that they teach, except where
    only admins make accounts (``is_closed``).
    """
    if role is Role.ADMIN:
        return False
    if Scope.ADMIN_ACCOUNTS in caller.scopes:
        return True
    is_own_class = class_id is not None and class_id in caller.ties.taught and not is_closed
    return Scope.CLASS_WRITE in caller.scopes and is_own_class and role is Role.LEARNER


@dataclass(frozen=True)
class StoredCase:
    """One test case as stored: ``arguments`` and ``expected`` are JSON texts."""

    path: str
    ordinal: int
    group: str
    title: Localized
    hint: Localized
    visibility: Visibility
    arguments: bytes
    expected: bytes


@dataclass(frozen=True)
class StoredResult:
    """What one case came to, as stored; ``returned`` is JSON text, cut off at a size limit."""

    verdict: Verdict
    reason: Reason
    message: str = ""
    error_class: str = ""
    error_line: int = 0
    cpu_ms: int = 0
    wall_ms: int = 0
    memory_kb: int = 0
    returned: str | None = None
    stdout: str = ""
    stderr: str = ""
    note: str = ""


@dataclass(frozen=True)
class CaseDetail:
    """The part of a result that is shown only for samples, revealed cases and to staff.

    ``note`` is what the package's own checker said. It may tell how the checker works, also on
    cases that are hidden, so only staff read it, whatever the case.
    """

    message: str
    arguments: bytes
    expected: bytes
    returned: str | None
    stdout: str
    stderr: str
    cpu_ms: int
    wall_ms: int
    memory_kb: int
    note: str


@dataclass(frozen=True)
class VisibleCase:
    """What one viewer sees of one case; ``detail`` is None where it is withheld."""

    ordinal: int
    group: str
    title: Localized
    visibility: Visibility
    verdict: Verdict
    reason: Reason
    hint: Localized
    error_class: str
    error_line: int
    detail: CaseDetail | None


def visible_case(case: StoredCase, result: StoredResult, role: Role, revealed: bool) -> VisibleCase:
    """Decide what a viewer sees of a case.

    Args:
        case: the case, expected value and all.
        result: everything that grading stored about it.
        role: the viewer's role.
        revealed: whether the viewer spent a reveal on this case.
    """
    is_open = role.is_staff or revealed or case.visibility is Visibility.SAMPLE
    failed = result.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED)
    error_class, error_line = result.error_class, result.error_line
    if not is_open:
        error_class, error_line = _safe_class(result), 0
    return VisibleCase(
        ordinal=case.ordinal,
        group=case.group,
        title=case.title,
        visibility=case.visibility,
        verdict=result.verdict,
        reason=result.reason,
        hint=case.hint if failed else {},
        error_class=error_class,
        error_line=error_line,
        detail=_detail(case, result, role) if is_open else None,
    )


def visible_cases(
    results: Iterable[tuple[StoredCase, StoredResult]], role: Role, revealed: Collection[str]
) -> tuple[VisibleCase, ...]:
    """Decide what a viewer sees of a submission's cases, in their order.

    Where details are withheld, the exception is told of the first case that raised one and of those
    that raised the same: a program that chooses one for each case would tell more of their inputs.

    Args:
        results: every case with its result, by ordinal.
        role: the viewer's role.
        revealed: paths of the cases that the viewer spent a reveal on.
    """
    seen, told = [], ""
    for case, result in results:
        one = visible_case(case, result, role, case.path in revealed)
        if one.detail is None and one.error_class:
            told = told or one.error_class
            if one.error_class != told:
                one = replace(one, error_class="")
        seen.append(one)
    return tuple(seen)


def may_reveal(visibility: Visibility, verdict: Verdict) -> bool:
    """Whether a learner may spend a reveal on a case: one that may be shown, and that failed.

    A sample is shown anyway; a case that passed or was not run would tell an input for nothing.
    """
    has_failed = verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED)
    return visibility is Visibility.REVEAL_ON_FAIL and has_failed


def may_ask_reference(offered: bool, role: Role) -> bool:
    """Whether a run may show what the reference answers to own input: where the package says so.

    Staff may always: they can read the solution as well.
    """
    return offered or role.is_staff


def may_read_revision(caller: Caller | None, *, is_published: bool, is_used: bool) -> bool:
    """Whether whoever sees a problem may read one of its revisions.

    Staff every one; others the published one and those that they handed something in for
    (``is_used``).
    """
    return is_published or is_used or (caller is not None and caller.role.is_staff)


def _safe_class(result: StoredResult) -> str:
    is_told = result.verdict is Verdict.RUNTIME_ERROR and result.error_class in KNOWN_EXCEPTIONS
    return result.error_class if is_told else ""


def _detail(case: StoredCase, result: StoredResult, role: Role) -> CaseDetail:
    return CaseDetail(
        message=result.message,
        arguments=case.arguments,
        expected=case.expected,
        returned=result.returned,
        stdout=result.stdout,
        stderr=result.stderr,
        cpu_ms=result.cpu_ms,
        wall_ms=result.wall_ms,
        memory_kb=result.memory_kb,
        note=result.note if role.is_staff else "",
    )


@dataclass(frozen=True)
class Effort:
    """What an account has done on a problem: the input of the reveal rules."""

    submissions: int
    accepted: bool


def is_open(rule: object, role: Role, effort: Effort) -> bool:
    """Whether a reveal rule of judge.yaml lets a viewer read hints or the solution.

    Rules: ``never``, ``always``, ``after_submit``, ``after_accept``, ``{after_n: N}``. Staff may
    always; a rule that is not known opens nothing.
    """
    if role.is_staff:
        return True
    match rule:
        case "always":
            return True
        case "after_submit":
            return effort.submissions >= 1
        case "after_accept":
            return effort.accepted
        case {"after_n": int(needed)}:
            return effort.submissions >= needed
        case _:
            return False


@dataclass(frozen=True)
class Lock:
    """A reveal rule in words that can be shown: ``kind`` is one of LOCK_KINDS.

    ``submissions`` is how many of them open it, 0 where their number alone does not.
    """

    kind: str
    submissions: int


LOCK_KINDS = ("after_submit", "after_accept", "after_n", "never")


def read_lock(rule: object) -> Lock:
    """What would open a rule that is closed; one that is not known never opens."""
    match rule:
        case "after_submit":
            return Lock("after_submit", 1)
        case "after_accept":
            return Lock("after_accept", 0)
        case {"after_n": int(needed)}:
            return Lock("after_n", needed)
        case _:
            return Lock("never", 0)


CLASS = "class"
VISIBILITIES = ("draft", "staff", CLASS, "public")


@dataclass(frozen=True)
class Sight:
    """Which problems exist for a viewer.

    ``visibilities`` of whosever problems, ``unowned`` of those that belong to nobody (they came
    with the judge or from its command line), in any state and visibility the viewer's own, and with
    the visibility ``class`` those of ``teacher_ids``, the teachers of the viewer's classes.
    """

    visibilities: tuple[str, ...]
    unowned: tuple[str, ...] = ()
    account_id: str | None = None
    is_staff: bool = False
    teacher_ids: frozenset[str] = frozenset()


EVERY_PROBLEM = Sight(VISIBILITIES, is_staff=True)


def sight_of(viewer: Caller | None) -> Sight:
    """Which problems a viewer finds; None is somebody who is not signed in.

    A problem of visibility ``class`` exists for its owner, for admins, and for the members of the
    classes that its owner teaches.
    """
    if viewer is None:
        return Sight(("public",))
    teacher_ids = viewer.ties.teacher_ids
    match viewer.role:
        case Role.ADMIN:
            return EVERY_PROBLEM
        case Role.TEACHER:
            seen = ("staff", "public")
            return Sight(seen, VISIBILITIES, viewer.account_id, True, teacher_ids)
        case _:
            return Sight(("public",), teacher_ids=teacher_ids)


def may_find_class(caller: Caller, class_id: str, *, is_invited: bool) -> bool:
    """Whether a class exists for a caller: who teaches or has joined it, and who is invited.

    Whoever is invited sees what it is called before agreeing to be in it; nothing more.
    """
    return caller.teaches(class_id) or caller.learns_in(class_id) or is_invited


def state_of_new_member(adder: Caller) -> str:
    """How an account comes into a class by a list: only an admin decides for other people.

    Everybody else can but invite: who is in a class lets its teachers read the own work.
    """
    return "active" if adder.role is Role.ADMIN else "invited"


def may_see_problem(sight: Sight, visibility: str, owner_id: str | None) -> bool:
    """Whether a problem exists for a viewer; others are told that it does not."""
    if owner_id is None and visibility in sight.unowned:
        return True
    is_own = sight.account_id is not None and owner_id == sight.account_id
    is_of_class = visibility == CLASS and owner_id in sight.teacher_ids
    return is_own or is_of_class or visibility in sight.visibilities


def may_manage_problem(caller: Caller, owner_id: str | None) -> bool:
    """Whether a caller may publish, retire, restore and change a problem.

    Admins every problem; teachers only those whose first revision is theirs.
    """
    if caller.role is Role.ADMIN:
        return True
    return caller.role is Role.TEACHER and owner_id == caller.account_id


def may_change_shown(caller: Caller, visibility: str) -> bool:
    """Whether a caller who manages a problem may still change or replace it.

    What more than a class sees, by an admin's decision, only admins change.
    """
    return caller.role is Role.ADMIN or visibility in ("draft", "class")


def may_read_judgement(caller: Caller, cause: str, decision: str | None) -> bool:
    """Whether a caller who may read a submission may read one of its judgements.

    A rejudge's judgement exists for the learner only once it took the place of the earlier one:
    a preview may be cancelled, and what was not taken is nobody's result. ``decision`` is the
    rejudge's about it, None for a judgement of no rejudge.
    """
    return caller.role.reads_all_work or cause != "rejudge" or decision == "taken"


def may_read_rejudge(caller: Caller, actor_id: str | None, owner_id: str | None) -> bool:
    """Whether a caller may see how far a rejudge is.

    Whoever rejudges, of every one; whoever manages the problem, of one that the own publication
    began. What it does to single accounts is for ``reads_all_work`` alone.
    """
    if Scope.ADMIN_OPS in caller.scopes:
        return True
    return may_manage_problem(caller, owner_id) and actor_id == caller.account_id


def may_handle_feedback(caller: Caller, owner_id: str | None, *, is_taught: bool) -> bool:
    """Whether a caller answers, sorts and closes a thread of feedback, and reads its notes.

    Whoever manages the problem; teachers also where a member of their classes wrote about a problem
    of the class (``is_taught``).
    """
    return may_manage_problem(caller, owner_id) or (caller.role.is_staff and is_taught)


def may_read_feedback(
    caller: Caller, author_id: str | None, owner_id: str | None, *, is_taught: bool
) -> bool:
    """Whether a thread of feedback exists for a caller: its author, and who handles it."""
    is_own = author_id is not None and author_id == caller.account_id
    return is_own or may_handle_feedback(caller, owner_id, is_taught=is_taught)


def visibility_for(wanted: str, publisher: Caller | None) -> str:
    """The visibility that a published problem gets: only admins publish to more than a class.

    Without a publisher it is published on the judge's own machine, by whoever runs it.
    """
    if publisher is None or publisher.role is Role.ADMIN or wanted == "draft":
        return wanted
    return "class"


def visibility_notices(wished: str, visibility: str) -> tuple[str, ...]:
    """What whoever publishes is told of who will see it; codes whose texts begin with ``notice.``.

    ``wished`` is what the package asks for, ``visibility`` what the problem gets.
    """
    codes = ["visibility-narrowed"] if visibility != wished else []
    if visibility == "draft":
        codes.append("visible-as-draft")
    elif visibility == "staff":
        codes.append("no-learner-sees")
    elif visibility == CLASS:
        codes.append("members-see")
    return tuple(codes)


def parse_scopes(names: Iterable[str]) -> frozenset[Scope]:
    """Read scope names; a name that is no longer known grants nothing."""
    known = {scope.value: scope for scope in Scope}
    return frozenset(known[name] for name in names if name in known)
