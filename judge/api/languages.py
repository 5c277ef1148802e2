"""The languages, with what the workers say about them."""

from fastapi import APIRouter

from judge.api.deps import PartsDep, ReadLocale
from judge.api.schemas.base import AnswerModel, answers, anybody
from judge.api.schemas.choices import LanguageId
from judge.db.queries.workers import list_live_workers, read_availability
from judge.db.types import now
from judge.harness.languages import LANGUAGES
from judge.i18n import text

router = APIRouter(tags=["languages"])


class LanguageAnswer(AnswerModel):
    """One language; ``versions`` is empty and ``available`` false while no worker offers it.

    ``fix`` is the command that makes a worker's machine able to judge it, where the workers report
    that it is missing; a submission in it is refused then.
    """

    id: LanguageId
    title: str
    versions: dict[str, str]
    available: bool
    fix: str
    run_command: str


class LanguageList(AnswerModel):
    """Every language that this release can judge."""

    items: list[LanguageAnswer]


@router.get(
    "/languages",
    openapi_extra=anybody(),
    summary="List the languages",
    responses=answers(
        {
            "items": [
                {
                    "id": "python",
                    "title": "Python 3",
                    "versions": {"python": "3.11.2", "numpy": "2.4.6"},
                    "available": True,
                    "fix": "",
                    "run_command": "CPython with NumPy preloaded; one fresh process per test case",
                },
                {
                    "id": "java",
                    "title": "Java 17",
                    "versions": {},
                    "available": False,
                    "fix": "apt-get install default-jdk-headless",
                    "run_command": "OpenJDK; compiled once by javac; one fresh virtual machine "
                    "per test case",
                },
            ]
        }
    ),
)
def list_languages(joined: PartsDep, locale: ReadLocale) -> LanguageList:
    """Versions come from the live workers; the server itself runs nobody's code."""
    with joined.database.read() as connection:
        availability = read_availability(list_live_workers(connection, now()))
    return LanguageList(
        items=[
            LanguageAnswer(
                id=language.id,
                title=language.title,
                versions=availability.toolchains.get(language.id, {}),
                available=language.id in availability.toolchains,
                fix=availability.missing.get(language.id, ""),
                run_command=text(f"run_command.{language.id}", locale),
            )
            for language in LANGUAGES.values()
        ]
    )
