"""How surely a distribution's mutants are caught, and a speculative loop that proves itself."""

from dataclasses import replace

import pytest
from grading_packages import PACKAGES

from judge.cli.proof_table import print_report
from judge.domain.problem import Problem
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.grading.proof import ProofOptions, mutants, power, prove, report_to_json
from judge.grading.proof.calibration import calibrated
from judge.grading.proof.mutants import MutantRow, MutantsReport, kill_mutants
from judge.grading.proof.power import LEAST_POWER, PowerRow
from judge.packages.files import read_folder
from judge.packages.package import Package, load

SAMPLER, LOOP = "dist_sampler", "dist_speculative"
# A tenth of what a proof simulates: as safe, and only less exact.
RUNS = 100_000
ROW = MutantRow(
    id="sign:1:1:1",
    operator="sign",
    line=1,
    before="-1",
    after="1",
    verdict=Verdict.WRONG_ANSWER,
    first_case="sample/01",
    failed_groups=("sample",),
    equivalent="",
)


def read_package(slug: str) -> Package:
    return load(read_folder(PACKAGES / slug), slug)


@pytest.fixture(scope="module")
def sampler() -> Package:
    """With one case: it catches every mutant that can be caught."""
    package = read_package(SAMPLER)
    one: Problem = replace(package.problem, cases=package.problem.cases[:1])
    return replace(package, problem=calibrated(one, lambda _: None, RUNS))


def test_a_mutant_that_tokens_betray_is_shown_with_its_power(
    grader: Grader, sampler: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    # None of them comes near to the target.
    monkeypatch.setattr(power, "DRAWN_TIMES", 2)
    found = kill_mutants(sampler, grader, lambda _: None)
    assert found.findings == ()
    powers = {row.id: row.power for row in found.rows}
    assert powers["off-by-one:10:60:2"] == 1.0
    assert {row.power for row in found.rows if row.verdict == Verdict.WRONG_ANSWER} == {1.0}
    assert {row.power for row in found.rows if row.verdict != Verdict.WRONG_ANSWER} == {None}


def test_one_that_is_caught_by_luck_counts_as_a_survivor(
    grader: Grader, sampler: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    luck = PowerRow("", "sample/01", 0.75, 100_000)
    monkeypatch.setattr(mutants, "power_against", lambda *_: luck)
    found = kill_mutants(sampler, grader, lambda _: None)
    by_tokens = [row for row in found.rows if row.verdict == Verdict.WRONG_ANSWER]
    assert len(by_tokens) > 5
    assert [finding.code for finding in found.findings] == ["mutant-survived"] * len(by_tokens)
    assert (
        "no test case catches with a chance above 0.75000, 0.99999 needed, "
        "variable:9:39:1: probs -> uniforms;"
    ) in found.findings[0].message


def test_to_be_killed_takes_a_verdict_and_no_luck() -> None:
    assert ROW.is_killed
    assert replace(ROW, power=LEAST_POWER).is_killed
    assert not replace(ROW, power=0.9999).is_killed
    assert not replace(ROW, verdict=Verdict.ACCEPTED).is_killed


def test_one_by_luck_may_be_explained_as_equivalent() -> None:
    explained = replace(ROW, power=0.3, equivalent="differs by less than can be seen")
    assert MutantsReport((explained,)).equivalent == 1


@pytest.mark.slow
def test_a_speculative_loop_proves_itself(
    grader: Grader, capsys: pytest.CaptureFixture[str]
) -> None:
    report = prove(read_package(LOOP), grader, lambda _: None, ProofOptions(first_seed=1))
    assert report.findings == ()
    assert {row.power for row in report.power} == {1.0}
    killed = report.mutants
    assert (len(killed.rows), killed.killed, killed.equivalent) == (82, 74, 8)
    shown = [row for row in report_to_json(report)["mutants"]["rows"] if "power" in row]
    assert len(shown) > 40
    assert {row["power"] for row in shown} == {1.0}
    print_report(report)
    assert f"{len(shown)} of {len(shown)} >= 0.99999" in capsys.readouterr().out
