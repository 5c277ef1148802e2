"""Rules on what the manifests promise: proof, reveal rules, groups, checker, texts."""

from collections.abc import Iterator, Mapping

from judge.domain.problem import Mode, Visibility
from judge.errors import Finding
from judge.packages.cases import group_yaml_path
from judge.packages.checker_program import CHECK, FOLDER
from judge.packages.files import PROOF_NAME
from judge.packages.package import Package
from judge.packages.proof import find_proof
from judge.packages.yaml_text import Location, YamlText


def proof_is_fresh(package: Package) -> Iterator[Finding]:
    """A proof that lies in the package speaks of this package."""
    if PROOF_NAME not in package.files:
        return
    proof = find_proof(package.files)
    if proof is None:
        message = "is no proof that this release can read; verify the package again"
        yield Finding("stale-proof", PROOF_NAME, message, "warning")
    elif proof.content_hash != package.content_hash:
        message = "proves other content than this; verify the package again"
        yield Finding("stale-proof", PROOF_NAME, message, "warning")


def something_to_reveal(package: Package) -> Iterator[Finding]:
    """Where failed cases may be shown, some case may be shown."""
    may_show = package.judge_yaml.reveal.cases
    hidden = [case for case in package.problem.cases if case.group != "sample"]
    if may_show and hidden and all(case.visibility is Visibility.HIDDEN for case in hidden):
        where = package.judge_yaml_text.where(("reveal", "cases"))
        message = f"reveal.cases is {may_show}, but full_feedback is false for every hidden case"
        yield Finding("nothing-to-reveal", where, message, "warning")


def groups_without_circle(package: Package) -> Iterator[Finding]:
    """No group waits for itself by way of others: none of them could ever score."""
    needed = {group.name: group.require_pass for group in package.problem.groups}
    for name in needed:
        if name in _needed_by(name, needed):
            where = _line_of(package, group_yaml_path(name), "require_pass")
            message = "require_pass leads back to this group, so that it could never score"
            yield Finding("group-circle", where, message)


def checker_has_program(package: Package) -> Iterator[Finding]:
    """A custom checker has its program, and no other checker has one that is never asked."""
    kind = package.problem.checker.kind
    programs = package.files.below(FOLDER)
    if package.problem.mode is Mode.FUNCTION:
        found = f"{FOLDER}/{CHECK}" in programs
        wanted = f"{FOLDER}/{CHECK} with check(arguments, returned, expected)"
    else:
        found, wanted = bool(programs), f"a program in {FOLDER}/"
    if kind == "custom" and not found:
        where = package.judge_yaml_text.where(("checker", "kind"))
        yield Finding("missing-checker", where, f"a custom checker needs {wanted}")
    if kind != "custom" and programs:
        message = f"is never asked: the checker is {kind}, not custom"
        yield Finding("unused-checker", programs[0], message, "warning")


def plain_texts(package: Package) -> Iterator[Finding]:
    """Texts of the manifests are shown as they are: TeX in them would stay TeX."""
    titles: dict[Location, str] = {("name", k): v for k, v in package.names.items()}
    yield from _tex_in(package.problem_yaml_text, titles)
    yield from _tex_in(package.judge_yaml_text, _judge_yaml_texts(package))


def _tex_in(document: YamlText, texts: Mapping[Location, str]) -> Iterator[Finding]:
    for location, text in texts.items():
        if "\\" in text:
            message = f"a backslash stays in the text: {text!r:.80}"
            yield Finding("leftover-backslash", document.where(location), message)
        if "$" in text:
            message = f"a dollar sign stays in the text: {text!r:.80}"
            yield Finding("leftover-dollar", document.where(location), message, "warning")


def _judge_yaml_texts(package: Package) -> dict[Location, str]:
    yaml = package.judge_yaml
    texts: dict[Location, str] = {
        ("signature", "docs", locale, name): text
        for locale, docs in yaml.signature.docs.items()
        for name, text in docs.items()
    }
    for folder, group in yaml.groups.items():
        texts |= {("groups", folder, "title", k): text for k, text in group.title.items()}
        texts |= {("groups", folder, "hint", k): text for k, text in group.hint.items()}
    return texts


def _needed_by(name: str, needed: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Every group that must pass before this one, directly or by way of others."""
    found: set[str] = set()
    waiting = list(needed[name])
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting.extend(needed.get(other, ()))
    return found


def _line_of(package: Package, path: str, key: str) -> str:
    lines = package.files.get(path, b"").decode(errors="replace").splitlines()
    number = next((n for n, line in enumerate(lines, start=1) if line.startswith(key)), 1)
    return f"{path}:{number}"
