"""Canonical text of cases: what a generator's answers become on disk.

Owns the exact bytes of ``.in``, ``.ans`` and ``.npy`` files, so that a committed data folder can
be compared with a generated one byte for byte. It writes nothing itself.

``.in`` is a JSON object with one member a line in signature order, ``.ans`` one line of JSON.
Floats are their shortest round-trip text. An array argument with more than 4,096 items stands in
``<case>.files/<parameter>.npy`` (format 1.0, C order).
"""

import io
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from judge.domain.signatures import NdArray, Parameter, Signature
from judge.domain.values import Arguments, Value, to_json
from judge.errors import Finding
from judge.packages.case_json import ARRAY_KEY

MAX_INLINE_ITEMS = 4096
GeneratedCase = tuple[str, Arguments, Value]
_GENERATED_FILE = re.compile(r"data/(?:sample|secret)/.*(?:\.in|\.ans|\.files/[^/]+)")


def case_files(signature: Signature, case: GeneratedCase) -> dict[str, bytes]:
    """All files of one case by path in the package; the case's path is like ``secret/20-x/03``."""
    path, arguments, expected = case
    stem = f"data/{path}"
    files: dict[str, bytes] = {}
    members: list[str] = []
    for parameter in signature.parameters:
        value = arguments[parameter.name]
        data = to_json_member(parameter, value)
        if isinstance(data, dict) and ARRAY_KEY in data and isinstance(parameter.type, NdArray):
            array = cast(npt.NDArray[Any], value)
            files[f"{stem}.files/{data[ARRAY_KEY]}"] = array_file(array)
        members.append(f"  {json.dumps(parameter.name)}: {_json_line(data)}")
    files[f"{stem}.in"] = ("{\n" + ",\n".join(members) + "\n}\n").encode()
    files[f"{stem}.ans"] = (_json_line(to_json(signature.returns, expected)) + "\n").encode()
    return files


def to_json_member(parameter: Parameter, value: Value) -> Any:
    """The JSON of one argument in a ``.in`` file: the value, or a reference to its array file."""
    if isinstance(parameter.type, NdArray):
        array = cast(npt.NDArray[Any], value)
        if array.size > MAX_INLINE_ITEMS:
            return {ARRAY_KEY: f"{parameter.name}.npy"}
    return to_json(parameter.type, value)


def array_file(array: npt.NDArray[Any]) -> bytes:
    """An array as a ``.npy`` file of format 1.0."""
    buffer = io.BytesIO()
    contiguous = np.ascontiguousarray(array)
    np.lib.format.write_array(buffer, contiguous, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def write_cases(signature: Signature, generated: Iterable[GeneratedCase]) -> dict[str, bytes]:
    """All files of all generated cases by path in the package."""
    files: dict[str, bytes] = {}
    for case in generated:
        files |= case_files(signature, case)
    return files


def compare(
    files: Mapping[str, bytes], signature: Signature, generated: Iterable[GeneratedCase]
) -> list[Finding]:
    """Where the committed cases differ from the generated ones: missing, stale or extra files."""
    expected = write_cases(signature, generated)
    committed = {path for path in files if _GENERATED_FILE.fullmatch(path)}
    findings = [
        Finding("case-missing", path, "the generator makes this file, the package lacks it")
        for path in expected.keys() - committed
    ]
    findings += [
        Finding("case-stale", difference(path, files[path], expected[path]), _STALE)
        for path in expected.keys() & committed
        if files[path] != expected[path]
    ]
    findings += [
        Finding("case-extra", path, "the generator does not make this file")
        for path in committed - expected.keys()
    ]
    return sorted(findings, key=lambda finding: finding.where)


_STALE = (
    "differs from what generator and reference make; either this file or one of the two is wrong: "
    "only where it is the file, write the cases anew"
)


def _json_line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def difference(path: str, committed: bytes, canonical: bytes) -> str:
    """``path:line`` of the first byte that differs; only the path where there are no lines."""
    if path.endswith(".npy"):
        return path
    end = min(len(committed), len(canonical))
    same = next((place for place in range(end) if committed[place] != canonical[place]), end)
    line = canonical[:same].count(b"\n") + 1
    return f"{path}:{line}"
