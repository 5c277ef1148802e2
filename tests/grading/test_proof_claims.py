"""What a proof claims beyond its cases: fresh inputs, scores, tolerance, time, a report."""

import json
from collections.abc import Mapping

import pytest
from package_builder import JUDGE_YAML, PROBLEM_YAML, REFERENCE, case_text, load_package
from test_prove import CLEAN, GENERATOR, findings, proof

from judge.grading.pipeline import Grader
from judge.grading.proof import ProofOptions, prove, report_to_json, steady_part
from judge.grading.proof.report import SubmissionRow
from judge.grading.proof.times import time_limit_has_room, time_limit_is_no_waste
from judge.packages.package import Package

WITHOUT_FRESH = GENERATOR[: GENERATOR.index("\n\ndef fresh")]
RIGHT_ON_ALL_CASES = """\
def count_large(values, limit):
    if len(values) == 4:
        return -1
    return sum(value > limit for value in values)
"""
FLOAT_REFERENCE = REFERENCE.replace("return sum(", "return float(sum(").rstrip() + ")\n"
FLOATS: Mapping[str, str] = {
    "judge.yaml": JUDGE_YAML.replace("returns: int", "returns: float").replace(
        "{kind: exact}", "{kind: close, abs: 1.0e-9, rel: 0}"
    ),
    "reference.py": FLOAT_REFERENCE,
    **{
        f"submissions/{name}": FLOAT_REFERENCE.replace(*change)
        for name, change in {
            "accepted/loop.py": ("", ""),
            "wrong_answer/not_strict.py": (">", ">="),
        }.items()
    },
    "data/sample/01.ans": "2.0\n",
    "data/secret/10-basic/01.ans": "1.0\n",
    "data/secret/10-basic/02.ans": "2.0\n",
    "data/secret/20-edges/01.ans": "0.0\n",
}


class TestFreshInputs:
    def test_accepted_submissions_agree_with_the_reference_on_them(self, grader: Grader) -> None:
        report = proof(grader)
        assert (report.fresh_inputs, report.first_seed) == (5, 1)

    def test_one_that_is_right_on_all_cases_only_is_found_with_its_seed(
        self, grader: Grader
    ) -> None:
        found = findings(grader, {"submissions/accepted/loop.py": RIGHT_ON_ALL_CASES})
        assert found["references-disagree"].where == "submissions/accepted/loop.py"
        assert found["references-disagree"].message.startswith("fresh(")

    @pytest.mark.slow
    def test_seeds_differ_from_proof_to_proof_and_can_be_repeated(self, grader: Grader) -> None:
        package = load_package(CLEAN)
        seeds = [
            prove(package, grader, lambda _: None, ProofOptions(fresh_inputs=1)).first_seed
            for _ in range(2)
        ]
        assert seeds[0] != seeds[1]
        again = prove(package, grader, lambda _: None, ProofOptions(seeds[0], fresh_inputs=1))
        assert again.first_seed == seeds[0]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("fresh", "code"),
        [
            ("", "fresh-failed"),
            ("def fresh(seed):\n    return [1.0], 'one'\n", "fresh-failed"),
            ("def fresh(seed):\n    return 1 // 0\n", "fresh-failed"),
            (
                "import os\n\ndef fresh(seed):\n    return [float(os.urandom(2)[0])], 0.5\n",
                "fresh-failed",
            ),
            ("def fresh(seed):\n    return [], 1.0\n", "fresh-too-rare"),
            ("def fresh(seed):\n    return [1.0], 1.0\n", "fresh-too-rare"),
        ],
        ids=["not there", "wrong type", "raises", "no seed", "never valid", "always on an edge"],
    )
    def test_a_maker_of_inputs_that_makes_none_is_found(
        self, grader: Grader, fresh: str, code: str
    ) -> None:
        margins = (
            "def distance(case):\n    return min(abs(v - case['limit']) for v in case['values'])\n"
        )
        changes = {"generators/cases.py": f"{WITHOUT_FRESH}\n\n{fresh}", "margins.py": margins}
        assert code in findings(grader, changes)

    @pytest.mark.slow
    def test_a_mutant_that_is_said_to_be_equivalent_is_held_to_them(self, grader: Grader) -> None:
        """No case of the package has four values; every fresh input has."""
        reference = REFERENCE.replace(
            "    return",
            "    if len(values) > 3:\n        return sum(v > limit for v in values)\n    return",
        )
        report = proof(grader, {"reference.py": reference})
        survivors = [row for row in report.mutants.rows if not row.is_killed]
        assert survivors
        equivalent = "".join(f"\n    - {{id: '{row.id}', reason: no}}" for row in survivors)
        declared = f"{JUDGE_YAML}mutants:\n  equivalent:{equivalent}\n"
        changes = {"judge.yaml": declared, "reference.py": reference}
        found = [f for f in proof(grader, changes).findings if f.code == "equivalent-killed"]
        assert any("fresh/" in finding.message for finding in found)


