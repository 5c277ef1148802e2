"""problem.yaml of the legacy format and of 2025-09, as one set of facts.

Owns both field maps. A key that the judge has no use for is left out with a notice. Types that need
an interactive or repeated program, or a submission that is no program, are refused.
"""

import re
import uuid
from collections.abc import Mapping
from configparser import ConfigParser
from configparser import Error as ConfigError
from dataclasses import dataclass, field
from typing import Any

from judge.domain.problem import LOCALES
from judge.errors import Finding
from judge.packages.files import PackageFiles
from judge.packages.kattis.notices import assumed, dropped, refuse
from judge.packages.problem_yaml import LANGUAGES
from judge.packages.rules.limits import CPU_S, MEMORY_MIB, RESULT_MIB
from judge.packages.yaml_text import parse_yaml

PROBLEM_YAML = "problem.yaml"
LEGACY, CURRENT = "legacy", "2025-09"
# What the formats say where a package says nothing.
_DEFAULT_MEMORY_MIB = {LEGACY: 1024, CURRENT: 2048}
_DEFAULT_OUTPUT_MIB = 8
_ASSUMED_TIME_S = 2.0
_NOT_OFFERED = ("interactive", "multi-pass", "submit-answer")
_KEPT = ("version", "credits", "source", "rights_owner", "embargo_until", "constants")
_READ_LEGACY = {
    "problem_format_version", "type", "name", "uuid", "author", "source", "source_url", "license",
    "rights_owner", "limits", "validation", "validator_flags", "grading", "keywords",
}  # fmt: skip
_READ_CURRENT = {
    "problem_format_version", "type", "name", "uuid", "license", "limits", "keywords", "languages",
    "allow_file_writing", *_KEPT,
}  # fmt: skip


@dataclass
class Facts:
    """What problem.yaml says, in the words of 2025-09; ``kept`` goes over as it is."""

    version: str
    is_scoring: bool
    names: dict[str, str]
    uuid: str
    license: str
    time_limit_s: float
    memory_mib: int
    output_mib: int
    languages: tuple[str, ...]
    keywords: tuple[str, ...] = ()
    is_custom: bool = False
    validator_flags: tuple[str, ...] = ()
    time_multipliers: dict[str, float] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)


def read_facts(files: PackageFiles, slug: str, report: list[Finding]) -> Facts:
    """Read problem.yaml of either format.

    Raises:
        PackageInvalid: it is missing or broken, or asks for what the judge does not offer.
    """
    if PROBLEM_YAML not in files:
        refuse(PROBLEM_YAML, "is missing: this is no Kattis package")
    data = parse_yaml(PROBLEM_YAML, files[PROBLEM_YAML]).data
    data = {} if data is None else data
    if not isinstance(data, dict):
        refuse(PROBLEM_YAML, "is no mapping")
    version = str(data.get("problem_format_version", LEGACY))
    if version not in (LEGACY, CURRENT):
        refuse(PROBLEM_YAML, f"format {version!r} is not read; {LEGACY} and {CURRENT} are")
    is_legacy = version == LEGACY
    for key in sorted(set(map(str, data)) - (_READ_LEGACY if is_legacy else _READ_CURRENT)):
        report.append(dropped(PROBLEM_YAML, f"{key!r} is not read"))
    types = _refused_types(data.get("type", "pass-fail"))
    limits = _mapping(data.get("limits"))
    facts = Facts(
        version=version,
        is_scoring="scoring" in types,
        names=_names(data.get("name"), report),
        uuid=str(data.get("uuid") or uuid.uuid5(uuid.NAMESPACE_URL, f"kattis:{slug}")),
        license=str(data.get("license") or "unknown"),
        time_limit_s=_time_limit(files, limits, report),
        memory_mib=_within(
            "memory", limits.get("memory", _DEFAULT_MEMORY_MIB[version]), MEMORY_MIB, report
        ),
        output_mib=_within("output", limits.get("output", _DEFAULT_OUTPUT_MIB), RESULT_MIB, report),
        languages=_languages(data.get("languages", "all"), report),
    )
    if not data.get("uuid"):
        report.append(assumed(PROBLEM_YAML, f"states no uuid; {facts.uuid} is made of the name"))
    (_add_legacy if is_legacy else _add_current)(facts, data, limits)
    return facts


