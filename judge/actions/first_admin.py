"""The link by which the first admin makes its account: for whoever runs the judge."""

from judge.actions.links import FIRST_ADMIN, NewLink, end_links, make_link
from judge.db.engine import Database
from judge.db.queries.accounts import count_active_admins
from judge.db.tables import one_time_link
from judge.domain.access import Role
from judge.errors import Conflict


def offer_first_admin(database: Database) -> NewLink:
    """A new link for the first admin; the one that was made before ends, so that one counts.

    Raises:
        Conflict: ``admin-exists``.
    """
    with database.write() as connection:
        if count_active_admins(connection):
            raise Conflict("admin-exists")
        end_links(connection, one_time_link.c.purpose == FIRST_ADMIN)
        return make_link(connection, FIRST_ADMIN, Role.ADMIN)
