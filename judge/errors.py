"""The judge's own failures, drawn as one tree.

A learner's failure is a value (a verdict), never an exception. What stands here is raised when a
caller asked for something that cannot be done, or when the judge itself broke::

    JudgeError
    ├── Refused              the caller's request cannot be carried out; carries a stable code
    │   ├── NotFound
    │   ├── Gone
    │   ├── Conflict
    │   ├── Forbidden
    │   ├── Unauthenticated
    │   ├── Invalid          with the fields that break a rule
    │   ├── TooLarge
    │   └── TooMany          later it may be carried out; ``seconds`` in its details say when
    ├── Misconfigured        the service cannot run as it is set up: for whoever runs it
    ├── StorageUnavailable   the database takes nothing now: a full disk, a server that is gone
    ├── PackageInvalid       a problem package that cannot be read or does not lint
    └── JudgeBroken          the judge's own fault: never a learner's verdict
        ├── CannotIsolate    this machine offers no sandbox
        └── CheckerBroken    a package's own checker gave no answer: for its authors

A refusal holds no sentence: its code (and variant) name one in the catalogues of judge.i18n, and
its details fill the placeholders there. This module knows nothing of HTTP: judge.api.errors maps
these classes to responses.
"""

from collections.abc import Mapping
from dataclasses import dataclass


class JudgeError(Exception):
    """Root of everything that the judge raises on purpose."""


class Refused(JudgeError):
    """A request that cannot be carried out.

    Args:
        code: stable, never translated; the key of the sentence in ``refused`` of the catalogues.
        variant: which sentence, where one code has several.
        details: what the sentence's placeholders are filled with; clients get them as they are.
    """

    def __init__(self, code: str, *, variant: str = "", **details: object) -> None:
        super().__init__(f"{code} {details}" if details else code)
        self.code = code
        self.variant = variant
        self.details = details


class NotFound(Refused):
    """The named thing does not exist, or the caller may not know that it does."""


class Gone(Refused):
    """The named thing existed and was taken away on purpose."""


class Conflict(Refused):
    """The request contradicts the present state."""


class Forbidden(Refused):
    """The caller is known and may not do this."""


class Unauthenticated(Refused):
    """The caller is not signed in, or its credentials do not hold."""


class TooLarge(Refused):
    """An input is larger than the judge takes; ``flaws`` name each field that is, where one is."""

    def __init__(self, code: str, *flaws: "Flaw", **details: object) -> None:
        super().__init__(code, variant="", **details)
        self.flaws = flaws


class TooMany(Refused):
    """More of something than an account may have now.

    Args:
        code: as every refusal has it.
        seconds: after how long another attempt is worth it.
        details: as every refusal has them.
    """

    def __init__(self, code: str, *, seconds: int, **details: object) -> None:
        super().__init__(code, variant="", seconds=seconds, **details)
        self.seconds = seconds


@dataclass(frozen=True)
class Flaw:
    """One field that breaks a rule.

    ``code`` is the key of its text in ``field``, ``variant`` which one where it has several.
    """

    pointer: str
    code: str
    details: Mapping[str, object]
    variant: str = ""


def flaw(pointer: str, code: str, *, variant: str = "", **details: object) -> Flaw:
    """A field (a JSON pointer) that breaks the rule ``code``."""
    return Flaw(pointer, code, details, variant)


class Invalid(Refused):
    """An input breaks rules; ``flaws`` name each field that does."""

    def __init__(self, code: str, *flaws: Flaw, variant: str = "", **details: object) -> None:
        super().__init__(code, variant=variant, **details)
        self.flaws = flaws


class Misconfigured(JudgeError):
    """Settings, data folder or database cannot be used; the message is one line for the admin."""


class StorageUnavailable(JudgeError):
    """The database cannot be read or written now; the same call may work later.

    The message is one line without SQL and without what was to be stored.
    """


# How bad a finding is: the first keeps a package from being published.
SEVERITIES = ("error", "warning")


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a problem package.

    Args:
        code: stable kebab-case name of the rule.
        where: path inside the package, with ``:line`` where a line is known.
        message: what is wrong and what to do.
        severity: ``error`` stops publication, ``warning`` does not.
    """

    code: str
    where: str
    message: str
    severity: str = "error"

    def __str__(self) -> str:
        return f"{self.where}: {self.severity}: {self.message} [{self.code}]"


class PackageInvalid(JudgeError):
    """A problem package that cannot be read; ``findings`` say where and why."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("\n".join(str(finding) for finding in findings))
        self.findings = findings


class JudgeBroken(JudgeError):
    """The judge itself failed; whoever catches this must not charge the learner."""


class CheckerBroken(JudgeBroken):
    """A package's own checker gave no answer; it says nothing about the learner."""


class CannotIsolate(JudgeBroken):
    """This machine offers no tier of the sandbox.

    Args:
        lacking: what it does not offer.
        fix: one line: what to type or to set.
    """

    def __init__(self, lacking: str, fix: str) -> None:
        super().__init__(f"{lacking}. To mend it: {fix}")
        self.fix = fix
