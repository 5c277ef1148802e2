"""Builds the files of a small Kattis package, legacy or 2025-09, for the tests to change."""

from collections.abc import Mapping

from judge.errors import Finding, PackageInvalid
from judge.packages.files import PackageFiles
from judge.packages.kattis.importing import Imported, import_package

LEGACY_YAML = "name: Echo\nuuid: 1d6a2a52-08d5-4b0a-9e7a-4a1f8a1c0f01\nlimits: {memory: 256}\n"
CURRENT_YAML = (
    "problem_format_version: 2025-09\nname: {en: Echo}\n"
    "uuid: 1d6a2a52-08d5-4b0a-9e7a-4a1f8a1c0f01\nlimits: {time_limit: 1, memory: 256}\n"
)
PROGRAM = "print(input())\n"


def package_texts(*, legacy: bool) -> dict[str, str]:
    """The files of a package that imports without a notice."""
    texts = {
        "problem.yaml": LEGACY_YAML if legacy else CURRENT_YAML,
        "data/sample/1.in": "a\n",
        "data/sample/1.ans": "a\n",
        "data/secret/1.in": "b\n",
        "data/secret/1.ans": "b\n",
        "input_validators/check.py": "import sys\nsys.exit(42)\n",
        "submissions/accepted/echo.py": PROGRAM,
    }
    if legacy:
        texts[".timelimit"] = "1\n"
        texts["problem_statement/problem.tex"] = "\\problemname{Echo}\nSay it again.\n"
    else:
        texts["statement/problem.en.md"] = "Say it again.\n"
    return texts


def imported(
    changes: Mapping[str, str | bytes | None] | None = None, *, legacy: bool = True
) -> Imported:
    """Import a package with some files replaced, added, or (None) taken away."""
    texts: dict[str, str | bytes] = {**package_texts(legacy=legacy)}
    for path, content in (changes or {}).items():
        if content is None:
            del texts[path]
        else:
            texts[path] = content
    contents = {k: v.encode() if isinstance(v, str) else v for k, v in texts.items()}
    return import_package(PackageFiles(contents), "echo")


def refused(
    changes: Mapping[str, str | bytes | None] | None = None, *, legacy: bool = True
) -> Finding:
    """The one finding with which an import ends."""
    try:
        imported(changes, legacy=legacy)
    except PackageInvalid as error:
        (finding,) = error.findings
        return finding
    raise AssertionError("nothing was refused")
