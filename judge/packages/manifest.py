"""From a YAML file of a package to a checked, frozen model.

Owns the common model settings and the translation of Pydantic's errors into findings with file
and line. It knows no key of any file: those stand in problem_yaml, judge_yaml, data_yaml and
submissions_yaml.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from judge.domain.problem import Localized
from judge.errors import Finding, PackageInvalid
from judge.packages.files import PackageFiles
from judge.packages.yaml_text import Location, YamlText, parse_yaml

Locale = Literal["vi", "ja", "en"]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
LocalizedText = dict[Locale, Text]
PositiveNumber = Annotated[float, Field(gt=0)]
PositiveInt = Annotated[int, Field(gt=0)]
# A prerequisite names a problem (snake_case) or a concept (kebab-case).
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$", max_length=64)]


class Manifest(BaseModel):
    """Base of all package models: closed, frozen, and strict about types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


Model = TypeVar("Model", bound=BaseModel)


_CODES = {
    "extra_forbidden": "unknown-key",
    "missing": "missing-key",
    "not_offered": "not-offered",
}


def plain(text: LocalizedText) -> Localized:
    """Text by locale in the domain's words."""
    return {str(locale): value for locale, value in text.items()}


def read_yaml(files: PackageFiles, path: str, report: list[Finding]) -> YamlText | None:
    """Parse a YAML file; None, with a finding in ``report``, where it is missing or broken."""
    if path not in files:
        report.append(Finding("missing-file", path, "the package needs this file"))
        return None
    try:
        return parse_yaml(path, files[path])
    except PackageInvalid as error:
        report.extend(error.findings)
        return None


def check_model(document: YamlText, model: type[Model], report: list[Finding]) -> Model | None:
    """Check parsed YAML against a model; None, with findings in ``report``, where it fails."""
    try:
        # By way of JSON, because Pydantic's strict mode takes lists for tuples only there.
        return model.model_validate_json(json.dumps(document.data))
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        report.extend(_findings(document, details))
        return None


def read_model(
    files: PackageFiles, path: str, model: type[Model], report: list[Finding]
) -> Model | None:
    """Parse and check one YAML file of a package."""
    document = read_yaml(files, path, report)
    return None if document is None else check_model(document, model, report)


def _findings(document: YamlText, details: Iterable[ErrorDetails]) -> Iterator[Finding]:
    """One finding a place: what the members of a union say about it is joined."""
    messages: dict[tuple[str, Location], list[str]] = {}
    for detail in details:
        # Pydantic adds the names of union members to a location; they are no keys of the file.
        known = document.known(detail["loc"])
        if detail["type"] == "missing":
            known = (*known, detail["loc"][-1])
        code = _CODES.get(detail["type"], "bad-value")
        message = detail["msg"].removeprefix("Value error, ")
        messages.setdefault((code, known), []).append(message)
    for (code, known), said in messages.items():
        key = ".".join(map(str, known))
        message = {
            "unknown-key": f"unknown key {key!r} in {document.path}",
            "missing-key": f"key {key!r} is missing in {document.path}",
        }.get(code, f"{key}: {' or '.join(said)}" if key else " or ".join(said))
        yield Finding(code, document.where(known), message)
