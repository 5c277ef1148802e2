"""Reads a container engine's seccomp table as the engine does, without an engine and a kernel.

The form is that of Docker: rules with names, an action and conditions on arguments; what no rule
matches gets the default action. A key that this reader does not know is an error, so that it never
takes a condition for nothing.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ALLOW = "SCMP_ACT_ALLOW"
_WORD = 2**64
_COMPARE = {
    "SCMP_CMP_NE": lambda got, value, _: got != value,
    "SCMP_CMP_LT": lambda got, value, _: got < value,
    "SCMP_CMP_LE": lambda got, value, _: got <= value,
    "SCMP_CMP_EQ": lambda got, value, _: got == value,
    "SCMP_CMP_GE": lambda got, value, _: got >= value,
    "SCMP_CMP_GT": lambda got, value, _: got > value,
    "SCMP_CMP_MASKED_EQ": lambda got, value, second: got & value == second,
}
_OF_TABLE = {"defaultAction", "defaultErrnoRet", "syscalls"}
_OF_RULE = {"comment", "names", "action", "args"}
_OF_CONDITION = {"index", "value", "valueTwo", "op"}


@dataclass(frozen=True)
class SeccompTable:
    """One table."""

    content: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> "SeccompTable":
        content = json.loads(path.read_text(encoding="utf-8"))
        _check_keys(content, _OF_TABLE)
        for rule in content["syscalls"]:
            _check_keys(rule, _OF_RULE)
            for condition in rule.get("args", ()):
                _check_keys(condition, _OF_CONDITION)
        return cls(content)

    def allows(self, name: str, *arguments: int) -> bool:
        """Whether a call goes through; arguments that are not given are 0."""
        matching = {
            rule["action"]
            for rule in self.content["syscalls"]
            if name in rule["names"] and _matches(rule, arguments)
        }
        assert len(matching) < 2, f"the rules for {name} contradict each other"
        return (matching.pop() if matching else self.content["defaultAction"]) == ALLOW

    def names(self) -> list[str]:
        """Every name in every rule, as often as it stands there."""
        return [name for rule in self.content["syscalls"] for name in rule["names"]]


def _matches(rule: dict[str, Any], arguments: tuple[int, ...]) -> bool:
    padded = (*arguments, *(0 for _ in range(6 - len(arguments))))
    return all(
        _COMPARE[one["op"]](padded[one["index"]] % _WORD, one["value"], one.get("valueTwo", 0))
        for one in rule.get("args", ())
    )


def _check_keys(found: dict[str, Any], known: set[str]) -> None:
    assert found.keys() <= known, f"unknown: {sorted(found.keys() - known)}"
