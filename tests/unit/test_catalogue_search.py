"""Finding problems by words, and how far somebody is with one."""

import pytest

from judge.domain.catalogue import Standing, matches, solved_rate, standing

TEXTS = ("sample_token", "Lấy mẫu với temperature và top-k", "温度と top-k による抽出", "Đếm số")


@pytest.mark.parametrize(
    "query",
    [
        "sample_token",
        "SAMPLE",
        "token sample",
        "lấy mẫu",
        "lay mau",
        "LAY",
        "dem so",
        "抽出",
        "\uff34\uff2f\uff30-\uff2b",
        "temp tok",
        "",
        "   ",
    ],
)
def test_words_are_found_whatever_case_accents_and_width(query: str) -> None:
    assert matches(query, TEXTS)


@pytest.mark.parametrize("query", ["sampling", "mau xanh", "抽選", "top k k2", "%", "sample%"])
def test_every_word_must_stand_somewhere(query: str) -> None:
    assert not matches(query, TEXTS)


def test_kana_with_other_marks_are_other_letters() -> None:
    assert matches("が", ("がく",))
    assert not matches("か", ("がく",))


@pytest.mark.parametrize(
    ("submissions", "accepted", "expected"),
    [
        (0, False, Standing.NEW),
        (3, False, Standing.TRIED),
        (3, True, Standing.SOLVED),
    ],
)
def test_how_far_an_account_is(submissions: int, accepted: bool, expected: Standing) -> None:
    assert standing(submissions, accepted=accepted) is expected


@pytest.mark.parametrize(
    ("tried", "solved", "rate"), [(0, 0, None), (4, 4, None), (5, 0, 0.0), (6, 4, 0.667), (5, 5, 1)]
)
def test_a_rate_speaks_of_no_single_account(tried: int, solved: int, rate: float | None) -> None:
    assert solved_rate(tried, solved) == rate
