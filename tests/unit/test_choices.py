"""Words that a Literal has to spell out are those of their owner."""

from datetime import UTC, datetime
from typing import get_args

from judge.api.named_components import name_components
from judge.api.schemas.base import AnswerModel, Moment
from judge.api.schemas.choices import FinalVerdict, LanguageName, LocaleName
from judge.api.submission_filters import VerdictName
from judge.domain.problem import LOCALES
from judge.domain.verdicts import FINAL_VERDICTS
from judge.harness.languages import LANGUAGES
from judge.i18n import LOCALES as TEXT_LOCALES


def test_literals_have_their_owners_words() -> None:
    assert get_args(get_args(LanguageName)[0]) == tuple(LANGUAGES)
    assert get_args(get_args(LocaleName)[0]) == LOCALES == TEXT_LOCALES
    assert get_args(VerdictName) == tuple(one.value for one in FINAL_VERDICTS)


class Judged(AnswerModel):
    """Two fields with one set of words."""

    first: FinalVerdict
    second: FinalVerdict | None


class Past(AnswerModel):
    """A moment of the first millennium."""

    at: Moment


def test_a_moment_has_four_digits_for_its_year() -> None:
    shown = Past(at=datetime(263, 11, 28, 6, 19, tzinfo=UTC)).model_dump_json()
    assert shown == '{"at":"0263-11-28T06:19:00.000000Z"}'


def test_a_set_of_words_becomes_one_component() -> None:
    document = {"components": {"schemas": {"Judged": Judged.model_json_schema()}}}
    name_components(document)
    schemas = document["components"]["schemas"]
    reference = {"$ref": "#/components/schemas/FinalVerdict"}
    properties = schemas["Judged"]["properties"]
    assert properties["first"] == reference
    assert properties["second"]["anyOf"] == [reference, {"type": "null"}]
    assert schemas["FinalVerdict"]["enum"] == [one.value for one in FINAL_VERDICTS]


def test_a_word_that_is_not_known_is_still_answered() -> None:
    shown = Judged.model_validate({"first": "newer", "second": None}).model_dump(mode="json")
    assert shown == {"first": "newer", "second": None}
