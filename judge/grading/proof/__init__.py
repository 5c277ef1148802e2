"""The proof of a package: every claim that it makes is run.

One module a kind of claim; ``prove`` joins them into a report. Nothing is published without one
that passed. All programs of a package run in boxes: an uploaded package is hostile input.
"""

from judge.grading.proof.generator import generated_cases
from judge.grading.proof.prove import OnProgress, ProofOptions, prove
from judge.grading.proof.report import ProofReport, SubmissionRow, unproved
from judge.grading.proof.report_json import report_to_json, steady_part
from judge.grading.proof.verify import verify

__all__ = [
    "OnProgress",
    "ProofOptions",
    "ProofReport",
    "SubmissionRow",
    "generated_cases",
    "prove",
    "report_to_json",
    "steady_part",
    "unproved",
    "verify",
]
