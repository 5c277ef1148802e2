"""data/ of a Kattis package: cases and their scores in the judge's form.

The judge has the group ``sample`` and groups ``secret/<name>`` whose max_score is given only if all
of their cases pass. What comes to the same is taken over; scores that a single case can earn on its
own, or that a validator or a grader program makes, are refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from judge.errors import Finding
from judge.packages.files import PackageFiles
from judge.packages.kattis.manifest import LEGACY, Facts
from judge.packages.kattis.notices import dropped, refuse
from judge.packages.kattis.yaml_out import dump
from judge.packages.yaml_text import parse_yaml

SAMPLE, ONLY_GROUP = "sample", "10-hidden"
_CONFIGS = ("test_group.yaml", "testdata.yaml")
_AGGREGATORS = ("sum", "avg", "min", "max")
_PARTIAL = ("always_accept", "accept_if_any_accepted")
_ALL_POINTS = 100
# What a case may have besides its input and answer.
_TEXTS = {".hint": "hint", ".desc": "description"}


@dataclass(frozen=True)
class ImportedGroup:
    """One group: its folder below data/ and its score."""

    name: str
    max_score: int


@dataclass(frozen=True)
class ImportedData:
    """The files of data/, the groups, and what the output validator is called with."""

    files: dict[str, bytes]
    groups: tuple[ImportedGroup, ...]
    validator_flags: tuple[str, ...]


Config = Mapping[str, Any]


def import_data(files: PackageFiles, facts: Facts, report: list[Finding]) -> ImportedData:
    """All cases in the judge's folders.

    Raises:
        PackageInvalid: something about them is not offered.
    """
    configs = _read_configs(files)
    stems = [path[: -len(".in")] for path in _cases(files)]
    if not any(stem.startswith("data/secret/") for stem in stems):
        refuse("data/secret", "holds no test case")
    flags = _one_set_of_flags(facts, stems, configs)
    homes, groups = _groups(facts, stems, configs)
    made: dict[str, bytes] = {}
    for stem in stems:
        made |= _case(files, stem, homes[stem], report)
    for group in groups:
        config = {"max_score": group.max_score}
        if group.name != SAMPLE:
            config |= _required(configs, group.name, facts)
        made[f"data/{group.name}/test_group.yaml"] = dump(config)
    if flags and facts.is_custom:
        made["data/test_group.yaml"] = dump({"output_validator_args": list(flags)})
    return ImportedData(made, groups, flags)


def _cases(files: PackageFiles) -> list[str]:
    """Paths of all inputs that are judged; whatever cannot be left out ends the import."""
    for path in files.below("data"):
        if path.endswith(".interaction"):
            refuse(path, "the problem is interactive, which the judge does not offer")
        if "/secret/" in path and ".files/" in path:
            refuse(path, "a case has files of its own, which the judge does not offer")
    folders = ("data/sample", "data/secret")
    return [path for one in folders for path in files.below(one) if path.endswith(".in")]


def _read_configs(files: PackageFiles) -> dict[str, dict[str, Any]]:
    """What the settings of each folder say, by folder."""
    found: dict[str, dict[str, Any]] = {}
    for path in files.below("data"):
        folder, _, name = path.rpartition("/")
        if name in _CONFIGS:
            data = parse_yaml(path, files[path]).data or {}
            if not isinstance(data, dict):
                refuse(path, "is no mapping")
            found[folder] = data
    return found


def _inherited(configs: Mapping[str, Config], folder: str, keys: tuple[str, ...]) -> Config:
    """The values of these keys for a folder; those nearest to it count."""
    values: dict[str, Any] = {}
    parts = folder.split("/")
    for depth in range(1, len(parts) + 1):
        config = configs.get("/".join(parts[:depth]), {})
        values |= {key: config[key] for key in keys if config.get(key) is not None}
    return values


def _one_set_of_flags(
    facts: Facts, stems: list[str], configs: Mapping[str, Config]
) -> tuple[str, ...]:
    keys = ("output_validator_flags", "output_validator_args", "grading", "static_validation")
    found: dict[tuple[str, ...], str] = {}
    for folder in dict.fromkeys(stem.rpartition("/")[0] for stem in stems):
        config = _inherited(configs, folder, keys)
        if config.get("grading", "default") != "default":
            refuse(folder, "a grader program makes the score, which the judge does not offer")
        if config.get("static_validation"):
            refuse(folder, "the source itself is validated, which the judge does not offer")
        stated = config.get("output_validator_args", config.get("output_validator_flags", ""))
        words = stated.split() if isinstance(stated, str) else map(str, stated)
        found.setdefault((*facts.validator_flags, *words), folder)
    if len(found) > 1:
        message = "groups differ in the output validator's arguments; one set is offered"
        refuse(", ".join(found.values()), message)
    return next(iter(found), ())


def _groups(
    facts: Facts, stems: list[str], configs: Mapping[str, Config]
) -> tuple[dict[str, str], tuple[ImportedGroup, ...]]:
    """Where each case goes, and the groups with their scores."""
    sample = [stem for stem in stems if stem.startswith("data/sample/")]
    secret = [stem for stem in stems if stem not in sample]
    homes = {stem: f"{SAMPLE}/{_flat(stem, 'data/sample')}" for stem in sample}
    score = _group_score(facts, "data/sample", len(sample), configs) if facts.is_scoring else 0
    groups = [ImportedGroup(SAMPLE, score)]
    if not facts.is_scoring:
        homes |= {one: f"secret/{ONLY_GROUP}/{_flat(one, 'data/secret')}" for one in secret}
        return homes, (*groups, ImportedGroup(f"secret/{ONLY_GROUP}", _ALL_POINTS))
    names = {stem: _group_name(stem) for stem in secret}
    if "" in names.values() and set(names.values()) != {""}:
        refuse("data/secret", "some cases stand in groups and some do not")
    for name in dict.fromkeys(names.values()):
        folder = f"data/secret/{name}".rstrip("/")
        inside = [stem for stem in secret if names[stem] == name]
        home = f"secret/{name or ONLY_GROUP}"
        homes |= {stem: f"{home}/{_flat(stem, folder)}" for stem in inside}
        groups.append(ImportedGroup(home, _group_score(facts, folder, len(inside), configs)))
    if sum(group.max_score for group in groups) == 0:
        refuse("data/secret", "no group has a score")
    return homes, tuple(groups)


def _group_name(stem: str) -> str:
    """The folder below data/secret that a case stands in; empty where it stands there itself."""
    parts = stem.split("/")
    return parts[2] if len(parts) > 3 else ""


def _flat(stem: str, folder: str) -> str:
    """A case's name in one folder: deeper folders become part of it."""
    return stem.removeprefix(f"{folder}/").replace("/", "-")