class TestScoresAndMessages:
    @pytest.mark.parametrize(
        "stated",
        [
            "score: 40",
            "score: [0, 40]",
            "score: 40, secret/20-edges: {score: 0}",
            "secret: {score: 40}",
            "message: expected 0",
        ],
    )
    def test_what_holds_is_no_finding(self, grader: Grader, stated: str) -> None:
        assert proof(grader, self.submissions(stated)).passed

    @pytest.mark.parametrize(
        ("stated", "code"),
        [
            ("score: 100", "score-unmet"),
            ("score: [41, 100]", "score-unmet"),
            ("secret/10-basic: {score: 0}", "score-unmet"),
            ("message: no such words", "message-unmet"),
            ("secret/10-basic: {message: expected 0}", "message-unmet"),
        ],
    )
    def test_what_does_not_is(self, grader: Grader, stated: str, code: str) -> None:
        found = findings(grader, self.submissions(stated))
        assert found[code].where.startswith("submissions/submissions.yaml:2")

    @staticmethod
    def submissions(stated: str) -> dict[str, str]:
        lines = (
            "accepted/loop.py: {required: [AC]}",
            f"wrong_answer/not_strict.py: {{required: [WA], {stated}}}",
        )
        return {"submissions/submissions.yaml": "\n".join(lines) + "\n"}


class TestTolerance:
    def test_a_float_package_proves_itself(self, grader: Grader) -> None:
        assert [str(finding) for finding in proof(grader, FLOATS).findings] == []

    def test_one_below_four_units_in_the_last_place_is_found(self, grader: Grader) -> None:
        judge_yaml = FLOATS["judge.yaml"].replace("abs: 1.0e-9", "abs: 1.0e-15")
        found = findings(grader, {**FLOATS, "judge.yaml": judge_yaml})
        assert found["tolerance-too-small"].where.startswith("judge.yaml:")
        assert "largest answer, 2" in found["tolerance-too-small"].message

    def test_an_accepted_submission_that_uses_more_than_a_tenth_of_it_is_found(
        self, grader: Grader
    ) -> None:
        near = FLOAT_REFERENCE.replace("return ", "return 3e-10 + ")
        found = findings(grader, {**FLOATS, "submissions/accepted/loop.py": near})
        assert found["near-tolerance"].where == "submissions/accepted/loop.py"
        assert "accepted-rejected" not in found


class TestOwnChecker:
    """The function may give any number of the same sign: only the package's program knows."""

    CHECK = (
        "def check(arguments, returned, expected):\n    return (returned > 0) == (expected > 0)\n"
    )
    RIGHT = "def count_large(values, limit):\n    return 7 * any(v > limit for v in values)\n"

    def package(self, check: str = CHECK) -> dict[str, str]:
        judge_yaml = JUDGE_YAML.replace("{kind: exact}", "{kind: custom}")
        return {
            "judge.yaml": judge_yaml,
            "output_validator/check.py": check,
            "submissions/accepted/any.py": self.RIGHT,
            "submissions/wrong_answer/not_strict.py": REFERENCE.replace(">", "<"),
            "submissions/submissions.yaml": (
                "accepted: {required: [AC]}\nwrong_answer: {required: [WA]}\n"
            ),
        }

    def test_lets_other_right_answers_pass(self, grader: Grader) -> None:
        report = proof(grader, self.package())
        assert {row.path: row.verdict for row in report.rows} == {
            "accepted/any.py": "accepted",
            "accepted/loop.py": "accepted",
            "wrong_answer/not_strict.py": "wrong_answer",
        }
        # What only the number shows survives: the checker does not look at it.
        assert {finding.code for finding in report.findings} <= {"mutant-survived"}

    @pytest.mark.parametrize("condition", ["True", "len(arguments['values']) > 3"])
    def test_that_breaks_is_a_finding_also_on_fresh_inputs_only(
        self, grader: Grader, condition: str
    ) -> None:
        check = self.CHECK.replace("    return", f"    assert not ({condition})\n    return")
        found = findings(grader, self.package(check))
        assert found["checker-broken"].where == "output_validator"


