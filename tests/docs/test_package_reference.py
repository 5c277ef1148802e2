"""docs/reference/package.md names every finding and every key that there is."""

import re
from pathlib import Path

from judge.packages.judge_yaml import CheckerYaml, JudgeYaml

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
