"""Column types, the clock and the identifiers of the database.

Times are UTC with microseconds and always aware. Identifiers are UUIDv7 (RFC 9562) as 32 lowercase
hex digits: they sort by time of creation, and within one millisecond by a 12-bit fraction of it.
The REST API shows them with a prefix (``sub_…``); the database never stores the prefix.
"""

import secrets
import time
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Integer, String
from sqlalchemy.types import TypeDecorator, TypeEngine

ID_LENGTH = 32
_VERSION_7 = 0x7
_VARIANT = 0b10


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC time with microseconds on SQLite (text) and PostgreSQL (timestamptz)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive times; SQLite stores the UTC wall clock without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive time cannot be stored")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the zone back that SQLite does not keep."""
        if value is None or value.tzinfo is UTC:
            return value
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


def id_type() -> TypeEngine[str]:
    """The type of a column that holds an identifier."""
    return String(ID_LENGTH)


def serial_type() -> TypeEngine[int]:
    """A 64-bit counter; SQLite counts only in a column of exactly INTEGER."""
    return BigInteger().with_variant(Integer(), "sqlite")


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """A fresh UUIDv7 as 32 hex digits."""
    milliseconds, rest_ns = divmod(time.time_ns(), 1_000_000)
    fraction = rest_ns * 4096 // 1_000_000
    value: Any = milliseconds << 80
    value |= _VERSION_7 << 76 | fraction << 64
    value |= _VARIANT << 62 | secrets.randbits(62)
    return f"{value:032x}"
