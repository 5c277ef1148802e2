"""Changing what an account says about itself."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import update

from judge.actions.accounts import one_of_each, profile_flaws
from judge.db.engine import Database
from judge.db.queries.accounts import Account, find_email, lock_account, select_account
from judge.db.tables import account
from judge.errors import Conflict, Invalid


@dataclass(frozen=True)
class Profile:
    """What people may change of their own account, whole.

    A new time zone is that of days to come: a submission keeps the day that it was stored with.
    """

    display_name: str
    email: str | None
    locale: str
    time_zone: str
    prefs: Mapping[str, object]


def profile_of(owner: Account) -> Profile:
    """The profile as it is now."""
    return Profile(
        display_name=owner.display_name,
        email=owner.email,
        locale=owner.locale,
        time_zone=owner.time_zone,
        prefs=owner.prefs,
    )


def change_profile(database: Database, before: Account, profile: Profile) -> Account:
    """Replace the profile of the account that was read as ``before``.

    Raises:
        Invalid: a field breaks its rule; every such field is named.
        Conflict: ``account-changed``, if it is no longer as it was; the address is taken.
    """
    flaws = tuple(
        profile_flaws(profile.email, profile.display_name, profile.locale, profile.time_zone)
    )
    if flaws:
        raise Invalid("invalid-account", *flaws, variant="change")
    email = profile.email or None
    values = {
        **asdict(profile),
        "display_name": profile.display_name or before.handle,
        "email": email,
        "email_key": email.lower() if email else None,
    }
    with one_of_each(database), database.write() as connection:
        lock_account(connection, before.id)
        if select_account(connection, before.id) != before:
            raise Conflict("account-changed")
        other = find_email(connection, email) if email else None
        if other is not None and other.id != before.id:
            raise Conflict("email-taken")
        connection.execute(update(account).where(account.c.id == before.id).values(values))
        return select_account(connection, before.id)
