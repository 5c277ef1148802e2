"""Packages that are judged by a distribution: their files, their proof, and what lint finds."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from judge.errors import Finding
from judge.harness.display import sample_display
from judge.packages.files import PackageFiles, read_folder
from judge.packages.package import Package, load
from judge.packages.proof import Proof, calibrated, find_proof, proves, write_proof
from judge.packages.rules import distributions
from judge.packages.rules.data import cases_canonical

FOLDER = Path(__file__).parents[1] / "grading" / "packages" / "dist_sampler"


def read_package(changes: dict[str, str] | None = None) -> Package:
    files = dict(read_folder(FOLDER))
    files |= {path: text.encode() for path, text in (changes or {}).items()}
    return load(PackageFiles(files), "dist_sampler")


def values(package: Package) -> dict[str, float]:
    return {case.id: 18.5 for case in package.problem.cases}


def proof_of(package: Package) -> Proof:
    planned = len(package.problem.cases)
    return Proof(package.content_hash, "0.1.0", 3, 7, planned, values(package))


def found(package: Package) -> list[Finding]:
    return [
        *distributions.answers_are_distributions(package),
        *distributions.draws_fit(package),
    ]


class TestFiles:
    def test_an_answer_is_the_pmf_and_its_text_is_canonical(self) -> None:
        package = read_package()
        assert package.problem.cases[0].expected == [0.5, 0.25, 0.25]
        assert list(cases_canonical(package)) == []
        assert found(package) == []

    def test_the_reference_answers_without_the_random_numbers(self) -> None:
        wanted = "pmf(probs: list[float]) -> list[float]"
        assert str(read_package().reference_signature) == wanted

    def test_a_sample_shows_one_draw_and_the_pmf(self) -> None:
        package = read_package()
        case, signature = package.problem.cases[0], package.problem.signature
        answer = package.case_signature.returns
        shown = sample_display("java", signature, case.arguments, case.expected, answer)
        assert shown.expected == "double[] expected = new double[] {0.5, 0.25, 0.25};"
        assert shown.call == "long result = Solution.dist_sampler(probs, uniforms);"


class TestLint:
    @pytest.mark.parametrize("text", ["[0.5, 0.25]\n", "[1.5, -0.5]\n", "[]\n"])
    def test_an_answer_that_is_no_pmf(self, text: str) -> None:
        (finding,) = found(read_package({"data/sample/01.ans": text}))
        assert (finding.code, finding.where) == ("bad-pmf", "data/sample/01.ans")

    def test_a_case_with_other_random_numbers_than_a_draw_gets(self) -> None:
        text = '{\n  "probs": [0.5, 0.25, 0.25],\n  "uniforms": [0.6, 0.7]\n}\n'
        (finding,) = found(read_package({"data/sample/01.in": text}))
        assert (finding.code, finding.where) == ("uniforms-differ", "data/sample/01.in")

    def test_more_random_numbers_than_a_box_takes(self) -> None:
        package = read_package()
        checker = replace(package.problem.checker, draws=500_000, per_draw=3)
        codes = {
            finding.code
            for finding in found(
                replace(package, problem=replace(package.problem, checker=checker))
            )
        }
        assert "too-many-draws" in codes


class TestProof:
    def test_the_critical_values_are_read_back_and_given_to_grading(self) -> None:
        package = read_package()
        text = write_proof(proof_of(package)).decode()
        proved = read_package({"verified.json": text})
        assert find_proof(proved.files) == proof_of(package)
        assert calibrated(proved).calibration == values(package)

    def test_a_proof_without_them_proves_nothing(self) -> None:
        package = read_package()
        assert proves(proof_of(package), package)
        assert not proves(replace(proof_of(package), calibration={}), package)
        assert not proves(replace(proof_of(package), calibration={"sample/01": 1.0}), package)

    def test_those_of_other_content_are_not_taken(self) -> None:
        text = write_proof(replace(proof_of(read_package()), content_hash="0" * 64)).decode()
        assert calibrated(read_package({"verified.json": text})).calibration == {}

    def test_those_of_a_verification_are_taken_where_there_is_no_proof(self) -> None:
        package = read_package()
        assert calibrated(package, values(package)).calibration == values(package)
        assert calibrated(package, {"sample/01": 1.0}).calibration == {}

    @pytest.mark.parametrize("value", ["NaN", "Infinity", "-1.0", '"1"'])
    def test_a_critical_value_is_a_finite_number(self, value: str) -> None:
        text = write_proof(proof_of(read_package())).decode().replace("18.5", value)
        assert find_proof(read_package({"verified.json": text}).files) is None

    def test_other_proofs_say_nothing_of_it(self) -> None:
        assert "calibration" not in json.loads(write_proof(Proof("0" * 64, "0.1.0", 1, 1, 4)))
