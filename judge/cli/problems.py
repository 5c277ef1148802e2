"""``judge problems``: lint, verify, generate and publish packages."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from judge import __version__
from judge.cli.exits import DONE, NOT_DONE, USAGE, error_exits, leave
from judge.cli.kattis import export_command, import_command
from judge.cli.new_problem import new_command
from judge.cli.own_proofs import keep_proof
from judge.cli.proof_table import print_report
from judge.cli.publishing import (
    download_command,
    publish_command,
    restore_command,
    retire_command,
    revisions_command,
)
from judge.cli.start import open_settings
from judge.errors import Finding, PackageInvalid
from judge.grading.engines import python_engine
from judge.grading.pipeline import Grader
from judge.grading.proof import (
    ProofOptions,
    ProofReport,
    generated_cases,
    report_to_json,
    steady_part,
    unproved,
    verify,
)
from judge.grading.tools import ToolFailure, Tools
from judge.harness.languages import PYTHON
from judge.packages import writer
from judge.packages.builtin import builtin_slugs, load_named, load_to_generate, locate
from judge.packages.files import PROOF_NAME
from judge.packages.lint import is_fit, lint
from judge.packages.package import Package
from judge.packages.proof import Proof, write_proof

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Check, prove and publish problem packages."
)
Names = Annotated[list[str] | None, typer.Argument(help="Slugs or folders; all built-in ones.")]
app.command("new")(new_command)
app.command("publish")(publish_command)
app.command("retire")(retire_command)
app.command("restore")(restore_command)
app.command("revisions")(revisions_command)
app.command("download")(download_command)
app.command("import")(import_command)
app.command("export")(export_command)
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
def verify_command(
    problems: Names = None,
    as_json: AsJson = False,
    all_groups: Annotated[
        bool, typer.Option("--all-groups", help="Run every mutant on every case: the kill matrix.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Repeat the fresh inputs of a report.")
    ] = None,
    reports: Annotated[
        Path | None,
        typer.Option("--reports", help="Write each report there, without times, to compare."),
    ] = None,
) -> None:
    """Lint, then run every claim of the packages; writes verified.json; exit 0 only if fit."""
    names = _located(problems)
    options = ProofOptions(seed, all_groups=all_groups)
    found: dict[str, ProofReport] = {}
    with error_exits(), Grader(data_dir=open_settings().data_dir) as grader:
        for name in names:
            found[name] = _verify(name, grader, options, quiet=as_json)
            if found[name].passed:
                proof = _proof(found[name])
                keep_proof(open_settings().data_dir, proof)
                if locate(name).is_dir():
                    (locate(name) / PROOF_NAME).write_bytes(write_proof(proof))
    shown = {name: report_to_json(report) for name, report in found.items()}
    if reports is not None:
        _write_reports(reports, shown.values())
    fit = all(report.passed for report in found.values())
    if as_json:
        print(json.dumps({"fit": fit, "problems": shown}, ensure_ascii=False))
    else:
        for report in found.values():
            print_report(report)
    leave(DONE if fit else NOT_DONE)


@app.command("generate")
def generate_command(
    problem: Annotated[str, typer.Argument(help="Slug or folder.")],
    check: Annotated[bool, typer.Option("--check", help="Only compare; write nothing.")] = False,
) -> None:
    """Write a package's test data anew from its generator and reference."""
    with error_exits(), Grader((PYTHON,), data_dir=open_settings().data_dir) as grader:
        folder = _folder(problem)
        package, files = load_to_generate(problem)
        with grader.boxes.open(python_engine.KIND) as box:
            cases = generated_cases(
                package, Tools(box, package.problem.signature, package.reference_signature)
            )
    if isinstance(cases, ToolFailure):
        leave(NOT_DONE, cases.message)
    findings = writer.compare(files, package.case_signature, cases)
    if check:
        _print_findings(findings)
        leave(NOT_DONE if findings else DONE)
    for finding in findings:
        if finding.code == "case-extra":
            (folder / finding.where).unlink()
    for path, content in writer.write_cases(package.case_signature, cases).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    print(f"{package.slug}: {len(cases)} cases, {len(findings)} files changed")


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


def _verify(name: str, grader: Grader, options: ProofOptions, *, quiet: bool) -> ProofReport:
    def on_progress(step: str) -> None:
        if not quiet:
            typer.echo(f"{name}: {step}", err=True)

    try:
        package = load_named(name)
    except PackageInvalid as error:
        return unproved(name, error.findings)
    return verify(package, builtin_slugs(), grader, on_progress, options)


def _write_reports(folder: Path, reports: Iterable[dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for report in reports:
        text = json.dumps(steady_part(report), ensure_ascii=False, indent=1)
        (folder / f"{report['slug']}.json").write_text(text + "\n")


def _proof(report: ProofReport) -> Proof:
    return Proof(
        content_hash=report.content_hash,
        judge=__version__,
        accepted=report.count(accepted=True),
        rejected=report.count(accepted=False),
        cases=report.cases,
        calibration=report.calibration,
    )


def _folder(name: str) -> Path:
    path = locate(name)
    if not path.is_dir():
        leave(USAGE, f"{name} is no folder: data can be written into a folder only")
    return path


def _print_findings(findings: list[Finding] | tuple[Finding, ...]) -> None:
    for finding in findings:
        print(finding)
