"""The files of a new package, made from a signature.

Owns what an author starts from: texts and programs that hold a place (judge.packages.templates),
a generator that draws arguments of the signature's types, and what can be known already. The
package has no lint error, and once the reference is written and the cases are generated it can be
proved: the reference is its accepted Python program, and an answer that is always the same its
wrong one. Every place that an author has to fill carries a mark that lint names.

Writes nothing: whoever calls gets the files by path.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from string import Template
from uuid import UUID

from judge.domain.problem import LOCALES
from judge.domain.signatures import Parameter, Signature, SignatureError, ValueType
from judge.domain.values import Arguments
from judge.harness.display import starter_code
from judge.harness.languages import LANGUAGES, PYTHON
from judge.packages import writer
from judge.packages.new_values import (
    check,
    constant_code,
    count_inputs,
    draw_code,
    example,
    nesting,
    uses_numpy,
)
from judge.packages.texts import text_path

_TEMPLATES = Path(__file__).parent / "templates"
_GROUPS = {"10-small": 40, "20-large": 60}
_MOST_CASES = 8
_SMALL, _LARGE = (4, 8), (100, 200)
# Where nothing has a length, sizes are only what integers are drawn below.
_SMALL_NUMBERS, _LARGE_NUMBERS = (10, 99), (1000, 9999)
_MOST_ITEMS = 4000
_FLOATS = re.compile(r"\b(?:float|f64|f32)\b")
_DOCS = {
    "vi": "(Chưa viết: {name} là gì)",
    "ja": "(未記入: {name} の説明)",
    "en": "(Not written yet: what {name} is)",
}
_RETURN_DOCS = {
    "vi": "(Chưa viết: hàm trả về gì)",
    "ja": "(未記入: 戻り値の説明)",
    "en": "(Not written yet: what is returned)",
}


def new_package(
    signature: Signature, uuid: UUID, languages: Iterable[str] = (PYTHON,)
) -> dict[str, bytes]:
    """All files of a new package by path; ``languages`` are the judge's words for them.

    A language other than Python gets its starter code as an accepted submission, which the author
    has to replace.

    Raises:
        SignatureError: the signature has too few different inputs for a sample and hidden cases.
    """
    offered = list(dict.fromkeys(languages))
    words = _words(signature) | {
        "uuid": str(uuid),
        "languages": ", ".join(LANGUAGES[each].kattis_names[0] for each in offered),
    }
    texts = {
        "problem.yaml": _filled("problem.yaml.txt", words),
        "judge.yaml": _filled("judge.yaml.txt", words),
        "reference.py": _filled("reference.py.txt", words),
        "generators/cases.py": _filled("cases.py.txt", words),
        "input_validators/validate.py": _filled("validate.py.txt", words),
        "submissions/wrong_answer/always_the_same.py": _filled("always_the_same.py.txt", words),
        "data/sample/test_group.yaml": "max_score: 0\n",
    }
    for locale in LOCALES:
        texts[text_path("statement", locale)] = _filled(f"statement.{locale}.md", words)
        texts[text_path("hints", locale, 1)] = _filled(f"hint.{locale}.md", words)
        texts[text_path("solution", locale)] = _filled(f"solution.{locale}.md", words)
    for group, points in _GROUPS.items():
        texts[f"data/secret/{group}/test_group.yaml"] = f"max_score: {points}\n"
    return {
        path: text.encode() for path, text in (texts | _accepted(signature, offered)).items()
    } | _invalid_input(signature)


def _words(signature: Signature) -> dict[str, str]:
    """What the templates' placeholders stand for."""
    parameters, returns = signature.parameters, signature.returns
    types = [parameter.type for parameter in parameters]
    small, large = _sizes(types)
    words = {
        "slug": signature.name,
        "title": signature.name.replace("_", " ").capitalize(),
        "names": ", ".join(parameter.name for parameter in parameters),
        "params": "\n".join(f'    {each.name}: "{each.type}"' for each in parameters),
        "parameters": "\n".join(f"- `{each.name}`: `{each.type}`" for each in parameters),
        "returns": str(returns),
        "checker": "{kind: close}" if _FLOATS.search(str(returns)) else "{kind: exact}",
        "starter": _reference_code(signature),
        "cases": str(_case_count(types)),
        "small": str(small),
        "large": str(large),
        "arguments": "\n".join(
            f"        {draw_code(each.type)},  # {each.name}" for each in parameters
        ),
        "checks": "\n".join(_checks(parameters)),
        "constant": constant_code(returns),
        "import_math": _import("math", "math." in "".join(_checks(parameters))),
        "import_numpy_to_draw": _import("numpy as np", uses_numpy(types)),
        "import_numpy_to_return": _import("numpy as np", uses_numpy([returns])),
    }
    return words | {f"docs_{locale}": _docs(locale, parameters) for locale in LOCALES}


