"""A Kattis package as a stdio package of the judge.

Owns the joining of all parts: ``import_package`` makes the files of a package with a judge.yaml, of
which ``judge.packages.package.load`` then reads what grading needs. It is pure; whatever the judge
does not offer ends it with a sentence, whatever is left out stands in its notices.
"""

import re
from dataclasses import dataclass
from typing import Any

from judge.domain.problem import LOCALES
from judge.domain.reserved_words import RESERVED_WORDS
from judge.errors import Finding
from judge.packages.files import PackageFiles
from judge.packages.kattis.data import ONLY_GROUP, ImportedData, import_data
from judge.packages.kattis.manifest import PROBLEM_YAML, Facts, read_facts
from judge.packages.kattis.notices import assumed, dropped, refuse
from judge.packages.kattis.programs import (
    import_submissions,
    import_validators,
    refuse_other_programs,
)
from judge.packages.kattis.texts import FOLDERS, import_texts
from judge.packages.kattis.yaml_out import dump

JUDGE_YAML = "judge.yaml"
_READ = ("data", "submissions", "attachments", "solution", "input_validators", *FOLDERS)
_VALIDATORS = ("output_validator", "output_validators")
_FLAGS = {
    "float_tolerance": ("abs", "rel"),
    "float_absolute_tolerance": ("abs",),
    "float_relative_tolerance": ("rel",),
}
_SWITCHES = {"case_sensitive": "case_sensitive", "space_change_sensitive": "space_sensitive"}
_HIDDEN_TITLE = {"vi": "Dữ liệu ẩn", "ja": "非公開のデータ", "en": "Hidden data"}
_GROUP_TITLE = {"vi": "Nhóm {}", "ja": "グループ {}", "en": "Group {}"}


@dataclass(frozen=True)
class Imported:
    """A package of the judge, its slug, and what its author should know."""

    slug: str
    files: PackageFiles
    notices: tuple[Finding, ...]


def import_package(files: PackageFiles, source_name: str) -> Imported:
    """Make a stdio package of a Kattis one; ``source_name`` is that of its folder or archive.

    Raises:
        PackageInvalid: it is broken, or asks for what the judge does not offer.
    """
    if JUDGE_YAML in files:
        refuse(JUDGE_YAML, "this is a package of the judge already: lint, verify and publish it")
    report: list[Finding] = []
    slug = slug_of(source_name)
    refuse_other_programs(files)
    facts = read_facts(files, slug, report)
    texts = import_texts(files, report)
    made = import_validators(files, facts, report)
    data = import_data(files, facts, report)
    made |= texts.files | data.files | import_submissions(files, facts, report)
    names = texts.names | facts.names
    if not names:
        names = {"en": source_name}
        report.append(assumed(PROBLEM_YAML, f"states no name; it is called {source_name!r}"))
    made[PROBLEM_YAML] = dump(_problem_yaml(facts, names))
    made[JUDGE_YAML] = dump(_judge_yaml(slug, facts, data))
    report += _left_out(files)
    return Imported(slug, PackageFiles(made), tuple(report))


def slug_of(source_name: str) -> str:
    """A slug of the judge: small letters, digits and underscores, a letter first."""
    slug = re.sub(r"[^a-z0-9]+", "_", source_name.lower()).strip("_")[:60]
    if not slug or not slug[0].isalpha():
        slug = f"p_{slug}".rstrip("_")
    return f"{slug}_" if slug in RESERVED_WORDS else slug


def token_checker(flags: tuple[str, ...]) -> dict[str, Any]:
    """The arguments of Kattis' default output validator as keys of judge.yaml.

    Raises:
        PackageInvalid: an argument that it does not have.
    """
    checker: dict[str, Any] = {"kind": "tokens"}
    words = iter(flags)
    for word in words:
        if word in _SWITCHES:
            checker[_SWITCHES[word]] = True
        elif word in _FLAGS:
            number = next(words, "")
            try:
                tolerance = float(number)
            except ValueError:
                refuse("data", f"output validator argument {word} {number!r} is no number")
            checker |= dict.fromkeys(_FLAGS[word], tolerance)
        else:
            refuse("data", f"the default output validator has no argument {word!r}")
    return checker


def _problem_yaml(facts: Facts, names: dict[str, str]) -> dict[str, Any]:
    limits: dict[str, Any] = {"time_limit": facts.time_limit_s, "memory": facts.memory_mib}
    if facts.time_multipliers:
        limits["time_multipliers"] = facts.time_multipliers
    limits["output"] = facts.output_mib
    return {
        "problem_format_version": "2025-09",
        "type": "scoring" if facts.is_scoring else "pass-fail",
        "name": {locale: names[locale] for locale in LOCALES if locale in names},
        "uuid": facts.uuid,
        "license": facts.license,
        **facts.kept,
        "limits": limits,
        **({"keywords": list(facts.keywords)} if facts.keywords else {}),
        "languages": list(facts.languages),
    }


def _judge_yaml(slug: str, facts: Facts, data: ImportedData) -> dict[str, Any]:
    return {
        "format": "judge/1",
        "mode": "stdio",
        "signature": {"name": slug, "params": {"input": "str"}, "returns": "str"},
        "checker": _checker(facts, data),
        "points": sum(group.max_score for group in data.groups),
        "visibility": "draft",
        "limits": {"result_mib": facts.output_mib},
        "groups": {
            folder: {"title": _title(folder)}
            for kind, _, folder in (group.name.partition("/") for group in data.groups)
            if kind == "secret"
        },
    }


def _checker(facts: Facts, data: ImportedData) -> dict[str, Any]:
    return {"kind": "custom"} if facts.is_custom else token_checker(data.validator_flags)


def _title(folder: str) -> dict[str, str]:
    if folder == ONLY_GROUP:
        return dict(_HIDDEN_TITLE)
    return {locale: title.format(folder) for locale, title in _GROUP_TITLE.items()}


def _left_out(files: PackageFiles) -> list[Finding]:
    """Folders and files at the top that nothing has read."""
    known = {*_READ, *_VALIDATORS, PROBLEM_YAML, ".timelimit", "domjudge-problem.ini"}
    tops = dict.fromkeys(path.partition("/")[0] for path in files)
    return [dropped(top, "has no place in the judge's package") for top in tops if top not in known]
