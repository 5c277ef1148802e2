"""Who sees what of a test case, of hints and of problems."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.access import (
    LOCK_KINDS,
    ROLE_SCOPES,
    Caller,
    ClassTies,
    Effort,
    Lock,
    Role,
    Scope,
    StoredCase,
    StoredResult,
    is_open,
    may_ask_reference,
    may_change_shown,
    may_invite,
    may_manage_problem,
    may_read_judgement,
    may_read_revision,
    may_reset_password,
    may_reveal,
    may_see_problem,
    parse_scopes,
    read_lock,
    sight_of,
    visibility_for,
    visible_case,
    visible_cases,
)
from judge.domain.known_exceptions import KNOWN_EXCEPTIONS
from judge.domain.problem import Visibility
from judge.domain.verdicts import Reason, Verdict

CASE = StoredCase(
    path="secret/10/01",
    ordinal=7,
    group="secret/10",
    title={"en": "Ties"},
    hint={"en": "Read step 2"},
    visibility=Visibility.HIDDEN,
    arguments=b'{"k": 271828}',
    expected=b"314159",
)
RESULT = StoredResult(
    verdict=Verdict.RUNTIME_ERROR,
    reason=Reason.EXCEPTION,
    message="271828",
    error_class="ValueError",
    error_line=3,
    cpu_ms=271828,
    wall_ms=271828,
    memory_kb=271828,
    returned="271828",
    stdout="271828",
    stderr="271828",
    note="271828",
)
HIDDEN = (Visibility.HIDDEN, Visibility.REVEAL_ON_FAIL)
anything = st.text()
results = st.builds(
    StoredResult,
    verdict=st.sampled_from(Verdict),
    reason=st.sampled_from(Reason),
    message=anything,
    error_class=st.one_of(anything, st.sampled_from(sorted(KNOWN_EXCEPTIONS))),
    error_line=st.integers(),
    cpu_ms=st.integers(),
    wall_ms=st.integers(),
    memory_kb=st.integers(),
    returned=st.none() | anything,
    stdout=anything,
    stderr=anything,
    note=anything,
)


@given(results, st.sampled_from(HIDDEN))
def test_a_hidden_case_tells_a_learner_only_what_the_rule_names(
    result: StoredResult, visibility: Visibility
) -> None:
    case = replace(CASE, visibility=visibility)
    seen = visible_case(case, result, Role.LEARNER, revealed=False)
    assert seen.detail is None
    assert (seen.verdict, seen.reason, seen.title) == (result.verdict, result.reason, case.title)
    assert seen.error_class in KNOWN_EXCEPTIONS | {""}
    assert seen.error_line == 0
    if result.verdict is not Verdict.RUNTIME_ERROR:
        assert seen.error_class == ""


@given(results, results, st.sampled_from(HIDDEN))
def test_results_that_differ_in_what_left_the_box_look_the_same(
    one: StoredResult, other: StoredResult, visibility: Visibility
) -> None:
    case = replace(CASE, visibility=visibility)
    shown = replace(other, verdict=one.verdict, reason=one.reason, error_class=one.error_class)
    assert visible_case(case, one, Role.LEARNER, False) == visible_case(
        case, shown, Role.LEARNER, False
    )


@pytest.mark.parametrize(
    ("role", "told"),
    [
        (Role.LEARNER, [("KeyError", 0), ("", 0), ("KeyError", 0), ("IndexError", 9)]),
        (Role.TEACHER, [("KeyError", 4), ("ValueError", 5), ("KeyError", 6), ("IndexError", 9)]),
    ],
)
def test_of_hidden_cases_one_exception_is_told_and_no_line(
    role: Role, told: list[tuple[str, int]]
) -> None:
    """A program chooses the line and could spell its input with it; samples tell theirs."""
    sample = replace(CASE, visibility=Visibility.SAMPLE)
    failures = [("KeyError", 4), ("ValueError", 5), ("KeyError", 6), ("IndexError", 9)]
    results = [
        (case, replace(RESULT, error_class=name, error_line=line))
        for case, (name, line) in zip((CASE, CASE, CASE, sample), failures, strict=True)
    ]
    seen = visible_cases(results, role, ())
    assert [(one.error_class, one.error_line) for one in seen] == told


def test_a_teacher_reads_what_members_did_on_the_problems_of_the_class() -> None:
    callers = {role: Caller("a", "ada", role) for role in Role}
    assert [
        role for role, caller in callers.items() if caller.may_read_work_of("b", is_taught=True)
    ] == [Role.TEACHER, Role.ADMIN]


def test_only_staff_teaches() -> None:
    ties = ClassTies(taught=frozenset({"c"}), teacher_ids=frozenset({"a"}))
    callers = [Caller("a", "ada", role, ties=ties) for role in Role]
    assert [caller.teaches("c") for caller in callers] == [False, True, True]
    assert [caller.teaches("d") for caller in callers] == [False, False, True]


def test_a_problem_of_a_class_exists_for_the_members_of_its_owners_classes() -> None:
    member = Caller("m", "mei", Role.LEARNER, ties=ClassTies(teacher_ids=frozenset({"t"})))
    assert may_see_problem(sight_of(member), "class", "t")
    assert not may_see_problem(sight_of(member), "draft", "t")
    assert not may_see_problem(sight_of(member), "staff", "t")
    assert not may_see_problem(sight_of(member), "class", "other")
    assert not may_see_problem(sight_of(member), "class", None)
    assert not may_see_problem(sight_of(Caller("x", "xi", Role.LEARNER)), "class", "t")
    assert not may_see_problem(sight_of(None), "class", "t")


@pytest.mark.parametrize(
    ("role", "revealed", "visibility"),
    [
        (Role.LEARNER, False, Visibility.SAMPLE),
        (Role.LEARNER, True, Visibility.REVEAL_ON_FAIL),
        (Role.TEACHER, False, Visibility.HIDDEN),
        (Role.ADMIN, False, Visibility.HIDDEN),
    ],
)
def test_an_open_case_shows_everything(role: Role, revealed: bool, visibility: Visibility) -> None:
    seen = visible_case(replace(CASE, visibility=visibility), RESULT, role, revealed)
    assert seen.detail is not None
    assert seen.detail.arguments == CASE.arguments
    assert seen.detail.expected == CASE.expected
    assert seen.detail.stdout == "271828"
    assert (seen.error_class, seen.error_line) == ("ValueError", 3)


@pytest.mark.parametrize("visibility", Visibility)
@pytest.mark.parametrize(
    ("role", "note"), [(Role.LEARNER, ""), (Role.TEACHER, "271828"), (Role.ADMIN, "271828")]
)
def test_what_a_checker_noted_is_for_staff_whatever_the_case(
    role: Role, note: str, visibility: Visibility
) -> None:
    seen = visible_case(replace(CASE, visibility=visibility), RESULT, role, True)
    assert seen.detail is not None
    assert seen.detail.note == note


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "ValueError"),
        ({"error_class": "Secret271828"}, ""),
        ({"error_class": "valueerror"}, ""),
        ({"error_class": "std::out_of_range"}, "std::out_of_range"),
        ({"error_class": "out_of_range"}, ""),
        ({"error_class": "std::secret271828"}, ""),
        ({"error_class": "ArrayIndexOutOfBoundsException"}, "ArrayIndexOutOfBoundsException"),
        ({"error_class": "Solution.NullPointerException"}, ""),
        ({"verdict": Verdict.WRONG_ANSWER}, ""),
    ],
)
def test_what_a_learner_hears_of_an_exception(changes: dict[str, object], name: str) -> None:
    seen = visible_case(CASE, replace(RESULT, **changes), Role.LEARNER, False)
    assert (seen.error_class, seen.error_line) == (name, 0)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_hint_comes_only_with_a_failure(verdict: Verdict) -> None:
    seen = visible_case(CASE, replace(RESULT, verdict=verdict), Role.LEARNER, False)
    passed_or_not_run = verdict in (Verdict.ACCEPTED, Verdict.SKIPPED)
    assert seen.hint == ({} if passed_or_not_run else CASE.hint)


NOTHING, ONE, THREE = Effort(0, False), Effort(1, False), Effort(3, False)
SOLVED = Effort(1, True)


@pytest.mark.parametrize(
    ("rule", "opens_for"),
    [
        ("always", {NOTHING, ONE, THREE, SOLVED}),
        ("after_submit", {ONE, THREE, SOLVED}),
        ("after_accept", {SOLVED}),
        ({"after_n": 3}, {THREE}),
        ("never", set()),
        ("some rule of a later release", set()),
        (None, set()),
    ],
)
def test_reveal_rules(rule: object, opens_for: set[Effort]) -> None:
    for effort in (NOTHING, ONE, THREE, SOLVED):
        assert is_open(rule, Role.LEARNER, effort) is (effort in opens_for)
        assert is_open(rule, Role.TEACHER, effort)
        assert is_open(rule, Role.ADMIN, effort)


OWNER = Caller("owner", "owner", Role.TEACHER)
VIEWERS = {
    "nobody": None,
    "learner": Caller("learner", "learner", Role.LEARNER),
    "demoted": Caller("owner", "owner", Role.LEARNER),
    "teacher": Caller("other", "other", Role.TEACHER),
    "owner": OWNER,
    "admin": Caller("admin", "admin", Role.ADMIN),
}
ALL = {"owner", "admin", "teacher", "demoted", "learner", "nobody"}
STAFF = {"owner", "admin", "teacher"}


@pytest.mark.parametrize(
    ("visibility", "owner_id", "seen_by"),
    [
        ("public", None, ALL),
        ("staff", None, STAFF),
        ("class", None, STAFF),
        ("draft", None, STAFF),
        ("public", "owner", ALL),
        ("staff", "owner", STAFF),
        ("class", "owner", {"owner", "admin"}),
        ("draft", "owner", {"owner", "admin"}),
    ],
)
def test_who_knows_of_a_problem(visibility: str, owner_id: str | None, seen_by: set[str]) -> None:
    seen = {
        who
        for who, viewer in VIEWERS.items()
        if may_see_problem(sight_of(viewer), visibility, owner_id)
    }
    assert seen == seen_by


@pytest.mark.parametrize(
    ("owner_id", "managed_by"), [(None, {"admin"}), ("owner", {"owner", "admin"})]
)
def test_who_changes_a_problem(owner_id: str | None, managed_by: set[str]) -> None:
    managing = {
        who
        for who, viewer in VIEWERS.items()
        if viewer is not None and may_manage_problem(viewer, owner_id)
    }
    assert managing == managed_by


@pytest.mark.parametrize(
    ("wanted", "of_teacher"),
    [("draft", "draft"), ("staff", "class"), ("class", "class"), ("public", "class")],
)
def test_a_teacher_publishes_to_a_class_at_most(wanted: str, of_teacher: str) -> None:
    assert visibility_for(wanted, OWNER) == of_teacher
    assert visibility_for(wanted, VIEWERS["admin"]) == wanted
    assert visibility_for(wanted, None) == wanted


@pytest.mark.parametrize(
    ("visibility", "expected"),
    [("public", False), ("staff", False), ("class", True), ("draft", True)],
)
def test_what_an_admin_shows_to_everybody_only_admins_change(
    visibility: str, expected: bool
) -> None:
    assert may_change_shown(OWNER, visibility) is expected
    assert may_change_shown(Caller("admin", "admin", Role.ADMIN), visibility)


@pytest.mark.parametrize(
    ("cause", "decision", "expected"),
    [
        ("submit", None, True),
        ("rejudge", "taken", True),
        ("rejudge", "open", False),
        ("rejudge", "kept", False),
        ("rejudge", "failed", False),
        ("rejudge", "dropped", False),
        ("rejudge", None, False),
    ],
)
def test_a_learner_reads_what_counts_or_counted(
    cause: str, decision: str | None, expected: bool
) -> None:
    assert may_read_judgement(Caller("a", "ada", Role.LEARNER), cause, decision) is expected
    assert may_read_judgement(Caller("b", "bob", Role.ADMIN), cause, decision)


def test_rights_grow_with_the_role() -> None:
    learner, teacher, admin = (ROLE_SCOPES[role] for role in Role)
    assert teacher - learner == {Scope.ADMIN_PROBLEMS, Scope.CLASS_WRITE}
    assert admin - teacher == {Scope.ADMIN_ACCOUNTS, Scope.ADMIN_OPS}
    assert learner < teacher < admin == frozenset(Scope)


def test_a_token_has_no_more_than_its_scopes() -> None:
    session = Caller("a", "ada", Role.LEARNER)
    assert session.scopes == ROLE_SCOPES[Role.LEARNER]
    token = replace(session, token_scopes=parse_scopes(["scores:read", "of:yesterday"]))
    assert token.scopes == {Scope.SCORES_READ}


@pytest.mark.parametrize(
    ("who", "scopes", "target", "is_own_learner", "expected"),
    [
        (Role.ADMIN, None, Role.ADMIN, False, True),
        (Role.ADMIN, ["admin:accounts"], Role.LEARNER, False, True),
        (Role.ADMIN, ["class:write"], Role.LEARNER, False, False),
        (Role.TEACHER, None, Role.LEARNER, True, True),
        (Role.TEACHER, None, Role.LEARNER, False, False),
        (Role.TEACHER, None, Role.TEACHER, True, False),
        (Role.TEACHER, None, Role.ADMIN, True, False),
        (Role.TEACHER, ["class:read"], Role.LEARNER, True, False),
        (Role.LEARNER, None, Role.LEARNER, True, False),
    ],
)
def test_whose_password_one_may_reset(
    who: Role, scopes: list[str] | None, target: Role, is_own_learner: bool, expected: bool
) -> None:
    held = None if scopes is None else parse_scopes(scopes)
    caller = Caller("a", "ada", who, held)
    assert may_reset_password(caller, target, is_own_learner=is_own_learner) is expected


@pytest.mark.parametrize(
    ("who", "role", "class_id", "is_closed", "expected"),
    [
        (Role.ADMIN, Role.TEACHER, None, True, True),
        (Role.ADMIN, Role.ADMIN, None, False, False),
        (Role.TEACHER, Role.LEARNER, "own", False, True),
        (Role.TEACHER, Role.LEARNER, "own", True, False),
        (Role.TEACHER, Role.LEARNER, "other", False, False),
        (Role.TEACHER, Role.LEARNER, None, False, False),
        (Role.TEACHER, Role.TEACHER, "own", False, False),
        (Role.LEARNER, Role.LEARNER, "own", False, False),
    ],
)
def test_whom_one_may_invite(
    who: Role, role: Role, class_id: str | None, is_closed: bool, expected: bool
) -> None:
    caller = Caller("a", "ada", who, ties=ClassTies(frozenset({"own"})))
    assert may_invite(caller, role, class_id, is_closed) is expected


def test_whose_work_one_may_read() -> None:
    callers = {role: Caller("a", "ada", role) for role in Role}
    assert all(caller.may_read_work_of("a") for caller in callers.values())
    assert [role for role, caller in callers.items() if caller.may_read_work_of("b")] == [
        Role.ADMIN
    ]


@pytest.mark.parametrize(
    ("rule", "kind", "submissions"),
    [
        ("after_submit", "after_submit", 1),
        ("after_accept", "after_accept", 0),
        ({"after_n": 3}, "after_n", 3),
        ("never", "never", 0),
        ("some rule of a later release", "never", 0),
    ],
)
def test_a_closed_rule_says_what_opens_it(rule: object, kind: str, submissions: int) -> None:
    assert read_lock(rule) == Lock(kind, submissions)
    assert kind in LOCK_KINDS


@pytest.mark.parametrize("visibility", Visibility)
@pytest.mark.parametrize("verdict", Verdict)
def test_only_a_case_that_may_be_shown_and_failed_can_be_revealed(
    visibility: Visibility, verdict: Verdict
) -> None:
    has_failed = verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED)
    expected = has_failed and visibility is Visibility.REVEAL_ON_FAIL
    assert may_reveal(visibility, verdict) is expected


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("offered", [True, False])
def test_the_reference_answers_where_it_is_offered_and_always_to_staff(
    role: Role, offered: bool
) -> None:
    assert may_ask_reference(offered, role) is (offered or role is not Role.LEARNER)


@pytest.mark.parametrize("is_used", [True, False])
@pytest.mark.parametrize("is_published", [True, False])
def test_a_revision_is_read_by_staff_or_if_published_or_used(
    is_published: bool, is_used: bool
) -> None:
    for role in Role:
        caller = Caller("a", "ada", role)
        may = may_read_revision(caller, is_published=is_published, is_used=is_used)
        assert may is (is_published or is_used or role.is_staff)
    assert may_read_revision(None, is_published=is_published, is_used=False) is is_published
