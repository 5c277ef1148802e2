"""output_validator/: the package's own checker, of kind ``custom``.

Owns which of its files make the program. A function problem has ``check.py``, which defines
``check(arguments, returned, expected)``; a stdio problem has any output validator of Kattis'
format, in Python (one file that starts, others that it imports) or C++ (all files are compiled
together). Nothing of it runs here.
"""

from pathlib import PurePosixPath

from judge.domain.problem import CheckerProgram, Mode
from judge.errors import Finding
from judge.packages.data_yaml import RootGroupYaml
from judge.packages.files import PackageFiles
from judge.packages.judge_yaml import JudgeYaml
from judge.packages.manifest import read_model

FOLDER = "output_validator"
ROOT_GROUP = "data/test_group.yaml"
CHECK = "check.py"
_PYTHON = (".py",)
_CPP = (".cpp", ".cc", ".cxx", ".c++", ".h", ".hpp", ".hh")
# With any of these names a file of several is the one that starts.
_ENTRIES = ("main.py", "__main__.py", "validate.py", "validator.py", CHECK)


def read_checker_program(
    files: PackageFiles, judge_yaml: JudgeYaml, report: list[Finding]
) -> CheckerProgram | None:
    """The program that a custom checker needs; None where it is not there, which lint reports."""
    if judge_yaml.checker.kind != "custom":
        return None
    arguments = _arguments(files, report)
    paths = files.below(FOLDER)
    names = [path.removeprefix(f"{FOLDER}/") for path in paths]
    is_function = judge_yaml.mode == Mode.FUNCTION.value
    if not names or (is_function and CHECK not in names):
        return None
    language = "" if any("/" in name for name in names) else language_of(names)
    if not language:
        message = (
            "a custom checker is Python or C++ and stands in this folder itself "
            "(no build or run script, no further folders)"
        )
        report.append(Finding("bad-checker", FOLDER, message))
        return None
    entry_first = sorted(names, key=lambda name: (name != entry_of(names), name))
    contents = tuple((name, files[f"{FOLDER}/{name}"]) for name in entry_first)
    return CheckerProgram(language, contents, arguments)


def language_of(names: list[str]) -> str:
    """The language in which files are written, python or cpp; empty where it is neither."""
    suffixes = {PurePosixPath(name).suffix for name in names}
    if suffixes and suffixes <= set(_PYTHON) and entry_of(names):
        return "python"
    return "cpp" if suffixes & set(_CPP[:4]) and suffixes <= set(_CPP) else ""


def entry_of(names: list[str]) -> str:
    """The Python file that starts; empty where none can be told."""
    if len(names) == 1:
        return names[0]
    return next((name for name in _ENTRIES if name in names), "")


def _arguments(files: PackageFiles, report: list[Finding]) -> tuple[str, ...]:
    if ROOT_GROUP not in files:
        return ()
    yaml = read_model(files, ROOT_GROUP, RootGroupYaml, report)
    return () if yaml is None else yaml.output_validator_args
