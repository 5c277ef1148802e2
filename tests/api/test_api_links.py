"""One-time links: the first admin, invitations and lost passwords."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from api_world import World, set_role
from class_rows import add_class, archive_class
from sqlalchemy import delete, select, update
from starlette.testclient import TestClient

from judge.actions.accounts import NewAccount, create_account
from judge.actions.first_admin import offer_first_admin
from judge.actions.invite import invite
from judge.actions.links import select_good_link
from judge.actions.reset_link import make_reset_link_for_handle
from judge.db.tables import account, audit_log, membership, notice, one_time_link
from judge.db.types import now
from judge.domain.access import Role
from judge.errors import Conflict, Gone
from judge.settings import Settings

PASSWORD = "correct horse"  # noqa: S105 - of accounts that tests make


@pytest.fixture
def adminless(world: World) -> World:
    """A judge that has no admin yet."""
    set_role(world.database, world.accounts["admin"], "learner")
    return world


def use(world: World, token: str, **body: Any) -> Any:
    return world.anonymous().post(
        "/api/v1/auth/links:use", json={"token": token, "password": PASSWORD, **body}
    )


def check(world: World, token: str) -> tuple[int, dict[str, Any]]:
    answer = world.anonymous().post("/api/v1/auth/links:check", json={"token": token})
    return answer.status_code, answer.json()


def reset(client: TestClient, world: World, handle: str) -> Any:
    return client.post(f"/api/v1/admin/accounts/acc_{world.accounts[handle]}/reset-link", json={})


def test_the_first_admin_comes_by_a_link_that_is_dead_on_second_use(adminless: World) -> None:
    link = offer_first_admin(adminless.database)
    assert link.path == f"/setup?token={link.secret}"
    told = check(adminless, link.secret)[1]
    assert (told["purpose"], told["role"], told["handle"]) == ("first_admin", "admin", None)
    # Whoever runs the judge may call itself what it likes.
    made = use(adminless, link.secret, handle="root", locale="ja")
    assert made.status_code == 200, made.text
    assert (made.json()["role"], made.json()["locale"]) == ("admin", "ja")
    assert adminless._client.get("/api/v1/me").json()["handle"] == "root"
    second = use(adminless, link.secret, handle="eve-2")
    assert (second.status_code, second.json()["code"]) == (410, "link-used")
    assert check(adminless, link.secret)[0] == 410


def test_only_the_last_link_for_the_first_admin_counts(adminless: World) -> None:
    earlier = offer_first_admin(adminless.database)
    offer_first_admin(adminless.database)
    assert use(adminless, earlier.secret, handle="ada").status_code == 410


def test_where_there_is_an_admin_nobody_becomes_the_first(adminless: World) -> None:
    link = offer_first_admin(adminless.database)
    set_role(adminless.database, adminless.accounts["admin"], "admin")
    answer = use(adminless, link.secret, handle="ada")
    assert (answer.status_code, answer.json()["code"]) == (410, "link-expired")
    with pytest.raises(Conflict, match="admin-exists"):
        offer_first_admin(adminless.database)


def test_two_who_use_one_link_at_once_make_one_admin(adminless: World) -> None:
    link = offer_first_admin(adminless.database)
    statuses: list[int] = []

    def attempt(handle: str) -> None:
        client = TestClient(adminless.app)
        body = {"token": link.secret, "password": PASSWORD, "handle": handle}
        statuses.append(client.post("/api/v1/auth/links:use", json=body).status_code)

    threads = [threading.Thread(target=attempt, args=(f"ada-{one}",)) for one in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 410, 410, 410]
    with adminless.database.read() as connection:
        admins = connection.scalars(select(account.c.id).where(account.c.role == "admin")).all()
    assert len(admins) == 1


def test_what_is_refused_for_its_fields_leaves_the_link_good(adminless: World) -> None:
    link = offer_first_admin(adminless.database)
    for body, pointer in (
        ({}, "/handle"),
        ({"handle": "a b"}, "/handle"),
        ({"handle": "ada", "password": "short"}, "/password"),
        ({"handle": "ada", "time_zone": "Mars"}, "/time_zone"),
        ({"handle": "ada", "role": "admin"}, "/role"),
    ):
        refused = use(adminless, link.secret, **body)
        assert refused.status_code == 422, body
        assert [one["pointer"] for one in refused.json()["errors"]] == [pointer]
    assert use(adminless, link.secret, handle="LEARNER").json()["code"] == "handle-taken"
    assert use(adminless, link.secret, handle="ada").status_code == 200


def test_a_link_that_nobody_made_is_not_there(world: World) -> None:
    assert check(world, "x" * 43)[0] == 404
    assert use(world, "x" * 43, handle="ada").status_code == 404


def test_the_database_holds_no_secret(world: World) -> None:
    token = reset(world.client("admin"), world, "learner").json()["token"]
    with world.database.read() as connection:
        for table in (one_time_link, audit_log, notice):
            assert token not in str(connection.execute(select(table)).all())


def test_a_reset_link_sets_the_password_and_ends_every_other_way_in(world: World) -> None:
    owner = create_account(world.database, NewAccount("ada", "the lost one"))
    world.accounts["ada"] = owner.id
    script, browser = world.token("ada"), world.browser("ada")
    answer = reset(world.client("admin"), world, "ada")
    assert answer.status_code == 201, answer.text
    link = answer.json()
    assert link["url"] == f"/reset?token={link['token']}"
    assert check(world, link["token"])[1]["handle"] == "ada"
    # Nothing is lost before the link is used.
    assert browser.get("/api/v1/me").status_code == 200
    assert use(world, link["token"], handle="bob").status_code == 422
    assert use(world, link["token"]).json()["handle"] == "ada"
    assert world._client.get("/api/v1/me").json()["handle"] == "ada"
    assert browser.get("/api/v1/me").status_code == 401
    with_token = {"Authorization": f"Bearer {script}"}
    assert world.anonymous().get("/api/v1/me", headers=with_token).status_code == 401
    login = {"handle": "ada", "password": PASSWORD}
    assert world.anonymous().post("/api/v1/auth/login", json=login).status_code == 200
    assert use(world, link["token"]).status_code == 410


def test_a_reset_is_audited_and_told_to_the_account(world: World) -> None:
    reset(world.client("admin"), world, "learner")
    reset(world.client("admin"), world, "learner")
    with world.database.read() as connection:
        entries = connection.execute(
            select(audit_log).where(audit_log.c.action == "account.reset-link")
        ).all()
        notices = connection.execute(select(notice)).all()
    assert {(one.actor_id, one.target) for one in entries} == {
        (world.accounts["admin"], f"account:{world.accounts['learner']}")
    }
    assert all(one.token_id and one.ip_prefix for one in entries)
    assert [(one.account_id, one.kind) for one in notices] == [
        (world.accounts["learner"], "reset-link")
    ] * 2


def test_a_later_reset_link_ends_the_earlier_one(world: World) -> None:
    admin = world.browser("admin")
    first, second = (reset(admin, world, "learner").json()["token"] for _ in range(2))
    assert check(world, first)[0] == 410
    assert check(world, second)[0] == 200


def test_a_link_ends(world: World) -> None:
    link = make_reset_link_for_handle(world.database, "learner")
    with world.database.write() as connection:
        connection.execute(update(one_time_link).values(expires_at=now() - timedelta(seconds=1)))
    assert check(world, link.secret)[1]["code"] == "link-expired"
    assert use(world, link.secret).status_code == 410


def test_who_is_disabled_gets_in_by_no_link(world: World) -> None:
    link = make_reset_link_for_handle(world.database, "learner")
    with world.database.write() as connection:
        connection.execute(
            update(account).where(account.c.handle == "learner").values(state="disabled")
        )
    assert use(world, link.secret).status_code == 410
    refused = reset(world.client("admin"), world, "learner")
    assert (refused.status_code, refused.json()["code"]) == (409, "account-not-active")


def test_a_teacher_resets_the_learners_of_the_own_classes_and_nobody_else(world: World) -> None:
    add_class(world, "teacher", "learner")
    teacher = world.browser("teacher")
    assert reset(teacher, world, "learner").status_code == 201
    for handle in ("other", "teacher", "admin"):
        assert reset(teacher, world, handle).status_code == 404
    assert reset(world.browser("learner"), world, "learner").status_code == 403
    assert reset(world.client("teacher", "class:read"), world, "learner").status_code == 403
    assert reset(world.client("teacher", "class:write"), world, "learner").status_code == 201


def test_a_teacher_never_resets_staff_not_even_one_that_learns_in_the_class(world: World) -> None:
    add_class(world, "teacher", "admin", "other")
    set_role(world.database, world.accounts["other"], "teacher")
    teacher = world.browser("teacher")
    assert reset(teacher, world, "admin").status_code == 404
    assert reset(teacher, world, "other").status_code == 404


def test_who_was_only_invited_into_a_class_is_not_the_teachers_to_reset(world: World) -> None:
    add_class(world, "teacher", "learner", state="invited")
    archive_class(world, add_class(world, "teacher", "other"))
    teacher = world.browser("teacher")
    assert reset(teacher, world, "learner").status_code == 404
    assert reset(teacher, world, "other").status_code == 404


def invitations(client: TestClient, **body: Any) -> Any:
    return client.post("/api/v1/admin/invitations", json=body)


def test_who_uses_a_teachers_invitation_joins_the_class(world: World) -> None:
    class_id = add_class(world, "teacher")
    answer = invitations(world.browser("teacher"), **{"class": f"cls_{class_id}", "count": 2})
    assert answer.status_code == 201, answer.text
    first, second = answer.json()["items"]
    assert first["token"] != second["token"]
    assert check(world, first["token"])[1]["class_name"] == "Class 3"
    made = use(world, first["token"], handle="ada", email="ada@example.org")
    assert (made.status_code, made.json()["role"]) == (200, "learner")
    with world.database.read() as connection:
        joined = connection.execute(select(membership).where(membership.c.role == "learner")).one()
    assert (f"acc_{joined.account_id}", joined.class_id) == (made.json()["id"], class_id)
    assert joined.state == "active"
    taken = use(world, second["token"], handle="bob", email="ADA@example.org")
    assert (taken.status_code, taken.json()["code"]) == (409, "email-taken")
    assert check(world, second["token"])[0] == 200


def test_teachers_invite_learners_into_their_own_classes_only(world: World) -> None:
    own, foreign = add_class(world, "teacher"), add_class(world, "admin")
    teacher = world.browser("teacher")
    assert invitations(teacher).json()["code"] == "invitation-not-allowed"
    assert invitations(teacher, **{"class": f"cls_{foreign}"}).status_code == 404
    refused = invitations(teacher, **{"class": f"cls_{own}", "role": "teacher"})
    assert refused.status_code == 403
    assert invitations(world.browser("learner"), **{"class": f"cls_{own}"}).status_code == 403


def test_admins_invite_learners_and_teachers_but_no_admins(world: World) -> None:
    admin = world.browser("admin")
    class_id = add_class(world, "teacher")
    token = invitations(admin, role="teacher", **{"class": f"cls_{class_id}"}).json()["items"][0]
    assert use(world, token["token"], handle="bea").json()["role"] == "teacher"
    assert invitations(admin, role="admin").status_code == 422
    assert invitations(admin, count=101).status_code == 422
    archive_class(world, class_id)
    assert invitations(admin, **{"class": f"cls_{class_id}"}).status_code == 404


def test_an_invitation_holds_only_as_long_as_its_maker_may_invite(world: World) -> None:
    class_id = add_class(world, "teacher")
    made = invitations(world.browser("teacher"), **{"class": f"cls_{class_id}"}).json()["items"]
    set_role(world.database, world.accounts["teacher"], "learner")
    assert use(world, made[0]["token"], handle="ada").status_code == 410


def test_an_invitation_ends_with_the_class_that_its_maker_taught(world: World) -> None:
    class_id = add_class(world, "teacher")
    made = invitations(world.browser("teacher"), **{"class": f"cls_{class_id}"}).json()["items"]
    leave_all_classes(world, "teacher")
    assert use(world, made[0]["token"], handle="ada").status_code == 410


def test_whom_an_admin_invited_to_teach_no_teacher_can_invite(world: World) -> None:
    class_id = add_class(world, "other")
    set_role(world.database, world.accounts["other"], "admin")
    body = {"class": f"cls_{class_id}", "role": "teacher"}
    made = invitations(world.browser("other"), **body).json()["items"]
    set_role(world.database, world.accounts["other"], "teacher")
    assert use(world, made[0]["token"], handle="ada").status_code == 410


@pytest.mark.parametrize("what", ["role of the account", "class of the account", "class", "role"])
def test_a_teachers_reset_link_ends_with_the_right_to_make_it(world: World, what: str) -> None:
    """With the link one gets whatever the account has become."""
    add_class(world, "teacher", "learner")
    link = reset(world.browser("teacher"), world, "learner").json()
    assert check(world, link["token"])[0] == 200
    if what == "role of the account":
        set_role(world.database, world.accounts["learner"], "admin")
    elif what == "class of the account":
        leave_all_classes(world, "learner")
    elif what == "class":
        leave_all_classes(world, "teacher")
    else:
        set_role(world.database, world.accounts["teacher"], "learner")
    assert check(world, link["token"])[0] == 410
    assert use(world, link["token"]).status_code == 410


def leave_all_classes(world: World, handle: str) -> None:
    with world.database.write() as connection:
        connection.execute(
            delete(membership).where(membership.c.account_id == world.accounts[handle])
        )


def test_invited_people_choose_no_reserved_handle(world: World) -> None:
    (link,) = invite(world.database, None, Role.LEARNER)
    refused = use(world, link.secret, handle="Ad-Min")
    assert [one["code"] for one in refused.json()["errors"]] == ["handle-reserved"]


def test_an_address_is_told_as_taken_ten_times_only(world: World) -> None:
    """Nobody tries out a list of addresses."""
    with world.database.write() as connection:
        connection.execute(
            update(account)
            .where(account.c.handle == "other")
            .values(email="o@example.org", email_key="o@example.org")
        )
    browser = world.browser("learner")
    tag = browser.get("/api/v1/me").headers["etag"]

    def attempt(**body: Any) -> int:
        return browser.patch("/api/v1/me", json=body, headers={"If-Match": tag}).status_code

    statuses = [attempt(email="o@example.org") for _ in range(11)]
    assert statuses == [409] * 10 + [429]
    assert attempt(display_name="Still me") == 200


@pytest.fixture(params=["invitation", "closed"])
def guarded(request: pytest.FixtureRequest, tmp_path: Path, sqlite_url: str) -> Iterator[World]:
    """A judge on which strangers do not register."""
    settings = Settings(
        data_dir=tmp_path,
        database_url=sqlite_url,
        registration=request.param,
        public_url="https://judge.example",
    )
    with World(settings) as world:
        yield world


def test_where_strangers_do_not_register_invited_people_do(guarded: World) -> None:
    """No worker is ready here: invited people are no strangers, so nobody asks for the tier."""
    mode = guarded.settings.registration
    refused = guarded.anonymous().post(
        "/api/v1/auth/register", json={"handle": "ada", "password": PASSWORD}
    )
    code = "registration-by-invitation" if mode == "invitation" else "registration-closed"
    assert (refused.status_code, refused.json()["code"]) == (403, code)
    by_admin = invitations(guarded.client("admin")).json()["items"][0]
    assert by_admin["url"].startswith("https://judge.example/invitation?token=")
    assert use(guarded, by_admin["token"], handle="ada").status_code == 200
    class_id = add_class(guarded, "teacher")
    by_teacher = invitations(guarded.client("teacher"), **{"class": f"cls_{class_id}"})
    assert by_teacher.status_code == (201 if mode == "invitation" else 403)


def test_where_only_admins_make_accounts_a_teachers_earlier_invitation_is_dead(
    world: World,
) -> None:
    class_id = add_class(world, "teacher")
    made = invitations(world.client("teacher"), **{"class": f"cls_{class_id}"}).json()["items"]
    with world.database.read() as connection:
        select_good_link(connection, made[0]["token"], is_closed=False)
        with pytest.raises(Gone, match="link-expired"):
            select_good_link(connection, made[0]["token"], is_closed=True)