def _group_score(facts: Facts, folder: str, cases: int, configs: Mapping[str, Config]) -> int:
    if facts.version == LEGACY:
        return _legacy_score(folder, cases, configs)
    config = configs.get(folder, {})
    how = config.get("score_aggregation", "pass-fail")
    if how not in ("pass-fail", "min") and cases > 1:
        refuse(folder, f"score_aggregation {how}: single cases have scores; only groups may here")
    return _whole(folder, config.get("max_score", 0 if folder == "data/sample" else None))


def _legacy_score(folder: str, cases: int, configs: Mapping[str, Config]) -> int:
    """What the group gives if all its cases are accepted; partial scores are refused."""
    root_flags = str(configs.get("data", {}).get("grader_flags", "")).split()
    if folder == "data/sample" and "ignore_sample" in root_flags:
        return 0
    config = _inherited(configs, folder, ("accept_score",))
    accept = config.get("accept_score", 1)
    flags = str(configs.get(folder, {}).get("grader_flags", "")).split()
    if cases > 1 and set(flags) & set(_PARTIAL):
        refuse(folder, "single cases have scores of their own; only groups may have scores here")
    how = next((flag for flag in reversed(flags) if flag in _AGGREGATORS), "sum")
    return _whole(folder, accept * cases if how == "sum" else accept)


def _whole(folder: str, score: object) -> int:
    if not isinstance(score, int | float) or score != int(score) or score < 0:
        refuse(folder, f"a group's score is a whole number here, not {score!r}")
    return int(score)


def _required(configs: Mapping[str, Config], name: str, facts: Facts) -> dict[str, Any]:
    """The groups that have to pass before this one scores."""
    if not facts.is_scoring:
        return {"require_pass": SAMPLE}
    stated = configs.get(f"data/{name}", {}).get("require_pass")
    return {} if not stated else {"require_pass": stated}


def _case(files: PackageFiles, stem: str, home: str, report: list[Finding]) -> dict[str, bytes]:
    """The files of one case in its new place."""
    made = {f"data/{home}.in": files[f"{stem}.in"]}
    if f"{stem}.ans" in files:
        made[f"data/{home}.ans"] = files[f"{stem}.ans"]
    config = _case_config(files, stem)
    for path in _beside(files, stem):
        suffix = path.removeprefix(stem)
        if suffix in _TEXTS:
            config[_TEXTS[suffix]] = files[path].decode("utf-8", "replace").strip()
        elif suffix not in (".in", ".ans", ".yaml"):
            report.append(dropped(path, "nothing shows this file here"))
    kept = {key: value for key, value in config.items() if value}
    return made | ({f"data/{home}.yaml": dump(kept)} if kept else {})


def _case_config(files: PackageFiles, stem: str) -> dict[str, Any]:
    path = f"{stem}.yaml"
    data = parse_yaml(path, files[path]).data if path in files else {}
    config = data if isinstance(data, dict) else {}
    for key in ("args", "output_validator_args"):
        if config.get(key):
            refuse(path, f"{key} of a single case is not offered")
    known = ("hint", "description", "full_feedback")
    return {key: config[key] for key in known if config.get(key) is not None}


def _beside(files: PackageFiles, stem: str) -> Iterator[str]:
    folder, _, name = stem.rpartition("/")
    for path in files.below(folder):
        if path.rpartition("/")[0] == folder and PurePosixPath(path).name.startswith(f"{name}."):
            yield path
