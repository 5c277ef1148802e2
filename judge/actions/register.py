"""Registering: a person makes its own account and is signed in."""

from judge.actions.accounts import NewAccount, check_account, insert_account, one_of_each
from judge.actions.audit import add_audit
from judge.actions.passwords import hash_password
from judge.actions.sessions import Origin, SignedIn, open_session
from judge.db.engine import Database
from judge.domain.access import Caller, Role


def register_account(database: Database, new: NewAccount, origin: Origin) -> SignedIn:
    """Make a learner's account and open its first session.

    Raises:
        Invalid: a field breaks its rule, or the handle is reserved; every such field is named.
        Conflict: the handle or the e-mail address is taken.
    """
    check_account(new, is_own_choice=True)
    secret_hash = hash_password(new.password)
    with one_of_each(database, new.handle), database.write() as connection:
        account = insert_account(connection, new, Role.LEARNER, secret_hash)
        actor = Caller(account.id, account.handle, account.role, ip_prefix=origin.ip_prefix)
        add_audit(connection, actor, "account.register", f"account:{account.id}", {}, {})
        return SignedIn(account, open_session(connection, account.id, origin))
