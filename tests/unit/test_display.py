"""The samples of the source documents come out letter for letter in every language."""

import numpy as np
import pytest

from judge.domain.signatures import make_signature
from judge.harness.display import sample_display, starter_code
from judge.harness.languages import LANGUAGES

SAMPLE_TOKEN = make_signature(
    "sample_token",
    {"logits": "list[float]", "temperature": "float", "k": "int", "random_value": "float"},
    "int",
    ("k", "logits", "temperature", "random_value"),
)
VERIFY = make_signature(
    "verify_draft_sequence",
    {
        "draft_tokens": "list[int]",
        "draft_probs": "ndarray[f64, 2]",
        "target_probs": "ndarray[f64, 2]",
        "random_uniforms": "list[float]",
    },
    "tuple[accepted_tokens: list[int], num_accepted: int]",
    (),
    ("accepted", "count"),
)

# Arguments and value, then for each language its input and what is expected.
SAMPLES_OF_SAMPLE_TOKEN = [
    (
        {"logits": [1.0, 3.0, 2.0, 0.5], "temperature": 1.0, "k": 1, "random_value": 0.99},
        1,
        {
            "python": (
                """\
k = 1
logits = [1.0, 3.0, 2.0, 0.5]
temperature = 1.0
random_value = 0.99""",
                "expected = 1",
            ),
            "cpp": (
                """\
long long k = 1;
std::vector<double> logits = {1.0, 3.0, 2.0, 0.5};
double temperature = 1.0;
double random_value = 0.99;""",
                "long long expected = 1;",
            ),
            "java": (
                """\
long k = 1;
double[] logits = new double[] {1.0, 3.0, 2.0, 0.5};
double temperature = 1.0;
double random_value = 0.99;""",
                "long expected = 1;",
            ),
        },
    ),
    (
        {"logits": [2.0, 1.0, 0.0], "temperature": 1.0, "k": 2, "random_value": 0.8},
        1,
        {
            "python": (
                """\
k = 2
logits = [2.0, 1.0, 0.0]
temperature = 1.0
random_value = 0.8""",
                "expected = 1",
            ),
            "cpp": (
                """\
long long k = 2;
std::vector<double> logits = {2.0, 1.0, 0.0};
double temperature = 1.0;
double random_value = 0.8;""",
                "long long expected = 1;",
            ),
            "java": (
                """\
long k = 2;
double[] logits = new double[] {2.0, 1.0, 0.0};
double temperature = 1.0;
double random_value = 0.8;""",
                "long expected = 1;",
            ),
        },
    ),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("arguments", "value", "texts"), SAMPLES_OF_SAMPLE_TOKEN)
def test_samples_of_sample_token(language, arguments, value, texts) -> None:
    shown = sample_display(language, SAMPLE_TOKEN, arguments, value)
    assert (shown.input, shown.expected) == texts[language]


@pytest.mark.parametrize(
    ("language", "call"),
    [
        ("python", "result = sample_token(logits, temperature, k, random_value)"),
        ("cpp", "auto result = sample_token(logits, temperature, k, random_value);"),
        ("java", "long result = Solution.sample_token(logits, temperature, k, random_value);"),
    ],
)
def test_the_call_of_sample_token(language: str, call: str) -> None:
    arguments, value, _ = SAMPLES_OF_SAMPLE_TOKEN[0]
    assert sample_display(language, SAMPLE_TOKEN, arguments, value).call == call


@pytest.mark.parametrize(
    ("arguments", "value", "text", "expected"),
    [
        (
            {
                "draft_tokens": [1, 2],
                "draft_probs": np.array([[0.1, 0.6, 0.3], [0.2, 0.1, 0.7]]),
                "target_probs": np.array([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]),
                "random_uniforms": [0.5, 0.5],
            },
            ([1, 2], 2),
            """\
draft_tokens = [1, 2]
draft_probs = np.array([[0.1, 0.6, 0.3], [0.2, 0.1, 0.7]])
target_probs = np.array([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
random_uniforms = [0.5, 0.5]
accepted, count = verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms)
""",
            "([1, 2], 2)",
        ),
        (
            {
                "draft_tokens": [0],
                "draft_probs": np.array([[0.9, 0.1]]),
                "target_probs": np.array([[0.1, 0.9]]),
                "random_uniforms": [0.5],
            },
            ([1], 0),
            """\
draft_tokens = [0]
draft_probs = np.array([[0.9, 0.1]])
target_probs = np.array([[0.1, 0.9]])
random_uniforms = [0.5]
accepted, count = verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms)
""",
            "([1], 0)",
        ),
    ],
)
def test_samples_of_verify_draft_sequence(arguments, value, text: str, expected: str) -> None:
    shown = sample_display("python", VERIFY, arguments, value)
    assert f"{shown.input}\n{shown.call}\n" == text
    assert shown.expected == expected


@pytest.mark.parametrize(
    ("language", "text", "call", "expected"),
    [
        (
            "cpp",
            """\
std::vector<long long> draft_tokens = {0};
std::vector<std::vector<double>> draft_probs = {{0.9, 0.1}};
std::vector<std::vector<double>> target_probs = {{0.1, 0.9}};
std::vector<double> random_uniforms = {0.5};""",
            "auto [accepted, count] = verify_draft_sequence("
            "draft_tokens, draft_probs, target_probs, random_uniforms);",
            "{{1}, 0}",
        ),
        (
            "java",
            """\
long[] draft_tokens = new long[] {0};
double[][] draft_probs = new double[][] {{0.9, 0.1}};
double[][] target_probs = new double[][] {{0.1, 0.9}};
double[] random_uniforms = new double[] {0.5};""",
            "Solution.Result result = Solution.verify_draft_sequence("
            "draft_tokens, draft_probs, target_probs, random_uniforms);",
            "new Result(new long[] {1}, 0)",
        ),
    ],
)
def test_verify_draft_sequence_in_other_languages(
    language: str, text: str, call: str, expected: str
) -> None:
    arguments = {
        "draft_tokens": [0],
        "draft_probs": np.array([[0.9, 0.1]]),
        "target_probs": np.array([[0.1, 0.9]]),
        "random_uniforms": [0.5],
    }
    shown = sample_display(language, VERIFY, arguments, ([1], 0))
    assert (shown.input, shown.call, shown.expected) == (text, call, expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_starter_code_names_the_function_and_its_parameters(language: str) -> None:
    source = starter_code(language, VERIFY)
    for name in ("verify_draft_sequence", *(parameter.name for parameter in VERIFY.parameters)):
        assert name in source
