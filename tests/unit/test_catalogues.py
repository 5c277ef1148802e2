"""Every text exists in every locale, and every code that the judge raises has one."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from judge.api import errors, flaws
from judge.api.error_codes import CODES_BY_STATUS
from judge.domain.access import LOCK_KINDS
from judge.domain.problem import LOCALES as PROBLEM_LOCALES
from judge.domain.values import MISMATCHES
from judge.domain.verdicts import Reason, Verdict
from judge.harness.languages import LANGUAGES
from judge.i18n import LOCALES, catalogue, placeholders, reason_title, text, verdict_title

ROOT = Path(__file__).resolve().parents[2]
REFUSALS = {
    "Refused",
    "NotFound",
    "Gone",
    "Conflict",
    "Forbidden",
    "Unauthenticated",
    "TooLarge",
    "TooMany",
    "Invalid",
}
# Raised with the status first.
HTTP_REFUSALS = {"HttpProblem", "ProblemDocument"}
FLAWS = {"flaw"}
NO_DETAIL = {"variant", "headers", "flaws", "details"}


@dataclass(frozen=True)
class Site:
    """One place that refuses something; ``details`` is None where it hands on those of another."""

    where: str
    keys: tuple[str, ...]
    details: frozenset[str] | None


def constants(node: ast.expr) -> list[str]:
    """The texts that an expression may come to: one, or both branches of a condition."""
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def sites() -> Iterator[Site]:
    for path in sorted((ROOT / "judge").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield from sites_of(f"{name}:{node.lineno}", node.func.id, node)


def sites_of(where: str, called: str, node: ast.Call) -> Iterator[Site]:
    position = 1 if called in HTTP_REFUSALS | FLAWS else 0
    if called not in REFUSALS | HTTP_REFUSALS | FLAWS or len(node.args) <= position:
        return
    keywords = {one.arg: one.value for one in node.keywords if one.arg}
    codes = constants(node.args[position])
    details = {name for name in keywords if name not in NO_DETAIL}
    if isinstance(written := keywords.get("details"), ast.Dict):
        details |= {key.value for key in written.keys if isinstance(key, ast.Constant)}
    variant = keywords.get("variant")
    if called == "ProblemDocument" and len(node.args) > position + 1:
        variant = node.args[position + 1]
    if not codes:
        # The handlers of judge.api.errors hand on what was raised elsewhere.
        assert where.startswith("judge/api/errors.py"), f"{where}: the code is not a constant"
        return
    prefix = "field" if called in FLAWS else "refused"
    keys = tuple(key for code in codes for key in keys_of(f"{prefix}.{code}", variant))
    hands_on = any(one.arg is None for one in node.keywords)
    yield Site(where, keys, None if hands_on else frozenset(details))


def keys_of(key: str, variant: ast.expr | None) -> list[str]:
    if variant is None:
        return [key]
    if named := constants(variant):
        return [f"{key}.{one}" for one in named]
    return [known for known in catalogue("en") if known.startswith(f"{key}.")] or [key]


ALL_SITES = list(sites())
OF_FRAMEWORK = [*errors._OF_FRAMEWORK.values(), ("error", "")]


def test_there_are_many_sites() -> None:
    assert len(ALL_SITES) > 50


@pytest.mark.parametrize("locale", LOCALES)
def test_everything_that_is_refused_has_a_text_whose_placeholders_are_filled(locale: str) -> None:
    texts = catalogue(locale)
    for site in ALL_SITES:
        for key in site.keys:
            assert key in texts, f"{site.where}: {locale} has no {key}"
            if site.details is None:
                continue
            lacking = placeholders(texts[key]) - site.details
            assert not lacking, f"{site.where}: {key} in {locale} wants {sorted(lacking)}"


@pytest.mark.parametrize("locale", LOCALES)
def test_every_mismatch_of_a_value_has_a_sentence_in_every_locale(locale: str) -> None:
    texts = catalogue(locale)
    for code, english in MISMATCHES.items():
        assert placeholders(texts[f"field.argument.{code}"]) == placeholders(english), code


def test_a_title_of_a_codes_own_is_for_a_code_that_there_is() -> None:
    own = {key.removeprefix("title.") for key in catalogue("en") if key.startswith("title.")}
    codes = {code for known in CODES_BY_STATUS.values() for code in known}
    assert {one for one in own if not one.isdecimal()} - {"other"} <= codes


def test_no_text_of_a_refusal_is_left_over() -> None:
    raised = {key for site in ALL_SITES for key in site.keys}
    raised |= {f"refused.{code}" for code, variant in OF_FRAMEWORK if not variant}
    raised |= {f"refused.{code}.{variant}" for code, variant in OF_FRAMEWORK if variant}
    raised |= {f"field.{code}" for code in flaws._CODES.values()} | {"field.invalid"}
    kept = {key for key in catalogue("en") if key.startswith(("refused.", "field."))}
    assert sorted(kept ^ raised) == []


def test_all_locales_have_the_same_keys_and_placeholders() -> None:
    assert LOCALES == PROBLEM_LOCALES
    wanted = {key: placeholders(template) for key, template in catalogue("en").items()}
    for locale in LOCALES:
        found = {key: placeholders(template) for key, template in catalogue(locale).items()}
        assert found == wanted, locale


def test_no_text_was_left_in_english() -> None:
    same = [
        key
        for key, template in catalogue("en").items()
        for locale in ("vi", "ja")
        if catalogue(locale)[key] == template and key != "list.separator"
    ]
    assert set(same) <= {"list.sentences"}


@pytest.mark.parametrize("locale", LOCALES)
def test_verdicts_reasons_locks_and_languages_have_texts(locale: str) -> None:
    texts = catalogue(locale)
    for verdict in Verdict:
        assert verdict_title(verdict, locale) == texts[f"verdict.{verdict}"]
    for reason in Reason:
        assert reason_title(reason, locale) == (texts[f"reason.{reason}"] if reason else "")
    for kind in LOCK_KINDS:
        for prefix in ("locks", "refused.hints-locked", "refused.solution-locked"):
            assert texts[f"{prefix}.{kind}"]
    for language in LANGUAGES:
        assert texts[f"run_command.{language}"]
    for status in (*errors._STATUS.values(), 400, 405, 406, 415, 429, 500, 503):
        assert texts[f"title.{status}"]


@pytest.mark.parametrize("locale", ["vi", "ja"])
def test_a_handle_has_the_name_that_people_know(locale: str) -> None:
    """The field's own name may stand there in code font."""
    untranslated = re.compile(r"(?<![`{])handle(?![`}])|ハンドル", re.I)
    found = {key for key, template in catalogue(locale).items() if untranslated.search(template)}
    assert found == set()


def test_a_text_is_filled_as_its_locale_writes() -> None:
    details = {"offered": ["a", "b"]}
    assert text("refused.not-acceptable", "en", details) == "These formats are offered: a, b."
    assert text("refused.not-acceptable", "ja", details) == "利用できる形式\N{FULLWIDTH COLON}a、b"


def test_what_people_sent_is_no_template() -> None:
    shown = text("refused.problem-not-found", "en", {"slug": "{slug} {0.__class__}"})
    assert shown == "There is no problem called {slug} {0.__class__}."


def test_what_is_missing_hides_no_answer() -> None:
    assert text("refused.of-tomorrow", "vi") == "refused.of-tomorrow"
    assert text("refused.problem-not-found", "en") == "There is no problem called …."
    assert catalogue("fr") == catalogue("en")
