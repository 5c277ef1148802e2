"""The languages, with what the workers say about them."""

from fastapi import APIRouter

from judge.api.deps import PartsDep, ReadLocale
from judge.api.schemas.base import AnswerModel, answers
from judge.db.queries.workers import list_live_workers
from judge.db.types import now
from judge.harness.languages import LANGUAGES
from judge.i18n import text

router = APIRouter(tags=["languages"])


class LanguageAnswer(AnswerModel):
    """One language; ``versions`` is empty and ``available`` false while no worker offers it."""

    id: str
    title: str
    versions: dict[str, str]
    available: bool
    run_command: str


class LanguageList(AnswerModel):
    """Every language that this release can judge."""

    items: list[LanguageAnswer]


@router.get(
    "/languages",
    summary="List the languages",
    responses=answers(
        {
            "items": [
                {
                    "id": "python",
                    "title": "Python 3",
                    "versions": {"python": "3.11.2", "numpy": "2.4.6"},
                    "available": True,
                    "run_command": "CPython with NumPy preloaded; one fresh process per test case",
                }
            ]
        }
    ),
)
def list_languages(joined: PartsDep, locale: ReadLocale) -> LanguageList:
    """Versions come from the live workers; the server itself runs nobody's code."""
    with joined.database.read() as connection:
        workers = list_live_workers(connection, now())
    versions = {
        language: versions_there
        for worker in workers
        if worker.is_ready
        for language, versions_there in worker.languages.items()
    }
    return LanguageList(
        items=[
            LanguageAnswer(
                id=language.id,
                title=language.title,
                versions=versions.get(language.id, {}),
                available=language.id in versions,
                run_command=text(f"run_command.{language.id}", locale),
            )
            for language in LANGUAGES.values()
        ]
    )
