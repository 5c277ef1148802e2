"""test_group.yaml and <case>.yaml: the Kattis keys of test data that the judge acts on."""

from typing import Annotated, Any

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from judge.packages.manifest import Manifest, Text


class TestGroupYaml(Manifest):
    """One group's scoring: all of ``max_score`` or nothing."""

    __test__ = False

    max_score: Annotated[int, Field(ge=0)] = 0
    score_aggregation: str = "pass-fail"
    require_pass: str | tuple[str, ...] = ()
    full_feedback: bool | None = None

    @field_validator("max_score", mode="before")
    @classmethod
    def _bounded(cls, value: Any) -> Any:
        if value == "unbounded":
            raise PydanticCustomError(
                "not_offered", "max_score unbounded is not offered by this release"
            )
        return value

    @field_validator("score_aggregation")
    @classmethod
    def _pass_fail(cls, value: str) -> str:
        if value != "pass-fail":
            raise PydanticCustomError(
                "not_offered",
                "score_aggregation {value} is not offered by this release; use pass-fail",
                {"value": value},
            )
        return value

    def required_groups(self) -> tuple[str, ...]:
        """Names of the groups that must pass before this one scores."""
        return (self.require_pass,) if isinstance(self.require_pass, str) else self.require_pass


class RootGroupYaml(Manifest):
    """data/test_group.yaml: what a Kattis output validator is called with in every case."""

    output_validator_args: tuple[str, ...] = ()


class TestCaseYaml(Manifest):
    """One case: a hint for who failed it, and whether its input may be shown then."""

    __test__ = False

    full_feedback: bool | None = None
    hint: Text | None = None
    description: Text | None = None
