"""docs/reference/package.md names every finding and every key that there is."""

import re
from pathlib import Path
from typing import get_args

from judge.api import intake
from judge.domain.scoring import MAX_POINTS
from judge.domain.signatures import (
    DTYPES,
    MAX_TYPE_DEPTH,
    SCALAR_NAMES,
    ValueType,
    parse_signature,
)
from judge.grading.proof import report_json
from judge.harness import cpp, java, python
from judge.packages import case_json, cases, files, findings, texts, yaml_text
from judge.packages.intake import child, examine
from judge.packages.judge_yaml import MAX_WORDS, CheckerYaml, JudgeYaml

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "reference" / "package.md").read_text(encoding="utf-8")
_CODE = re.compile(r"(?:Finding|Fault)\(\s*\"([a-z0-9-]+)\"|\"code\": \"([a-z-]+)\"")


def test_every_finding_is_told_and_no_other() -> None:
    sources = [
        path
        for folder in ("packages", "grading", "actions")
        for path in (ROOT / "judge" / folder).rglob("*.py")
    ]
    used = {
        first or second
        for path in sources
        for first, second in _CODE.findall(path.read_text(encoding="utf-8"))
    }
    # Those of Pydantic's errors are made from a table.
    used |= {"missing-key", "unknown-key", "bad-value"}
    told = set(re.findall(r"`([a-z0-9-]+)`", TEXT.partition("\n## Findings\n")[2]))
    assert told - {"id", "not-offered"} == used - {"not-offered"}


def test_every_key_of_judge_yaml_is_told() -> None:
    section = TEXT.partition("\n## judge.yaml\n")[2].partition("\n## ")[0]
    told = set(re.findall(r"`([a-z_]+)`", section))
    assert set(JudgeYaml.model_fields) <= told


def test_every_kind_of_checker_is_told() -> None:
    section = TEXT.partition("\n## Checkers\n")[2].partition("\n## ")[0]
    kinds = set(re.findall(r"^\| `([a-z]+)` \|", section, re.M))
    assert kinds == set(CheckerYaml.model_fields["kind"].annotation.__args__)


def test_every_limit_is_told_with_its_finding() -> None:
    section = TEXT.partition("\n## Limits\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    for code, limits in {
        "package-too-large": (
            files.MAX_ENTRIES,
            files.MAX_PACKED_BYTES,
            files.MAX_UNPACKED_BYTES,
            examine.MAX_STORED_CASE_BYTES,
        ),
        "too-many-cases": (cases.MAX_CASES, cases.MAX_GROUPS),
        "too-much-data": (cases.MAX_TEXT_DATA_BYTES, cases.MAX_ARRAY_DATA_BYTES),
        "bad-case": (case_json.MAX_JSON_BYTES,),
        "text-too-large": (texts.MAX_TEXT_BYTES,),
        "texts-too-large": (texts.MAX_TEXTS_BYTES,),
        "bad-yaml": (yaml_text.MAX_YAML_BYTES,),
        "package-too-costly": (child.CPU_S, round(intake.LONGEST_S)),
        "more-findings": (
            findings.MAX_FINDINGS,
            findings.MAX_MESSAGE_CHARACTERS,
            report_json.MAX_REPORT_BYTES,
        ),
    }.items():
        told = " ".join(row for row in rows if f"`{code}`" in row)
        for limit in limits:
            assert re.search(rf"\b{limit}\b", told), (code, limit)
    assert child.ADDRESS_SPACE_BYTES == 1.5 * 2**30
    assert f"1 to {MAX_POINTS}" in TEXT
    assert f"at most {MAX_WORDS} words" in TEXT


def test_every_type_is_told_as_the_starter_code_writes_it() -> None:
    section = TEXT.partition("\n## Types\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    kinds = set()
    for row in rows:
        told = [re.findall(r"`([^`]+)`", cell.replace("\\|", "|")) for cell in row]
        signature = parse_signature(f"f(x: {told[0][0]}) -> {told[0][0]}")
        (parameter,) = signature.parameters
        kinds.add(type(parameter.type))
        assert told[1:] == [
            [python.annotation(parameter.type)],
            [cpp.parameter_declaration(parameter).removesuffix(" x")],
            [cpp.type_name(signature.returns)],
            [java.method_types(signature)[0], *java.record_declarations(signature)],
        ]
        types = java.method_types(signature)
        assert types[0] == types[1]
    assert kinds == set(get_args(ValueType))
    told_types = {row[0].strip("| `") for row in rows}
    assert set(SCALAR_NAMES) <= told_types
    assert {f"ndarray[{dtype}" for dtype in DTYPES} <= {each.split(",")[0] for each in told_types}
    assert f"up to {MAX_TYPE_DEPTH} levels" in section
