"""Times in an address's query."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import WithJsonSchema

from judge.errors import Invalid, flaw

# A text here, for Pydantic's own reading would take numbers and times without a zone as well.
QueryMoment = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]


def read_query_moment(name: str, text: str) -> datetime:
    """A time with its zone, in UTC.

    Raises:
        Invalid: it is none, has no zone, or lies outside the years that can be expressed.
    """
    # An address spells a space as a plus sign: +09:00 that was not escaped arrives with a space.
    head, space, zone = text.strip().rpartition(" ")
    if space and ":" in head:
        text = f"{head}+{zone}"
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None:
            raise Invalid("invalid-time", flaw(f"/query/{name}", "time-zone-missing"))
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid("invalid-time", flaw(f"/query/{name}", "time")) from None
