"""The languages that learners may send, and what each needs to be judged.

A table, not a registry: adding a language means adding a row here and its harness module.
"""

from dataclasses import dataclass

PYTHON = "python"


@dataclass(frozen=True)
class Language:
    """One language.

    ``kattis_names`` are the codes that package files use for it; ``file_name`` is how compile logs
    and tracebacks call the learner's file.
    """

    id: str
    title: str
    suffix: str
    file_name: str
    kattis_names: tuple[str, ...]


LANGUAGES = {
    PYTHON: Language(
        id=PYTHON,
        title="Python 3",
        suffix=".py",
        file_name="solution.py",
        kattis_names=("python3", "python3numpy"),
    ),
}


def language_of_file(name: str) -> str | None:
    """The language that a file name's suffix stands for."""
    for language in LANGUAGES.values():
        if name.endswith(language.suffix):
            return language.id
    return None
