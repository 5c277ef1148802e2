"""How many findings are told: enough to mend a package, never more than can be stored and read.

Owns the caps. A package of ten thousand faults is told from its first ones; what would keep it from
being published is never cut away for what is only worth a look.
"""

from collections.abc import Sequence
from dataclasses import replace

from judge.errors import Finding

MAX_FINDINGS = 200
# Some messages quote the package's own text.
MAX_MESSAGE_CHARACTERS = 1000


def cut_short(findings: Sequence[Finding], most: int = MAX_FINDINGS) -> tuple[Finding, ...]:
    """The findings in their order, at most ``most``; one more says how many were left off."""
    errors = [one for one in findings if one.severity == "error"]
    kept = findings
    if len(findings) > most:
        chosen = {id(one) for one in errors[:most]}
        others = (one for one in findings if one.severity != "error")
        chosen |= {id(one) for one, _ in zip(others, range(most - len(chosen)), strict=False)}
        kept = [one for one in findings if id(one) in chosen]
    shown = [replace(one, message=_cut(one.message), where=_cut(one.where)) for one in kept]
    left_off = len(findings) - len(shown)
    if left_off:
        severity = "error" if len(errors) > most else "warning"
        message = f"{left_off} more findings are left off"
        shown.append(Finding("more-findings", "(package)", message, severity))
    return tuple(shown)


def _cut(text: str) -> str:
    if len(text) <= MAX_MESSAGE_CHARACTERS:
        return text
    return text[: MAX_MESSAGE_CHARACTERS - 1] + "…"
