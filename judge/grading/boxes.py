"""Sandboxes by language, started when first needed and replaced after a fault.

Owns the lifetime of zygotes. Not thread-safe: every grader has boxes of its own.
"""

from contextlib import suppress
from dataclasses import replace
from types import TracebackType

from judge.domain.limits import Limits
from judge.errors import JudgeBroken
from judge.harness import python
from judge.harness.languages import PYTHON
from submissions_sandbox import Box, RunLimits, Sandbox, SandboxError, python_profile


class Boxes:
    """One warm sandbox a language. Use as a context manager."""

    def __init__(self, languages: tuple[str, ...] = (PYTHON,)) -> None:
        self._languages = languages
        self._sandboxes: dict[str, Sandbox] = {}

    def __enter__(self) -> "Boxes":
        for language in self._languages:
            self._sandbox(language)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.restart()

    def open(self, language: str) -> Box:
        """Open a box for one submission.

        Raises:
            JudgeBroken: the sandbox does not start, or breaks twice in a row.
        """
        with suppress(SandboxError):
            return self._sandbox(language).open_box()
        self.restart()
        try:
            return self._sandbox(language).open_box()
        except SandboxError as error:
            raise JudgeBroken(f"no box can be opened: {error}") from error

    def restart(self) -> None:
        """End every zygote; the next box starts a fresh one."""
        for sandbox in self._sandboxes.values():
            sandbox.close()
        self._sandboxes.clear()

    def describe(self) -> dict[str, str]:
        """Tier, layers and versions of what is running now."""
        report: dict[str, str] = {}
        for sandbox in self._sandboxes.values():
            described = sandbox.description
            report |= {"tier": described.tier, "layers": ",".join(described.layers)}
            report |= described.versions
        return report

    def _sandbox(self, language: str) -> Sandbox:
        if language not in self._sandboxes:
            profile = python_profile(python.driver_source(), python.PACKAGES)
            self._sandboxes[language] = Sandbox(profile)
        return self._sandboxes[language]


def run_limits(limits: Limits, time_factor: float = 1.0) -> RunLimits:
    """A test case's limits as the sandbox counts them."""
    return replace(
        RunLimits(),
        cpu_ms=round(limits.cpu_ms * time_factor),
        memory_kb=limits.memory_kb,
        stdout_bytes=limits.stdout_kb * 1024,
        result_bytes=limits.result_kb * 1024,
    )
