"""The languages that learners may send, and what each needs to be judged.

A table, not a registry: adding a language means adding a row here and its harness module.
"""

from dataclasses import dataclass

PYTHON, CPP, JAVA = "python", "cpp", "java"


@dataclass(frozen=True)
class Language:
    """One language.

    ``kattis_names`` are the codes that package files use for it; ``file_name`` is how compile logs
    and tracebacks call the learner's file; ``apt_packages`` are what a Debian machine installs to
    judge it, nothing where the judge itself runs on it.
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    file_name: str
    kattis_names: tuple[str, ...]
    apt_packages: tuple[str, ...] = ()

    @property
    def is_compiled(self) -> bool:
        """Whether a source takes a while before its first test case."""
        return bool(self.apt_packages)

    @property
    def install_line(self) -> str:
        """The command that makes a machine able to judge it; empty where nothing is needed."""
        return " ".join(("apt-get install", *self.apt_packages)) if self.apt_packages else ""


LANGUAGES = {
    PYTHON: Language(
        id=PYTHON,
        title="Python 3",
        suffixes=(".py",),
        file_name="solution.py",
        kattis_names=("python3", "python3numpy"),
    ),
    CPP: Language(
        id=CPP,
        title="C++17",
        suffixes=(".cpp", ".cc"),
        file_name="solution.cpp",
        kattis_names=("cpp",),
        apt_packages=("g++",),
    ),
    JAVA: Language(
        id=JAVA,
        title="Java 17",
        suffixes=(".java",),
        file_name="Solution.java",
        kattis_names=("java",),
        apt_packages=("default-jdk-headless",),
    ),
}


def language_of_file(name: str) -> str | None:
    """The language that a file name's suffix stands for."""
    for language in LANGUAGES.values():
        if name.endswith(language.suffixes):
            return language.id
    return None


def missing_sentence(language: str, fix: str) -> str:
    """Says that this machine cannot judge a language, and the command that changes it."""
    return f"{LANGUAGES[language].title} cannot be judged on this machine; install it with: {fix}"
