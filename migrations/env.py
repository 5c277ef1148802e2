"""Runs the migrations on the connection that judge.db.migrate hands in.

The alembic command line works too: ``alembic -x url=sqlite:///some.db revision --autogenerate``.
"""

from alembic import context
from sqlalchemy import Connection

from judge.db.engine import Database
from judge.db.tables import metadata


def run(connection: Connection) -> None:
    """Migrate inside the transaction that is already open."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        compare_type=True,
        render_as_batch=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


handed_in = context.config.attributes.get("connection")
if handed_in is not None:
    run(handed_in)
else:
    url = context.get_x_argument(as_dictionary=True)["url"]
    with Database(url) as database, database.write() as own_connection:
        run(own_connection)
