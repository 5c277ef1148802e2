"""What a list of people does to a class, row by row."""

from hypothesis import given
from hypothesis import strategies as st

from judge.domain.roster import Effect, Known, RosterRow, plan_roster

PEOPLE = {
    "ada": Known("1", "ada", False, "learner", "S1"),
    "bob": Known("2", "bob", False, "learner", "S2"),
    "new": Known("3", "new", False),
    "boss": Known("4", "boss", True, "teacher"),
    "guest": Known("5", "guest", False, "learner", "", True),
}
rows = st.builds(
    RosterRow,
    number=st.just(0),
    handle=st.sampled_from(["", "ada", "BOB", "new", "boss", "guest", "nobody"]),
    external_id=st.sampled_from(["", "S1", "S2", "S3", "\n", "x" * 129]),
    role=st.sampled_from(["", "learner", "teacher", "king"]),
)


def numbered(given_rows: list[RosterRow]) -> list[RosterRow]:
    return [
        RosterRow(number, row.handle, row.external_id, row.role)
        for number, row in enumerate(given_rows, 1)
    ]


def plan(*given_rows: RosterRow, activates: bool = False):
    return plan_roster(numbered(list(given_rows)), PEOPLE, activates=activates)


def test_a_dropped_row_leaves_its_owner_the_id_that_another_one_wanted() -> None:
    """ada would give S1 up, but her row is wrong: so nobody else can have it."""
    result = plan(
        RosterRow(0, "ada", "S9", "king"), RosterRow(0, "new", "S1"), RosterRow(0, "bob", "S3")
    )
    assert {number: one.code for number, one in result.errors.items()} == {
        1: "choice",
        2: "roster-external-id-taken",
    }
    assert [step.handle for step in result.steps] == ["bob"]


def test_an_admins_list_activates_who_was_only_invited() -> None:
    assert plan(RosterRow(0, "guest")).steps[0].effect is Effect.UNCHANGED
    step = plan(RosterRow(0, "guest"), activates=True).steps[0]
    assert (step.effect, step.becomes_active) == (Effect.CHANGED, True)


@given(st.lists(rows, max_size=8))
def test_a_plan_speaks_of_every_row_and_gives_no_id_to_two(given_rows: list[RosterRow]) -> None:
    result = plan_roster(numbered(given_rows), PEOPLE, activates=False)
    done = [step.number for step in result.steps]
    assert sorted([*done, *result.errors]) == list(range(1, len(given_rows) + 1))
    after = {one.account_id: one.external_id for one in PEOPLE.values() if one.is_member}
    after |= {step.account_id: step.external_id for step in result.steps}
    ids = [external_id for external_id in after.values() if external_id]
    assert len(ids) == len(set(ids))
    assert len({step.account_id for step in result.steps}) == len(result.steps)


@given(st.lists(rows, max_size=8))
def test_doing_what_a_plan_says_leaves_nothing_to_do(given_rows: list[RosterRow]) -> None:
    first = plan_roster(numbered(given_rows), PEOPLE, activates=False)
    after = dict(PEOPLE)
    for step in first.steps:
        known = PEOPLE[step.handle]
        after[step.handle] = Known(
            known.account_id, known.handle, known.is_staff, step.role, step.external_id
        )
    good = [row for row in numbered(given_rows) if row.number not in first.errors and row.handle]
    again = plan_roster(good, after, activates=False)
    assert again.errors == {}
    assert {step.effect for step in again.steps} <= {Effect.UNCHANGED}
