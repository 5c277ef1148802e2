"""The connection to the database: the only place of the project that commits.

One ``write()`` is one transaction: it commits when the block ends and rolls back when the block
raises. ``read()`` never commits, and the database itself refuses to write inside it.

SQLite: WAL lets readers go on beside the one writer. A write transaction takes its lock at the
start (BEGIN IMMEDIATE): a transaction that first reads and then writes cannot be refused halfway,
and what it read stays true until it commits. PostgreSQL: READ COMMITTED; whoever computes from
rows that others may change locks them (judge.db.queries names where).

A full disk, a lock that is never given and a server that is gone leave both as StorageUnavailable,
so that nobody above needs to know SQLAlchemy's errors.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, literal, make_url, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from judge.errors import Misconfigured, StorageUnavailable

BUSY_TIMEOUT_MS = 15_000
# A host that drops packets must not hold a start or a probe up for minutes.
CONNECT_TIMEOUT_S = 10
POOL_SIZE = 10
# Web threads (40 in the threadpool) queue for connections rather than open ever more of them.
POOL_OVERFLOW = 10
_WRITES = "judge_writes"
# What PostgreSQL says to a write where it is a standby, or was made read-only.
_READ_ONLY = "25006"
# A transaction's number needs a commit in the log; of one that is read-only it proves nothing.
_PROBE = "SELECT pg_current_xact_id() WHERE current_setting('transaction_read_only') = 'off'"
# SQLite calls a wrong statement "operational" too; these primary codes are about the file.
_SQLITE_STORAGE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)


class Database:
    """An engine with two ways in: ``read()`` and ``write()``.

    Args:
        url: an SQLAlchemy URL of SQLite or PostgreSQL; for the latter psycopg is the driver.

    Raises:
        Misconfigured: the URL names no database that the judge can use, or no place for its file.
    """

    def __init__(self, url: str) -> None:
        self.url = _normal_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._engine = _sqlite_engine(self.url) if self.is_sqlite else _postgresql_engine(self.url)
        self._readers = self._engine.execution_options(
            **({} if self.is_sqlite else {"postgresql_readonly": True})
        )
        self._writers = self._engine.execution_options(**{_WRITES: True})

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the database and cannot change it.

        Raises:
            StorageUnavailable: the database cannot be read now.
        """
        with _storage_errors(), self._readers.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: committed at the end of the block, rolled back if it raises.

        Raises:
            StorageUnavailable: nothing can be written now.
        """
        with (
            _storage_errors(writes=True),
            self._writers.connect() as connection,
            connection.begin() as transaction,
        ):
            yield connection
            transaction.commit()

    def answers(self) -> bool:
        """Whether the database can be reached now."""
        try:
            self.check()
        except Misconfigured:
            return False
        return True

    def takes_writes(self) -> bool:
        """Whether a small write is possible now; SQLite writes one page, PostgreSQL a commit."""
        try:
            with self.write() as connection:
                if self.is_sqlite:
                    connection.exec_driver_sql("PRAGMA user_version = 0")
                    return True
                return connection.exec_driver_sql(_PROBE).one_or_none() is not None
        except (StorageUnavailable, SQLAlchemyError):
            return False

    def check(self) -> None:
        """Reach the database.

        Raises:
            Misconfigured: it cannot be reached, or is none; says why in one line.
        """
        try:
            with self.read() as connection:
                connection.scalar(select(literal(1)))
        except (StorageUnavailable, SQLAlchemyError) as error:
            name = self.url.render_as_string(hide_password=True)
            raise Misconfigured(f"cannot use the database {name}: {_first_line(error)}") from None

    def close(self) -> None:
        """Close every pooled connection."""
        self._engine.dispose()

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _storage_errors(*, writes: bool = False) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        # Inside read() a refused write is our own mistake.
        is_refused_write = writes and _sqlstate(error) == _READ_ONLY
        if not is_refused_write and not _is_of_storage(error):
            raise
        raise StorageUnavailable(f"the database cannot be used now: {_first_line(error)}") from None


def _is_of_storage(error: SQLAlchemyError) -> bool:
    if isinstance(error, PoolTimeout):
        return True
    if not isinstance(error, OperationalError):
        return isinstance(error, DBAPIError) and error.connection_invalidated
    code = getattr(error.orig, "sqlite_errorcode", None)
    # An extended result code holds the primary one in its low byte.
    return code is None or code & 0xFF in _SQLITE_STORAGE


def _sqlstate(error: SQLAlchemyError) -> str | None:
    return getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None


def _first_line(error: Exception) -> str:
    """The driver's own words; SQLAlchemy's add the statement and a link."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return (str(cause) or type(cause).__name__).partition("\n")[0].strip()


def _normal_url(text: str) -> URL:
    try:
        url = make_url(text)
    except ArgumentError:
        # The text may hold a password: it is not repeated.
        raise Misconfigured("the database's address is no URL such as sqlite:///judge.db") from None
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite":
        return url
    raise Misconfigured(f"{url.drivername}: the judge works with SQLite and PostgreSQL")


def _postgresql_engine(url: URL) -> Engine:
    engine = create_engine(
        url,
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        pool_pre_ping=True,
        # Times come back in the session's zone: those of UTC need not be converted.
        connect_args={"connect_timeout": CONNECT_TIMEOUT_S, "options": "-c timezone=UTC"},
    )
    event.listen(engine, "checkin", _forget_mode)
    return engine


def _forget_mode(connection: Any, _record: object) -> None:
    """Begin the next transaction in the server's own mode.

    What a reader leaves behind would ask for READ WRITE by name: that overrules an operator who
    made the database read-only, and a standby refuses it as something it does not know.
    """
    if connection is not None and connection.info.transaction_status.name == "IDLE":
        connection.read_only = None


def _sqlite_engine(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        raise Misconfigured("the judge needs a database file: its processes share it")
    _make_file(Path(url.database))
    engine = create_engine(
        url,
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        connect_args={"timeout": BUSY_TIMEOUT_MS / 1000, "check_same_thread": False},
    )
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_file(path: Path) -> None:
    """An empty database file that only its owner reads; SQLite gives -wal and -shm its mode."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise Misconfigured(f"cannot make the database file {path}: {error.strerror}") from None


def _set_up_sqlite(connection: Any, _record: object) -> None:
    # The driver must not begin transactions of its own: _begin_sqlite chooses the kind.
    connection.isolation_level = None
    cursor = connection.cursor()
    # What is erased is to be gone from the file too, not only from its tables.
    pragmas = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON")
    for pragma in pragmas:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = bool(connection.get_execution_options().get(_WRITES))
    connection.exec_driver_sql(f"PRAGMA query_only={'OFF' if writes else 'ON'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
