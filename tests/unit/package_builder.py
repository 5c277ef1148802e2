"""Builds the files of a small, complete and clean problem package for the tests to break.

The problem: ``pick_larger(values: list[float], limit: float) -> int`` counts the values above a
limit. Every test starts from ``package_files()`` and changes just what it is about.
"""

from collections.abc import Callable, Mapping

from judge.errors import Finding, PackageInvalid
from judge.packages.files import PackageFiles
from judge.packages.package import Package, load

PROBLEM_YAML = """\
problem_format_version: 2025-09
type: scoring
name: {vi: Đếm giá trị lớn, ja: 大きい値を数える, en: Count large values}
uuid: 6a2f4c1e-9b0d-4e57-8a63-1f0c5d7e9b21
license: cc by-sa
limits: {time_limit: 2.0, memory: 256}
keywords: [counting]
languages: [python3]
"""

JUDGE_YAML = """\
format: judge/1
mode: function
signature:
  name: count_large
  params:
    values: list[float]
    limit: float
  returns: int
  docs:
    vi: {values: các số, limit: ngưỡng, return: số lượng}
    ja: {values: 数の列, limit: しきい値, return: 個数}
    en: {values: the numbers, limit: the threshold, return: how many}
checker: {kind: exact}
margin: {min: 1.0e-6}
points: 100
topics: [counting]
prerequisites: []
visibility: public
reveal: {hints: after_submit, solution: after_submit, cases: 2}
limits: {stdout_kib: 64, result_mib: 8}
custom_input: {reference: true}
groups:
  10-basic:
    title: {vi: Cơ bản, ja: 基本, en: Basics}
    hint: {vi: Đọc lại bước 1, ja: 手順 1 を読み直す, en: Read step 1 again}
  20-edges:
    title: {vi: Biên, ja: 境界, en: Edges}
    hint: {vi: Đọc lại bước 2, ja: 手順 2 を読み直す, en: Read step 2 again}
"""

STATEMENTS = {
    "vi": "Đếm các giá trị $x > 2$.\n\n## Mẫu\n\n{{nextsample}}\n\nCó 2 giá trị lớn hơn 1.\n",
    "ja": "$x > 2$ である値を数えます。\n\n## 例\n\n{{nextsample}}\n\n1 を超える値は 2 個です。\n",
    "en": "Count the values $x > 2$.\n\n## Samples\n\n{{nextsample}}\n\n2 values are above 1.\n",
}

SUBMISSIONS_YAML = """\
accepted/loop.py: {required: [AC]}
wrong_answer/not_strict.py:
  required: [WA]
  secret/20-edges: {required: [WA]}
"""

REFERENCE = "def count_large(values, limit):\n    return sum(value > limit for value in values)\n"
VALIDATOR = "def validate(case):\n    if not case['values']:\n        raise ValueError('empty')\n"


def package_texts() -> dict[str, str]:
    """The files of a clean package as texts."""
    texts = {
        "problem.yaml": PROBLEM_YAML,
        "judge.yaml": JUDGE_YAML,
        "reference.py": REFERENCE,
        "margins.py": "def distance(case):\n    return 1.0\n",
        "generators/cases.py": "def generate():\n    return []\n",
        "input_validators/validate.py": VALIDATOR,
        "submissions/submissions.yaml": SUBMISSIONS_YAML,
        "submissions/accepted/loop.py": REFERENCE,
        "submissions/wrong_answer/not_strict.py": REFERENCE.replace(">", ">="),
        "data/sample/test_group.yaml": "max_score: 0\n",
        "data/secret/10-basic/test_group.yaml": "max_score: 40\nscore_aggregation: pass-fail\n",
        "data/secret/20-edges/test_group.yaml": "max_score: 60\n",
        "data/invalid_input/empty.in": case_text([], 1.0),
    }
    for locale, statement in STATEMENTS.items():
        texts[f"statement/problem.{locale}.md"] = statement
        texts[f"solution/solution.{locale}.md"] = f"$n$ ({locale})\n"
        texts[f"hints/1.{locale}.md"] = f"1 ({locale})\n"
        texts[f"hints/2.{locale}.md"] = f"2 ({locale})\n"
    texts |= case_texts("sample/01", [1.0, 2.0, 3.0], 1.0, 2)
    texts |= case_texts("secret/10-basic/01", [4.0, 2.0], 3.0, 1)
    texts |= case_texts("secret/10-basic/02", [4.0, 2.5], 1.0, 2)
    texts |= case_texts("secret/20-edges/01", [3.0], 3.0, 0)
    return texts


def case_text(values: list[float], limit: float) -> str:
    """The canonical text of one input."""
    return f'{{\n  "values": {values!r},\n  "limit": {limit!r}\n}}\n'


def case_texts(case: str, values: list[float], limit: float, answer: int) -> dict[str, str]:
    """The two files of one case."""
    return {f"data/{case}.in": case_text(values, limit), f"data/{case}.ans": f"{answer}\n"}


def pair_changes(result_names: str) -> dict[str, str]:
    """Changes after which the function returns a tuple, with this text as ``result_names``."""
    returns = f"returns: 'tuple[int, list[int]]'\n  result_names: {result_names}"
    answers = {path: "[2, [1]]\n" for path in package_texts() if path.endswith(".ans")}
    return {"judge.yaml": JUDGE_YAML.replace("returns: int", returns), **answers}


def package_files(changes: Mapping[str, str | bytes | None] | None = None) -> PackageFiles:
    """A clean package with some files replaced, added, or (None) taken away."""
    contents: dict[str, bytes] = {path: text.encode() for path, text in package_texts().items()}
    for path, content in (changes or {}).items():
        if content is None:
            del contents[path]
        else:
            contents[path] = content.encode() if isinstance(content, str) else content
    return PackageFiles(contents)


def load_package(changes: Mapping[str, str | bytes | None] | None = None) -> Package:
    """Load a clean package with changes."""
    return load(package_files(changes), "count_large")


def refusal(call: Callable[[], object]) -> tuple[Finding, ...]:
    """The findings with which a call refuses."""
    try:
        call()
    except PackageInvalid as error:
        return error.findings
    raise AssertionError("nothing was refused")
