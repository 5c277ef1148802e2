"""``judge problems``: lint, verify, generate and publish packages."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from judge import __version__
from judge.actions.publish import KEEP_SCORES
from judge.actions.publish import publish as publish_package
from judge.cli.exits import DONE, NOT_DONE, USAGE, error_exits, leave
from judge.cli.start import open_settings
from judge.db import migrate
from judge.db.engine import Database
from judge.domain.verdicts import Verdict
from judge.errors import Finding, PackageInvalid
from judge.grading.engines import python_engine
from judge.grading.pipeline import Grader
from judge.grading.prove import ProofReport, generated_cases, prove
from judge.grading.tools import ToolFailure, Tools
from judge.harness.languages import PYTHON
from judge.packages import writer
from judge.packages.builtin import builtin_slugs, load_named, locate
from judge.packages.files import PROOF_NAME
from judge.packages.lint import is_fit, lint
from judge.packages.package import Package
from judge.packages.proof import Proof, find_proof, write_proof

app = typer.Typer(no_args_is_help=True, help="Check, prove and publish problem packages.")
Names = Annotated[list[str] | None, typer.Argument(help="Slugs or folders; all built-in ones.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.command("lint")
def lint_command(problems: Names = None, as_json: AsJson = False) -> None:
    """Look for what can be seen without running anything; exit 0 only if fit."""
    names = _located(problems)
    reports = {name: _lint(name) for name in names}
    fit = all(is_fit(findings) for findings in reports.values())
    if as_json:
        shown = {name: [asdict(f) for f in findings] for name, findings in reports.items()}
        print(json.dumps({"fit": fit, "problems": shown}, ensure_ascii=False))
    else:
        for name, findings in reports.items():
            _print_findings(findings)
            print(f"{name}: {'fit' if is_fit(findings) else 'not fit'}")
    leave(DONE if fit else NOT_DONE)


@app.command("verify")
def verify_command(problems: Names = None, as_json: AsJson = False) -> None:
    """Lint, then run every claim of the packages; writes verified.json; exit 0 only if fit."""
    names = _located(problems)
    reports: dict[str, ProofReport] = {}
    with error_exits(), Grader(data_dir=open_settings().data_dir) as grader:
        for name in names:
            reports[name] = _verify(name, grader, quiet=as_json)
    fit = all(report.passed for report in reports.values())
    if as_json:
        shown = {name: asdict(report) for name, report in reports.items()}
        print(json.dumps({"fit": fit, "problems": shown}, ensure_ascii=False))
    else:
        for report in reports.values():
            _print_report(report)
    leave(DONE if fit else NOT_DONE)


@app.command("generate")
def generate_command(
    problem: Annotated[str, typer.Argument(help="Slug or folder.")],
    check: Annotated[bool, typer.Option("--check", help="Only compare; write nothing.")] = False,
) -> None:
    """Write a package's test data anew from its generator and reference."""
    with error_exits(), Grader((PYTHON,), data_dir=open_settings().data_dir) as grader:
        folder, package = _folder(problem), load_named(problem)
        with grader.boxes.open(python_engine.KIND) as box:
            cases = generated_cases(package, Tools(box, package.problem.signature))
    if isinstance(cases, ToolFailure):
        leave(NOT_DONE, cases.message)
    findings = writer.compare(package.files, package.problem.signature, cases)
    if check:
        _print_findings(findings)
        leave(NOT_DONE if findings else DONE)
    for finding in findings:
        if finding.code == "case-extra":
            (folder / finding.where).unlink()
    for path, content in writer.write_cases(package.problem.signature, cases).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    print(f"{package.slug}: {len(cases)} cases, {len(findings)} files changed")


@app.command("publish")
def publish_command(
    folder: Annotated[str, typer.Argument(help="Slug, folder or zip with its verified.json.")],
    keep_scores: Annotated[
        bool, typer.Option("--keep-scores", help="Allow a revision whose tests differ.")
    ] = False,
) -> None:
    """Publish a package that its verified.json proves."""
    with error_exits():
        package = load_named(folder)
        with Database(open_settings().database_url) as database:
            migrate.upgrade_database(database)
            proof = find_proof(package.files)
            scores = KEEP_SCORES if keep_scores else ""
            published = publish_package(database, package, proof, scores)
    state = "published" if published.is_new else "was published already"
    print(f"{package.slug}: revision {published.number} {state}")


def _located(problems: list[str] | None) -> tuple[str, ...]:
    """The named packages, all of which exist; a name that means nothing ends the command."""
    names = tuple(problems or builtin_slugs())
    with error_exits():
        for name in names:
            locate(name)
    return names


def _lint(name: str) -> tuple[Finding, ...]:
    try:
        package = load_named(name)
    except PackageInvalid as error:
        return error.findings
    return lint(package, _known_concepts(package))


def _known_concepts(package: Package) -> set[str]:
    """Names that a prerequisite may have: problems that are here, and concepts taught elsewhere."""
    return {*builtin_slugs(), package.slug}


def _verify(name: str, grader: Grader, *, quiet: bool) -> ProofReport:
    try:
        package = load_named(name)
    except PackageInvalid as error:
        return ProofReport(name, "", 0, error.findings, ())
    linted = lint(package, _known_concepts(package))
    if not is_fit(linted):
        return ProofReport(package.slug, package.content_hash, 0, linted, ())
    report = prove(package, grader, lambda step: None if quiet else _progress(name, step))
    whole = ProofReport(
        report.slug, report.content_hash, report.cases, linted + report.findings, report.rows
    )
    if whole.passed:
        _write_proof(name, whole)
    return whole


def _write_proof(name: str, report: ProofReport) -> None:
    path = locate(name)
    if not path.is_dir():
        return
    proof = Proof(
        content_hash=report.content_hash,
        judge=__version__,
        accepted=report.count(accepted=True),
        rejected=report.count(accepted=False),
        cases=report.cases,
    )
    (path / PROOF_NAME).write_bytes(write_proof(proof))


def _folder(name: str) -> Path:
    path = locate(name)
    if not path.is_dir():
        leave(USAGE, f"{name} is no folder: data can be written into a folder only")
    return path


def _progress(name: str, step: str) -> None:
    typer.echo(f"{name}: {step}", err=True)


def _print_findings(findings: list[Finding] | tuple[Finding, ...]) -> None:
    for finding in findings:
        print(finding)


def _print_report(report: ProofReport) -> None:
    for row in report.rows:
        mark = "ok  " if row.as_expected else "FAIL"
        groups = "" if row.verdict == Verdict.ACCEPTED else "  " + ", ".join(row.failed_groups)
        print(f"{mark} {row.path:<52} {row.verdict:<22} {row.earned:>3}/{row.max}{groups}")
    _print_findings(report.findings)
    caught = f"{report.count(accepted=True)} accepted, {report.count(accepted=False)} rejected"
    state = "proved" if report.passed else "not proved"
    print(f"{report.slug}: {state}; {report.cases} cases, {caught} as expected")
