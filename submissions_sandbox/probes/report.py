"""What a probe found, and what all of them come to.

A probe is a function that returns a detail, or raises: ``NotThere`` for what this machine lacks,
``DidNotHold`` for a protection that failed. ``attempt`` makes a line of it, whatever it raises.
Whether something that is lacking is a failure depends on the tier that was reached without it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from submissions_sandbox.tiers import Tier

_MARKS = {"ok": "ok  ", "failed": "FAIL", "absent": "--  "}
_MOST_CHARACTERS = 700
_NOT_TRIED = "not tried, needs: "
HOW_TO_REPORT = (
    "judge nothing of strangers on this machine, and report this line as SECURITY.md says"
)


class State(StrEnum):
    """How a probe ended; ``absent`` is not there, but not needed."""

    OK = "ok"
    FAILED = "failed"
    ABSENT = "absent"


class Decides(StrEnum):
    """What hangs on a probe: a tier, each tier, whether the machine is fit, or nothing."""

    TIER_A = "tier A"
    TIER_B = "tier B"
    EVERY_TIER = "every tier"
    FITNESS = "fitness"
    NOTHING = ""


@dataclass(frozen=True)
class Probe:
    """One line of the report; ``fix`` is what to type or to set where it is not ok."""

    name: str
    state: State
    detail: str = ""
    fix: str = ""
    decides: Decides = Decides.NOTHING

    @property
    def was_tried(self) -> bool:
        """Whether its own state was seen, and not only that of what it needs."""
        return not self.detail.startswith(_NOT_TRIED)

    @property
    def passed(self) -> bool:
        """Whether nothing that is needed is missing."""
        return self.state is not State.FAILED

    def lines(self) -> list[str]:
        """For people: the line, and its fix below."""
        shown = f"{_MARKS[self.state]} {self.name}{': ' if self.detail else ''}{self.detail}"
        return [shown, *([f"     fix: {self.fix}"] if self.fix else [])]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "name": self.name,
            "state": self.state,
            "passed": self.passed,
            "detail": self.detail,
            "fix": self.fix,
            "decides": self.decides,
        }


class NotThere(Exception):
    """This machine does not offer what was tried."""

    def __init__(self, detail: str, fix: str) -> None:
        super().__init__(detail, fix)
        self.detail, self.fix = detail, fix


class DidNotHold(NotThere):
    """What was tried is there and does not do what it must."""


class ProbeBroke(Exception):
    """A probe came to no end that a probe has: its words."""


def attempt(name: str, decides: Decides, act: Callable[[], str]) -> Probe:
    """Run one probe; what breaks it becomes its line."""
    try:
        return Probe(name, State.OK, one_line(act()), decides=decides)
    except NotThere as lack:
        state = State.FAILED if isinstance(lack, DidNotHold) else State.ABSENT
        return Probe(name, state, one_line(lack.detail), one_line(lack.fix), decides)
    except Exception as error:
        words = "" if isinstance(error, ProbeBroke) else f"{type(error).__name__}: "
        return Probe(name, State.FAILED, one_line(f"{words}{error}"), HOW_TO_REPORT, decides)


def not_tried(name: str, needed: Probe, decides: Decides) -> Probe:
    """The line of a probe that needs what another one did not find."""
    fix = f"as for: {needed.name}" if needed.was_tried else needed.fix
    return Probe(name, State.ABSENT, f"{_NOT_TRIED}{needed.name}", fix, decides)


def one_line(text: str) -> str:
    """A text without line breaks and what else could disturb a terminal, not endless."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(shown.split())[:_MOST_CHARACTERS]


@dataclass(frozen=True)
class Report:
    """What this machine comes to; ``tier`` is None where nothing isolates.

    ``fix`` is what leads to tier A, empty in it.
    """

    tier: Tier | None
    layers: tuple[str, ...]
    fix: str
    probes: tuple[Probe, ...]

    @property
    def fit(self) -> bool:
        """Whether there is a tier, and no line failed."""
        return self.tier is not None and all(probe.passed for probe in self.probes)

    def summary(self) -> list[str]:
        """The last lines for people."""
        if self.tier is None:
            return ["NOT FIT: nothing isolates here, so nothing is judged"]
        if not self.fit:
            failed = [probe.name for probe in self.probes if not probe.passed]
            return [f"NOT FIT, in tier {self.tier}: {len(failed)} failed, first: {failed[0]}"]
        if self.tier is Tier.A:
            return ["fit, in tier A"]
        return ["fit, but ONLY IN TIER B: let no strangers in", f"     fix: {self.fix}"]

    def as_json(self) -> dict[str, Any]:
        """For programs; ``passed`` and ``fit`` are the same."""
        return {
            "passed": self.fit,
            "fit": self.fit,
            "tier": self.tier,
            "layers": list(self.layers),
            "fix": self.fix,
            "probes": [probe.as_json() for probe in self.probes],
        }


def settle(probes: Sequence[Probe], tier: Tier | None, wanted: Sequence[Tier]) -> list[Probe]:
    """Turn what is lacking into a failure where no wanted tier could be had without it."""
    needed = {Decides.EVERY_TIER}
    if tier is None:
        needed |= {Decides.TIER_A if one is Tier.A else Decides.TIER_B for one in wanted}
    return [
        replace(probe, state=State.FAILED)
        if probe.state is State.ABSENT and probe.decides in needed
        else probe
        for probe in probes
    ]
