"""An archive to everything that the judge says of it and keeps of it.

Owns the order: read, load, lint, translate. A ``verified.json`` in an upload counts for nothing, so
it is taken out first. Hostile input is read here with our own strict readers and nothing of it is
run, but it may cost all the time and memory that there is: whoever serves others calls this in a
process of its own (judge.packages.intake.child).
"""

from collections.abc import Collection
from dataclasses import dataclass

from judge.errors import Finding, PackageInvalid
from judge.packages.archives import read_archive
from judge.packages.content import Content, content_of
from judge.packages.files import MAX_PACKED_BYTES, PROOF_NAME, PackageFiles, refuse_as_too_large
from judge.packages.findings import cut_short
from judge.packages.lint import is_fit, lint
from judge.packages.package import load

# Test cases as they are stored, all together: an array takes more room there than in its file.
MAX_STORED_CASE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Examined:
    """What was found, and what is to be stored; ``content`` is None of what is refused."""

    findings: tuple[Finding, ...]
    content: Content | None


def examine(archive: bytes, known: Collection[str]) -> Examined:
    """Read and lint an upload; ``known`` are the slugs that prerequisites may name."""
    try:
        files = {**read_archive(archive)}
        files.pop(PROOF_NAME, None)
        package = load(PackageFiles(files), "")
        findings = lint(package, {*known, package.slug})
        if not is_fit(findings):
            return Examined(cut_short(findings), None)
        content = content_of(package)
        _check_stored(content)
    except PackageInvalid as error:
        return Examined(cut_short(error.findings), None)
    return Examined(cut_short(findings), content)


def reread(archive: bytes) -> Examined:
    """Read what was stored before: nothing of it is judged again."""
    try:
        return Examined((), content_of(load(read_archive(archive), "")))
    except PackageInvalid as error:
        return Examined(cut_short(error.findings), None)


def _check_stored(content: Content) -> None:
    if len(content.blob) > MAX_PACKED_BYTES:
        refuse_as_too_large(f"as a zip the package is larger than {MAX_PACKED_BYTES} bytes")
    stored = sum(len(case.arguments) + len(case.expected) for case in content.cases)
    if stored > MAX_STORED_CASE_BYTES:
        refuse_as_too_large(
            f"written as JSON the test cases are larger than {MAX_STORED_CASE_BYTES} bytes"
        )
