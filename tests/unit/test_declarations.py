"""The lines that declare mutants equivalent fit into the judge.yaml that is there."""

import pytest
from package_builder import JUDGE_YAML, load_package

from judge.cli.proof_table import print_report
from judge.domain.verdicts import Verdict
from judge.grading.proof.declarations import declaration
from judge.grading.proof.mutants import MutantRow, MutantsReport
from judge.grading.proof.report import ProofReport

IDS = ("sign:2:9:1", "comparison:2:16:1")
LINE = JUDGE_YAML.count("\n")
THERE = "- {id: 'sign:1:1:1', reason: none}\n"


def lines(judge_yaml: str) -> str:
    package = load_package({"judge.yaml": judge_yaml})
    return declaration(package.files, package.judge_yaml_text, IDS)


@pytest.mark.parametrize(
    ("there", "place"),
    [
        ("", "judge.yaml, at its end"),
        ("mutants:\n  required_kill: all\n", f"judge.yaml:{LINE + 1}, below mutants"),
        (
            "mutants:\n  equivalent: []\n",
            f"judge.yaml:{LINE + 2}, below mutants.equivalent, in place of []",
        ),
        (
            f"mutants:\n  equivalent:\n    {THERE}",
            f"judge.yaml:{LINE + 2}, below mutants.equivalent",
        ),
        (f"mutants:\n  equivalent:\n  {THERE}", f"judge.yaml:{LINE + 2}, below mutants.equivalent"),
    ],
    ids=["nothing", "mutants", "an empty list", "an entry", "an entry without indentation"],
)
def test_pasted_where_they_say_they_declare_every_mutant(there: str, place: str) -> None:
    whole = JUDGE_YAML + there
    pasted = whole.replace("equivalent: []", "equivalent:") + lines(whole)
    comment = [line for line in pasted.splitlines() if line.startswith("# ")]
    assert comment == [f"# {place}"]
    declared = load_package({"judge.yaml": pasted}).judge_yaml.mutants.equivalent
    assert [one.id for one in declared][-2:] == list(IDS)


def test_no_survivor_needs_no_lines() -> None:
    package = load_package()
    assert declaration(package.files, package.judge_yaml_text, ()) == ""


def test_the_terminal_shows_them_after_the_findings(capsys: pytest.CaptureFixture[str]) -> None:
    row = MutantRow(IDS[0], "sign", 2, "a", "-a", Verdict.ACCEPTED, "", (), "")
    shown = lines(JUDGE_YAML)
    mutants = MutantsReport(rows=(row,), declaration=shown)
    print_report(ProofReport("count_large", "0" * 64, 4, (), (), mutants, 0, 0, ()))
    printed = capsys.readouterr().out
    assert shown in printed
    assert printed.index(shown) < printed.index("count_large: ")


def test_the_terminal_says_that_a_weak_group_asks_for_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    weak = ("secret/10-basic",)
    print_report(ProofReport("count_large", "0" * 64, 4, (), (), MutantsReport(), 0, 0, weak))
    (line,) = [one for one in capsys.readouterr().out.splitlines() if "weak" in one]
    assert line.startswith("weak groups: secret/10-basic (")
    assert "nothing needs to be done" in line
