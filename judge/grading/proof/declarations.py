"""What to paste into judge.yaml to declare mutants equivalent.

Owns the wording of a declaration. Whether one holds is judge.grading.proof.mutants' question.
"""

import re
from collections.abc import Sequence

from judge.packages.files import PackageFiles
from judge.packages.rules.placeholders import MARKS
from judge.packages.yaml_text import Location, YamlText

# Lint names it as a placeholder until somebody has written the reason.
_REASON = f"{MARKS[0]}: why no input tells it from the reference)"
_KEYS: Location = ("mutants", "equivalent")
_INDENT = re.compile(r" *(?=- )")


def declaration(files: PackageFiles, judge_yaml: YamlText, ids: Sequence[str]) -> str:
    """Lines that declare mutants equivalent, under a comment with their place; empty for none.

    What judge.yaml has of ``mutants`` and ``equivalent`` already is not repeated, and what is there
    decides how far an entry is indented.
    """
    if not ids:
        return ""
    known = judge_yaml.known(_KEYS)
    place = f"{judge_yaml.where(known)}, below {'.'.join(map(str, known))}"
    if known == _KEYS and (*_KEYS, 0) not in judge_yaml.lines:
        place += ", in place of []"
    lines = [f"# {place}" if known else f"# {judge_yaml.path}, at its end"]
    lines += ["  " * depth + f"{key}:" for depth, key in enumerate(_KEYS) if depth >= len(known)]
    indent = _indent(files, judge_yaml)
    for id_ in ids:
        lines += [f'{indent}- id: "{id_}"', f'{indent}  reason: "{_REASON}"']
    return "\n".join(lines) + "\n"


def _indent(files: PackageFiles, judge_yaml: YamlText) -> str:
    """That of the entries that are there; else as the documents have it."""
    first = judge_yaml.lines.get((*_KEYS, 0))
    if first is None:
        return " " * 4
    line = files[judge_yaml.path].decode("utf-8-sig").splitlines()[first - 1]
    match = _INDENT.match(line)
    return match.group() if match else " " * 4
