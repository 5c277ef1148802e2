"""judge.yaml: everything that Kattis' format has no place for.

Owns the model of that file and its translation into a signature and a checker. Keys of later
releases (reveal rules, own input, mutants) are read and kept; modes and checkers that this
release cannot judge are refused with a sentence that says so.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator
from pydantic_core import PydanticCustomError

from judge.domain.problem import CheckerSpec
from judge.packages.manifest import (
    Locale,
    LocalizedText,
    Manifest,
    PositiveInt,
    PositiveNumber,
    Text,
    Word,
)

_LATER_CHECKERS = ("set", "multiset", "distribution", "custom")
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Tolerance = Annotated[float, Field(ge=0)]
GroupName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]


class SignatureYaml(Manifest):
    """The learner's function; types in the grammar of judge.domain.signatures.

    ``result_names`` are what the call of a sample names the parts of the returned tuple.
    """

    name: Identifier
    params: dict[str, str]
    returns: str
    display_order: tuple[str, ...] = ()
    result_names: tuple[str, ...] = ()
    docs: dict[Locale, dict[str, Text]] = Field(default={})


class CheckerYaml(Manifest):
    """How a returned value is compared."""

    kind: Literal["exact", "close"]
    abs_tolerance: Tolerance | None = Field(default=None, alias="abs")
    rel_tolerance: Tolerance | None = Field(default=None, alias="rel")
    nan_equal: bool = False

    @model_validator(mode="before")
    @classmethod
    def _offered(cls, data: Any) -> Any:
        kind = data.get("kind") if isinstance(data, dict) else None
        if kind in _LATER_CHECKERS:
            raise PydanticCustomError(
                "not_offered",
                "checker kind {kind} is not offered by this release; use exact or close",
                {"kind": kind},
            )
        return data

    @model_validator(mode="after")
    def _numbers_fit_kind(self) -> "CheckerYaml":
        numbers = (self.abs_tolerance, self.rel_tolerance)
        if self.kind == "exact" and (numbers != (None, None) or self.nan_equal):
            raise ValueError("an exact checker takes no tolerance")
        return self

    def spec(self) -> CheckerSpec:
        """The checker in the domain's words; close defaults to 1e-9 both ways."""
        if self.kind == "exact":
            return CheckerSpec("exact")
        absolute = 1e-9 if self.abs_tolerance is None else self.abs_tolerance
        relative = 1e-9 if self.rel_tolerance is None else self.rel_tolerance
        return CheckerSpec("close", absolute, relative, self.nan_equal)


class MarginYaml(Manifest):
    """Smallest distance from a decision edge that margins.py may report for a case."""

    min: PositiveNumber


class AfterN(Manifest):
    """Opens after a number of submissions."""

    after_n: PositiveInt


RevealRule = Literal["never", "always", "after_submit", "after_accept"] | AfterN


class RevealYaml(Manifest):
    """When hints and solution open, and how many failed hidden cases may be revealed."""

    hints: RevealRule = "after_submit"
    solution: RevealRule = "after_submit"
    cases: Annotated[int, Field(ge=0)] = 0


class LanguageLimits(Manifest):
    """What differs for one language: ``time_factor`` multiplies the CPU time limit."""

    time_factor: PositiveNumber = 1.0


class LimitsYaml(Manifest):
    """Limits that Kattis has no key for."""

    per_language: dict[Literal["python", "cpp", "java"], LanguageLimits] = Field(default={})
    stdout_kib: PositiveInt = 64
    result_mib: PositiveInt = 8


class CustomInputYaml(Manifest):
    """Whether own input may show the reference's answer."""

    reference: bool = False


class MutantsYaml(Manifest):
    """Which wrong submissions must fail."""

    required_kill: Literal["all"] = "all"


class GroupYaml(Manifest):
    """Title of a hidden group, and the hint shown when one of its cases fails."""

    title: LocalizedText
    hint: LocalizedText = Field(default={})


class JudgeYaml(Manifest):
    """The whole file."""

    format: Literal["judge/1"]
    mode: Literal["function", "stdio"] = "function"
    signature: SignatureYaml
    checker: CheckerYaml
    margin: MarginYaml | None = None
    points: Annotated[int, Field(gt=0, le=100_000)] = 100
    topics: tuple[Word, ...] = ()
    prerequisites: tuple[Word, ...] = ()
    visibility: Literal["draft", "staff", "class", "public"] = "draft"
    reveal: RevealYaml = RevealYaml()
    limits: LimitsYaml = LimitsYaml()
    custom_input: CustomInputYaml = CustomInputYaml()
    mutants: MutantsYaml = MutantsYaml()
    groups: dict[GroupName, GroupYaml] = Field(default={})

    @field_validator("mode")
    @classmethod
    def _offered_mode(cls, value: str) -> str:
        if value == "stdio":
            raise PydanticCustomError(
                "not_offered", "mode stdio is not offered by this release; use mode function"
            )
        return value
