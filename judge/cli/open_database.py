"""The database and the bell, as the commands of whoever runs the judge need them."""

from collections.abc import Iterator
from contextlib import contextmanager

from judge.cli.exits import error_exits
from judge.cli.start import open_settings
from judge.db import migrate
from judge.db.engine import Database
from judge.queue.wakeup import Bell


@contextmanager
def open_database() -> Iterator[tuple[Database, Bell]]:
    """The migrated database and the bell; a refusal becomes a message and an exit status."""
    with error_exits():
        settings = open_settings()
        with Database(settings.database_url) as database:
            migrate.upgrade_database(database)
            yield database, Bell(settings.data_dir / "bell")