class TestRoomForTime:
    """Limit 2 s; the multiples are Kattis' own, 2.0 and 1.5."""

    @pytest.mark.parametrize(
        ("folder", "verdict", "cpu_ms", "codes"),
        [
            ("accepted", "accepted", 1000, []),
            ("accepted", "accepted", 1001, ["time-limit-too-tight"]),
            ("time_limit_exceeded", "time_limit_exceeded", 2999, ["too-slow-too-close"]),
            ("time_limit_exceeded", "time_limit_exceeded", 3000, []),
            ("wrong_answer", "wrong_answer", 1900, []),
        ],
    )
    def test_of_one_submission(
        self, folder: str, verdict: str, cpu_ms: int, codes: list[str]
    ) -> None:
        rows = [self.row(folder, "python", verdict, cpu_ms)]
        assert [finding.code for finding in time_limit_has_room(self.package(), rows)] == codes

    def test_one_that_idles_has_no_time_to_compare(self) -> None:
        row = self.row("time_limit_exceeded", "python", "time_limit_exceeded", 1, "idle")
        assert list(time_limit_has_room(self.package(), [row])) == []

    def test_a_language_has_the_limit_of_its_factor(self) -> None:
        changed = JUDGE_YAML.replace(
            "limits: {", "limits: {per_language: {java: {time_factor: 3}}, "
        )
        package = load_package({**CLEAN, "judge.yaml": changed})
        rows = [self.row("accepted", "java", "accepted", 2900)]
        assert list(time_limit_has_room(package, rows)) == []

    @pytest.mark.parametrize(
        ("limit", "slowest_ms", "codes"),
        [
            ("10.0", 1, []),
            ("20.0", 399, ["time-limit-too-wide"]),
            ("20.0", 400, []),
        ],
    )
    def test_a_long_limit_that_nothing_comes_near_to_is_a_warning(
        self, limit: str, slowest_ms: int, codes: list[str]
    ) -> None:
        text = PROBLEM_YAML.replace("time_limit: 2.0", f"time_limit: {limit}")
        rows = [self.row("accepted", "python", "accepted", slowest_ms)]
        found = list(time_limit_is_no_waste(load_package({**CLEAN, "problem.yaml": text}), rows))
        assert [(one.code, one.severity) for one in found] == [(code, "warning") for code in codes]

    def test_stated_multiples_count(self) -> None:
        text = PROBLEM_YAML.replace(
            "time_limit: 2.0", "time_limit: 2.0, time_multipliers: {ac_to_time_limit: 5.0}"
        )
        rows = [self.row("accepted", "python", "accepted", 500)]
        found = list(time_limit_has_room(load_package({**CLEAN, "problem.yaml": text}), rows))
        assert found[0].where == "problem.yaml:6"
        assert "at least 2.5 s, not 2 s" in found[0].message

    @staticmethod
    def package() -> Package:
        return load_package(CLEAN)

    @staticmethod
    def row(
        folder: str, language: str, verdict: str, cpu_ms: int, reason: str = "cpu_time"
    ) -> SubmissionRow:
        return SubmissionRow(
            f"{folder}/one", language, verdict, reason, 0, 100, cpu_ms, (), as_expected=True
        )


class TestReport:
    def test_says_which_groups_nothing_wrong_depends_on(self, grader: Grader) -> None:
        report = proof(grader)
        assert report.weak_groups == ("secret/10-basic",)

    def test_is_json_with_everything_and_a_steady_part_without_times_and_seeds(
        self, grader: Grader
    ) -> None:
        whole = report_to_json(proof(grader))
        assert json.loads(json.dumps(whole))["passed"] is True
        assert whole["mutants"]["made"] == whole["mutants"]["killed"] > 0
        steady = steady_part(whole)
        assert "slowest_cpu_ms" in whole["rows"][0]
        assert "slowest_cpu_ms" not in steady["rows"][0]
        assert "first_seed" not in steady
        assert steady == steady_part(report_to_json(proof(grader)))

    def test_names_what_was_refused_before_anything_ran(self, grader: Grader) -> None:
        broken = {"data/invalid_input/empty.in": case_text([1.0], 2.0)}
        report = report_to_json(proof(grader, broken))
        assert report["passed"] is False
        assert [finding["code"] for finding in report["findings"]] == ["invalid-input-accepted"]