def _add_legacy(facts: Facts, data: Mapping[str, Any], limits: Mapping[str, Any]) -> None:
    """What only the legacy format has."""
    validation = str(data.get("validation", "default")).split() or ["default"]
    for word in validation[1:]:
        if word == "interactive":
            refuse(PROBLEM_YAML, "the problem is interactive, which the judge does not offer")
        refuse(PROBLEM_YAML, f"validation {word!r}: a validator that gives scores is not offered")
    grading = _mapping(data.get("grading"))
    if grading.get("objective", "max") != "max":
        refuse(PROBLEM_YAML, "the lowest score is the best, which the judge does not offer")
    facts.is_custom = validation[0] == "custom"
    facts.validator_flags = tuple(str(data.get("validator_flags") or "").split())
    facts.keywords = tuple(str(data.get("keywords") or "").split())
    if data.get("author"):
        facts.kept["credits"] = str(data["author"])
    if data.get("source"):
        source = {"name": str(data["source"])}
        source |= {"url": str(data["source_url"])} if data.get("source_url") else {}
        facts.kept["source"] = source
    if data.get("rights_owner"):
        facts.kept["rights_owner"] = str(data["rights_owner"])
    words = {"time_multiplier": "ac_to_time_limit", "time_safety_margin": "time_limit_to_tle"}
    facts.time_multipliers = {
        current: float(limits[legacy]) for legacy, current in words.items() if legacy in limits
    }


def _add_current(facts: Facts, data: Mapping[str, Any], limits: Mapping[str, Any]) -> None:
    """What only 2025-09 has."""
    facts.kept = {key: data[key] for key in _KEPT if data.get(key) is not None}
    keywords = data.get("keywords") or ()
    facts.keywords = tuple(map(str, keywords)) if isinstance(keywords, list) else ()
    facts.time_multipliers = dict(_mapping(limits.get("time_multipliers")))


def _refused_types(stated: object) -> tuple[str, ...]:
    types = tuple(map(str, stated)) if isinstance(stated, list) else (str(stated),)
    for kind in types:
        if kind in _NOT_OFFERED:
            refuse(PROBLEM_YAML, f"type {kind}: the judge does not offer such problems")
        if kind not in ("pass-fail", "scoring"):
            refuse(PROBLEM_YAML, f"unknown problem type {kind!r}")
    return types


def _names(stated: object, report: list[Finding]) -> dict[str, str]:
    """Names in the judge's locales; a plain one is English."""
    names = stated if isinstance(stated, dict) else {"en": stated} if stated else {}
    for locale in sorted(set(names) - set(LOCALES)):
        report.append(dropped(PROBLEM_YAML, f"the name in {locale!r}: no locale of the judge"))
    return {locale: str(name) for locale, name in names.items() if locale in LOCALES}


def _languages(stated: object, report: list[Finding]) -> tuple[str, ...]:
    if stated == "all":
        return tuple(LANGUAGES)
    codes = [stated] if isinstance(stated, str) else stated if isinstance(stated, list) else []
    for code in codes:
        if code not in LANGUAGES:
            report.append(dropped(PROBLEM_YAML, f"language {code}: it is not judged here"))
    offered = tuple(code for code in codes if code in LANGUAGES)
    if not offered:
        refuse(PROBLEM_YAML, f"none of its languages is judged here ({', '.join(LANGUAGES)})")
    return offered


def _time_limit(files: PackageFiles, limits: Mapping[str, Any], report: list[Finding]) -> float:
    """Seconds: of problem.yaml, of .timelimit, of DOMjudge's settings, or a guess."""
    stated: Any = limits.get("time_limit")
    if stated is None and ".timelimit" in files:
        stated = files[".timelimit"].decode("utf-8", "replace").strip()
    if stated is None and "domjudge-problem.ini" in files:
        stated = _of_domjudge(files["domjudge-problem.ini"].decode("utf-8", "replace"))
    try:
        seconds = float(stated)
    except (TypeError, ValueError):
        message = f"states no time limit; {_ASSUMED_TIME_S:g} s are taken"
        report.append(assumed(PROBLEM_YAML, message))
        return _ASSUMED_TIME_S
    low, high = CPU_S
    if low <= seconds <= high:
        return seconds
    report.append(assumed(PROBLEM_YAML, f"a time limit of {seconds:g} s: {high:g} s are the most"))
    return min(max(seconds, low), high)


def _of_domjudge(text: str) -> str | None:
    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string(f"[problem]\n{text}")
    except ConfigError:
        return None
    stated = parser.get("problem", "timelimit", fallback="")
    return re.sub(r"['\"\s]", "", stated) or None


def _within(name: str, stated: object, allowed: tuple[int, int], report: list[Finding]) -> int:
    low, high = allowed
    number = stated if isinstance(stated, int | float) else high
    if low <= number <= high:
        return int(number)
    report.append(assumed(PROBLEM_YAML, f"{name} is {number:g} MiB; {high} MiB are the most here"))
    return int(min(max(number, low), high))


def _mapping(stated: object) -> dict[str, Any]:
    return stated if isinstance(stated, dict) else {}
