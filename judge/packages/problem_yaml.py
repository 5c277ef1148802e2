"""problem.yaml: the keys of Kattis' problem package format 2025-09, and nothing of ours.

Owns the model of that file. Keys that this release does not act on (credits, source, validation
limits …) are read and kept, so that a package stays valid elsewhere; problem types that need an
interactive or repeated program are refused.
"""

from datetime import UTC, date, datetime, time
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError

from judge.domain.problem import Localized
from judge.packages.manifest import (
    LocalizedText,
    Manifest,
    PositiveInt,
    PositiveNumber,
    Text,
    plain,
)

# Kattis' language codes on the left, the judge's languages on the right.
LANGUAGES = {"python3": "python", "cpp": "cpp", "java": "java"}
_NOT_OFFERED_TYPES = ("interactive", "multi-pass", "submit-answer")
ConstantName = Annotated[str, StringConstraints(pattern=r"^[a-zA-Z_][a-zA-Z0-9_]*$")]
MAX_CONSTANTS = 50
MAX_CONSTANT_CHARACTERS = 64
ConstantText = Annotated[str, StringConstraints(max_length=MAX_CONSTANT_CHARACTERS)]
Uuid = Annotated[
    str, StringConstraints(pattern=r"^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
]
Multiplier = Annotated[float, Field(ge=1)]


class Person(Manifest):
    """One person in credits."""

    name: Text
    email: Text | None = None
    orcid: Text | None = None
    kattis: Text | None = None


People = Text | Person | tuple[Text | Person, ...]


class Credits(Manifest):
    """Who made the problem."""

    authors: People = ()
    contributors: People = ()
    testers: People = ()
    translators: dict[str, People] = Field(default={})
    packagers: People = ()
    acknowledgements: People = ()


class Source(Manifest):
    """Where the problem was used first."""

    name: Text
    url: Text | None = None


class TimeMultipliers(Manifest):
    """Safety margins between example submissions and the time limit."""

    ac_to_time_limit: Multiplier = 2.0
    time_limit_to_tle: Multiplier = 1.5


class KattisLimits(Manifest):
    """Limits: times in seconds, ``code`` in KiB, all other sizes in MiB."""

    time_limit: PositiveNumber
    memory: PositiveInt = 512
    time_multipliers: TimeMultipliers = TimeMultipliers()
    time_resolution: PositiveNumber = 1.0
    output: PositiveInt | None = None
    code: PositiveInt | None = None
    compilation_time: PositiveInt | None = None
    compilation_memory: PositiveInt | None = None
    validation_time: PositiveInt | None = None
    validation_memory: PositiveInt | None = None
    validation_output: PositiveInt | None = None


class ProblemYaml(Manifest):
    """The whole file."""

    problem_format_version: Literal["2025-09"]
    type: str | tuple[str, ...] = "pass-fail"
    name: Text | LocalizedText
    uuid: Uuid
    version: Text | None = None
    credits: Text | Credits | None = None
    source: Text | Source | tuple[Text | Source, ...] | None = None
    license: Literal[
        "unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"
    ] = "unknown"
    rights_owner: Text | None = None
    embargo_until: datetime | date | None = None
    limits: KattisLimits
    keywords: tuple[Text, ...] = ()
    languages: str | tuple[str, ...] = "all"
    allow_file_writing: bool = False
    constants: dict[ConstantName, int | float | ConstantText] = Field(
        default={}, max_length=MAX_CONSTANTS
    )

    @field_validator("type")
    @classmethod
    def _offered_type(cls, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        for kind in (value,) if isinstance(value, str) else value:
            if kind in _NOT_OFFERED_TYPES:
                raise PydanticCustomError(
                    "not_offered", "type {kind} is not offered by this release", {"kind": kind}
                )
            if kind not in ("pass-fail", "scoring"):
                raise ValueError(f"unknown problem type {kind!r}")
        return value

    @field_validator("languages")
    @classmethod
    def _offered_languages(cls, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        codes = (value,) if isinstance(value, str) else value
        for code in codes:
            if code not in LANGUAGES and value != "all":
                raise PydanticCustomError(
                    "not_offered",
                    "language {code} is not offered by this release; choose from {offered}",
                    {"code": code, "offered": ", ".join(LANGUAGES)},
                )
        if not codes or len(set(codes)) != len(codes):
            raise ValueError("name each language once, and at least one")
        return value

    def embargo_ends_at(self) -> datetime | None:
        """From when on the problem may be published; what has no zone is meant in UTC."""
        until = self.embargo_until
        if until is None:
            return None
        moment = until if isinstance(until, datetime) else datetime.combine(until, time())
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def names(self) -> Localized:
        """Title per locale; a plain string is the English one, as Kattis says."""
        if isinstance(self.name, str):
            return {"en": self.name}
        return plain(self.name)

    def judge_languages(self) -> tuple[str, ...]:
        """The languages in the judge's words, in the order given."""
        if self.languages == "all":
            return tuple(LANGUAGES.values())
        codes = (self.languages,) if isinstance(self.languages, str) else self.languages
        return tuple(LANGUAGES[code] for code in codes)
