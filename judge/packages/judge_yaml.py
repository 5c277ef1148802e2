"""judge.yaml: everything that Kattis' format has no place for.

Owns the model of that file and its translation into a signature and a checker. Keys of later
releases (reveal rules, own input, mutants) are read and kept; modes and checkers that this
release cannot judge are refused with a sentence that says so.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from judge.domain.checkers.fit import misfit
from judge.domain.checkers.tokens import SMALLEST_TOLERANCE
from judge.domain.problem import CheckerSpec, Mode
from judge.domain.scoring import MAX_POINTS
from judge.domain.signatures import Signature, SignatureError, make_signature
from judge.packages.manifest import (
    Locale,
    LocalizedText,
    Manifest,
    PositiveInt,
    PositiveNumber,
    Text,
    Word,
)

MAX_WORDS = 50
Words = Annotated[tuple[Word, ...], Field(max_length=MAX_WORDS)]
_TOLERANCES = frozenset({"abs_tolerance", "rel_tolerance"})
_KEYS_OF_KINDS: dict[str, frozenset[str]] = {
    "exact": frozenset(),
    "close": _TOLERANCES | {"nan_equal"},
    "set": _TOLERANCES | {"nan_equal"},
    "multiset": _TOLERANCES | {"nan_equal"},
    "permutation": _TOLERANCES | {"nan_equal", "key"},
    "tokens": _TOLERANCES | {"case_sensitive", "space_sensitive"},
    "custom": frozenset({"image"}),
    "distribution": frozenset({"draws", "uniforms", "per_draw"}),
}
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

    def signature(self) -> Signature:
        """The signature in the domain's words.

        Raises:
            SignatureError: a name or a type that the grammar does not allow.
        """
        return make_signature(
            self.name, self.params, self.returns, self.display_order, self.result_names
        )


class CheckerYaml(Manifest):
    """How a returned value is compared.

    Which keys a kind takes stands in ``_KEYS_OF_KINDS``; a key of another kind is refused, because
    it would say something that is not done. ``image`` names what a custom checker is written in.
    """

    kind: Literal[
        "exact", "close", "set", "multiset", "permutation", "tokens", "custom", "distribution"
    ]
    abs_tolerance: Tolerance | None = Field(default=None, alias="abs")
    rel_tolerance: Tolerance | None = Field(default=None, alias="rel")
    nan_equal: bool = False
    key: Annotated[str, StringConstraints(pattern=r"^(?:[a-z][a-z0-9_]{0,63}|[0-9]{1,3})$")] = ""
    case_sensitive: bool = False
    space_sensitive: bool = False
    image: Literal["python", "cpp"] = "python"
    draws: Annotated[int, Field(ge=100, le=1_000_000)] = 5000
    uniforms: Identifier = ""
    per_draw: Annotated[int, Field(gt=0, le=10_000)] = 1

    @model_validator(mode="after")
    def _keys_fit_kind(self) -> "CheckerYaml":
        taken = _KEYS_OF_KINDS[self.kind]
        for name in sorted(self.model_fields_set - {"kind"} - taken):
            key = name.removesuffix("_tolerance")
            what = "tolerance" if key in ("abs", "rel") else f"key {key!r}"
            article = "an" if self.kind == "exact" else "a"
            raise ValueError(f"{article} {self.kind} checker takes no {what}")
        if self.kind == "distribution" and not self.uniforms:
            raise ValueError("uniforms must name the parameter that gets the random numbers")
        return self

    def spec(self) -> CheckerSpec:
        """The checker in the domain's words; close defaults to 1e-9 both ways, others to 0."""
        is_distribution = self.kind == "distribution"
        return CheckerSpec(
            kind=self.kind,
            abs_tolerance=self._tolerance(self.abs_tolerance),
            rel_tolerance=self._tolerance(self.rel_tolerance),
            nan_equal=self.nan_equal,
            key=self.key,
            case_sensitive=self.case_sensitive,
            space_sensitive=self.space_sensitive,
            draws=self.draws if is_distribution else 0,
            uniforms=self.uniforms,
            per_draw=self.per_draw if is_distribution else 0,
        )

    def _tolerance(self, stated: float | None) -> float:
        if stated is None:
            return 1e-9 if self.kind == "close" else 0.0
        return max(stated, SMALLEST_TOLERANCE) if self.kind == "tokens" else stated


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


class EquivalentMutant(Manifest):
    """A generated mutant that always answers as the reference does, and why.

    ``id`` is its name in the proof: ``operator:line:column:n``.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[a-z-]+(:[0-9]+){3}$", max_length=64)]
    reason: Text


class MutantsYaml(Manifest):
    """Every generated mutant of the reference must fail, but those that cannot."""

    required_kill: Literal["all"] = "all"
    equivalent: tuple[EquivalentMutant, ...] = ()

    @field_validator("equivalent")
    @classmethod
    def _each_once(cls, value: tuple[EquivalentMutant, ...]) -> tuple[EquivalentMutant, ...]:
        ids = [mutant.id for mutant in value]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise PydanticCustomError("twice", "{id} is declared twice", {"id": twice[0]})
        return value


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
    points: Annotated[int, Field(gt=0, le=MAX_POINTS)] = 100
    topics: Words = ()
    prerequisites: Words = ()
    visibility: Literal["draft", "staff", "class", "public"] = "draft"
    reveal: RevealYaml = RevealYaml()
    limits: LimitsYaml = LimitsYaml()
    custom_input: CustomInputYaml = CustomInputYaml()
    mutants: MutantsYaml = MutantsYaml()
    groups: dict[GroupName, GroupYaml] = Field(default={})

    @field_validator("signature")
    @classmethod
    def _signature_fits_mode(cls, value: SignatureYaml, info: ValidationInfo) -> SignatureYaml:
        is_program = value.params == {"input": "str"} and value.returns == "str"
        mode = info.data.get("mode")
        if mode == Mode.STDIO and not is_program:
            raise ValueError("a stdio problem states params {input: str} and returns str")
        if mode == Mode.FUNCTION and is_program and value.name == Mode.STDIO:
            raise ValueError("such a function cannot have the name that programs have")
        return value

    @field_validator("checker")
    @classmethod
    def _checker_fits(cls, value: CheckerYaml, info: ValidationInfo) -> CheckerYaml:
        mode, stated = info.data.get("mode"), info.data.get("signature")
        if mode is None or stated is None:
            return value
        try:
            signature = stated.signature()
        except SignatureError:
            return value  # reported where the signature is read
        if sentence := misfit(value.spec(), Mode(mode), signature):
            raise ValueError(sentence)
        return value