def _filled(template: str, words: dict[str, str]) -> str:
    text = Template((_TEMPLATES / template).read_text(encoding="utf-8")).substitute(words)
    return text.rstrip() + "\n"


def _reference_code(signature: Signature) -> str:
    code = starter_code(PYTHON, signature).strip()
    return code if code.startswith("import") else f"\n{code}"


def _import(module: str, is_used: bool) -> str:
    return f"\nimport {module}\n" if is_used else ""


def _docs(locale: str, parameters: Iterable[Parameter]) -> str:
    docs = {each.name: _DOCS[locale].format(name=each.name) for each in parameters}
    docs["return"] = _RETURN_DOCS[locale]
    return "\n".join(f'      {name}: "{text}"' for name, text in docs.items())


def _checks(parameters: Iterable[Parameter]) -> list[str]:
    checks = [check(each.name, each.type) for each in parameters]
    return [
        f'    if {each.condition}:\n        raise ValueError("{each.complaint}")'
        for each in checks
        if each
    ]


def _case_count(types: list[ValueType]) -> int:
    """How many cases each hidden group has, so that none repeats another or the sample."""
    count = (count_inputs(types) - 1) // len(_GROUPS)
    if count < 1:
        raise SignatureError("the parameters have too few values for a sample and hidden cases")
    return min(_MOST_CASES, count)


def _sizes(types: list[ValueType]) -> tuple[tuple[int, int], tuple[int, int]]:
    """From and to which size the small and the large cases are drawn."""
    depth = max(map(nesting, types))
    if depth == 0:
        return _SMALL_NUMBERS, _LARGE_NUMBERS
    most = max(2, min(_LARGE[1], int(_MOST_ITEMS ** (1 / depth))))
    small = (min(_SMALL[0], most), min(_SMALL[1], most))
    return small, (max(2, most // 2), most)


def _accepted(signature: Signature, languages: Iterable[str]) -> dict[str, str]:
    """Starter code for every language that the reference does not stand in for, and its entry."""
    files: dict[str, str] = {}
    entries = [_filled("submissions.yaml.txt", {})]
    for language in languages:
        if language != PYTHON:
            path = f"accepted/solution{LANGUAGES[language].suffixes[0]}"
            files[f"submissions/{path}"] = starter_code(language, signature).strip() + "\n"
            entries.append(f"{path}: {{required: [AC]}}\n")
    return files | {"submissions/submissions.yaml": "".join(entries)}


def _invalid_input(signature: Signature) -> dict[str, bytes]:
    """An input that the validator refuses; none where nothing can be wrong with an input."""
    arguments: Arguments = {each.name: example(each.type) for each in signature.parameters}
    for parameter in signature.parameters:
        broken = check(parameter.name, parameter.type)
        if broken is not None:
            arguments[parameter.name] = broken.value
            case = (f"invalid_input/{parameter.name}", arguments, example(signature.returns))
            path = f"data/{case[0]}.in"
            return {path: writer.case_files(signature, case)[path]}
    return {}
