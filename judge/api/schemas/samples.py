"""Samples as readers see them: as JSON, and as text in every language of the problem."""

import json
from collections.abc import Sequence
from typing import Any

from judge.api.schemas.base import AnswerModel
from judge.domain.access import StoredCase
from judge.domain.signatures import Signature, ValueType
from judge.domain.values import arguments_from_json, from_json
from judge.harness.display import sample_display


class SampleTextAnswer(AnswerModel):
    """A sample in one language: arguments, the call, and the value that is expected."""

    input: str
    call: str
    expected: str


class SampleAnswer(AnswerModel):
    """A sample: named arguments and expected value as JSON, and by language as text."""

    number: int
    title: str
    arguments: Any
    expected: Any
    display: dict[str, SampleTextAnswer]


def sample_answer(
    number: int,
    title: str,
    case: StoredCase,
    signature: Signature,
    languages: Sequence[str],
    answer: ValueType,
) -> SampleAnswer:
    """A sample, which everybody may see; ``answer`` is the type of what is expected."""
    arguments, expected = json.loads(case.arguments), json.loads(case.expected)
    values = arguments_from_json(signature, arguments), from_json(answer, expected)
    shown = {
        language: sample_display(language, signature, *values, answer) for language in languages
    }
    return SampleAnswer(
        number=number,
        title=title,
        arguments=arguments,
        expected=expected,
        display={language: SampleTextAnswer(**vars(text)) for language, text in shown.items()},
    )


SAMPLE_EXAMPLE = {
    "number": 1,
    "title": "Sample 1",
    "arguments": {"logits": [1.0, 3.0]},
    "expected": 1,
    "display": {
        "python": {
            "input": "logits = [1.0, 3.0]",
            "call": "result = sample_token(logits)",
            "expected": "expected = 1",
        },
        "java": {
            "input": "double[] logits = new double[] {1.0, 3.0};",
            "call": "long result = Solution.sample_token(logits);",
            "expected": "long expected = 1;",
        },
    },
}
