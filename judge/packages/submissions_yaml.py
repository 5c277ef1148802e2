"""submissions/submissions.yaml: what each example submission of a package must come to.

Owns the model of that file. Its top-level keys are patterns for files below submissions/; in each,
keys named ``sample`` or ``secret/<group>`` narrow an expectation to a group.
"""

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, RootModel, model_validator
from pydantic_core import PydanticCustomError

from judge.packages.manifest import Manifest, Text

Code = Literal["AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE"]


def _a_list(codes: Any) -> Any:
    """What Pydantic says of one code without its brackets names none of them."""
    if not isinstance(codes, list | tuple):
        allowed = ", ".join(get_args(Code))
        raise PydanticCustomError("no_list", "expected a list of {allowed}", {"allowed": allowed})
    return codes


# The validator below hands over Python objects, in which a YAML list is a list and no tuple.
Codes = Annotated[tuple[Code, ...], Field(strict=False), BeforeValidator(_a_list)]
ScoreRange = Annotated[tuple[float, float], Field(strict=False)]
ALL_CODES: Codes = ("AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE")


class ExpectationYaml(Manifest):
    """Verdicts that may occur, verdicts of which one must occur, score or score range."""

    permitted: Codes = ALL_CODES
    required: Codes = ALL_CODES
    score: float | ScoreRange | None = None
    message: Text | None = None
    use_for_time_limit: bool | Literal["lower", "upper"] | None = None


class SubmissionYaml(ExpectationYaml):
    """One entry; ``groups`` holds the expectations narrowed to a group."""

    language: str | None = None
    entrypoint: str | None = None
    authors: Any = None
    model_solution: bool = False
    groups: dict[str, ExpectationYaml] = Field(default={})

    @model_validator(mode="before")
    @classmethod
    def _collect_groups(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        if "groups" in data:
            raise ValueError("unknown key 'groups'; name a group as secret/<group>")
        of_group = {key: value for key, value in data.items() if is_group_name(key)}
        own = {key: value for key, value in data.items() if key not in of_group}
        return own | {"groups": of_group}


class SubmissionsYaml(RootModel[dict[str, SubmissionYaml]]):
    """The whole file: pattern to entry."""


def is_group_name(key: str) -> bool:
    """Whether a key of an entry names a test group (or a pattern of groups)."""
    return key == "sample" or key.startswith("secret")
