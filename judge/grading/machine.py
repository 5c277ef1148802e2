"""What this machine judges with: toolchains, boxes, one engine a language.

Owns their start and end. A language whose toolchain is missing or does not work is left out, with
the line that would install it; the others are not touched by that.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from judge.errors import CannotIsolate, JudgeBroken, Misconfigured
from judge.grading.boxes import Boxes
from judge.grading.compiled import CompiledStore
from judge.grading.engines import cpp_engine, jvm, python_engine
from judge.grading.engines.cpp_engine import CppEngine
from judge.grading.engines.engine import Engine
from judge.grading.engines.java_engine import JavaEngine
from judge.grading.engines.python_engine import PythonEngine
from judge.grading.toolchains.found import Lacking, find_cpp, find_java
from judge.grading.toolchains.prepare_cpp import prepare_cpp
from judge.grading.toolchains.prepare_java import prepare_java
from judge.harness.languages import CPP, JAVA, LANGUAGES, PYTHON, missing_sentence
from submissions_sandbox import (
    ALL_TIERS,
    Description,
    Groups,
    Profile,
    Sandbox,
    SandboxError,
    SandboxUnavailable,
    Tier,
    exec_profile,
)
from submissions_sandbox.probes import way_to

log = logging.getLogger(__name__)

MakeEngine = Callable[[Boxes], Engine]
# The kinds of box in which the test cases of one submission run in two lanes.
_SIDE_BY_SIDE = (python_engine.KIND, cpp_engine.RUN_KIND, jvm.KIND)


class Machine:
    """The engines of one grader."""

    def __init__(
        self,
        languages: tuple[str, ...] | None,
        cache: Path,
        java_home: Path | None = None,
        tiers: Sequence[Tier] = ALL_TIERS,
    ) -> None:
        self._named = languages
        self._tiers = tiers
        self._groups: Groups | None = None
        self._isolation = Description("", ())
        # Boxes are made from another working folder.
        self._cache = cache.resolve()
        self._java_home = java_home
        self._store = CompiledStore(self._cache / "compiled")
        self.engines: dict[str, Engine] = {}
        self.missing: dict[str, str] = {}
        self.boxes = Boxes({})

    def start(self) -> None:
        """Find and prepare toolchains, start sandboxes and engines.

        Raises:
            CannotIsolate: this machine offers no sandbox.
            JudgeBroken: the sandbox cannot be set up.
            Misconfigured: a language that was named is missing.
        """
        try:
            with Sandbox(exec_profile(()), self._tiers) as sandbox:
                self._isolation = sandbox.description
        except SandboxUnavailable as error:
            raise CannotIsolate(" ".join(str(error).split()), way_to(self._tiers)) from error
        profiles: dict[str, Profile] = {python_engine.KIND: python_engine.profile()}
        makers: dict[str, MakeEngine] = {PYTHON: PythonEngine}
        for language, find in ((CPP, self._find_cpp), (JAVA, self._find_java)):
            if self._named is None or language in self._named:
                self._add(language, find, profiles, makers)
        groups = Groups.find()
        self._groups = groups if isinstance(groups, Groups) else None
        self.boxes = Boxes(
            profiles,
            side_by_side=_SIDE_BY_SIDE,
            tier=Tier(self._isolation.tier),
            groups=self._groups,
        )
        try:
            self.boxes.__enter__()
            self.engines = {
                language: make(self.boxes)
                for language, make in makers.items()
                if self._named is None or language in self._named
            }
            self.rest()
        except SandboxError as error:
            self.stop()
            raise JudgeBroken(f"the sandbox does not start: {error}") from error

    def stop(self) -> None:
        """End every process."""
        self._close_engines()
        self.boxes.__exit__(None, None, None)
        if self._groups is not None:
            self._groups.close()

    def restart(self) -> None:
        """End every process after a fault; what is needed next starts afresh."""
        self._close_engines()
        self.boxes.restart()

    def rest(self) -> None:
        """Nothing is being graded now: make ready what the next submission will need.

        Raises:
            SandboxError: the sandbox broke.
        """
        self.boxes.rest()
        for engine in self.engines.values():
            engine.rest()

    def versions(self, language: str) -> dict[str, str]:
        """Names and versions of what judges a language."""
        return self.engines[language].versions()

    def sandbox_facts(self) -> dict[str, str]:
        """Tier and layers."""
        described = self.boxes.describe(python_engine.KIND)
        return {"tier": described.tier, "layers": ",".join(described.layers)}

    def open_sandbox(self, profile: Profile) -> Sandbox:
        """A sandbox beside the kinds that are kept; whoever asks for it closes it.

        Raises:
            SandboxUnavailable: it does not start.
        """
        return Sandbox(profile, (self.boxes.tier,), self._groups)

    def way_to_tier_a(self) -> str:
        """What to type or to set for tier A, as the doctor says it; empty in tier A."""
        return "" if self._isolation.tier == Tier.A else way_to((Tier.A,))

    def _close_engines(self) -> None:
        for engine in self.engines.values():
            with suppress(SandboxError):
                engine.close()

    def _add(
        self,
        language: str,
        find: Callable[[], tuple[dict[str, Profile], MakeEngine] | Lacking],
        profiles: dict[str, Profile],
        makers: dict[str, MakeEngine],
    ) -> None:
        try:
            found = find()
        except JudgeBroken as error:
            found = Lacking(str(error))
        if not isinstance(found, Lacking):
            profiles |= found[0]
            makers[language] = found[1]
            return
        fix = LANGUAGES[language].install_line
        if self._named is not None:
            raise Misconfigured(f"{missing_sentence(language, fix)} ({found.detail})")
        log.warning("%s is not judged here: %s", language, found.detail)
        self.missing[language] = fix

    def _find_cpp(self) -> tuple[dict[str, Profile], MakeEngine] | Lacking:
        toolchain = find_cpp()
        if isinstance(toolchain, Lacking):
            return toolchain
        headers = prepare_cpp(toolchain, self._cache)
        return (
            cpp_engine.profiles(headers),
            lambda boxes: CppEngine(boxes, toolchain, headers, self._store),
        )

    def _find_java(self) -> tuple[dict[str, Profile], MakeEngine] | Lacking:
        toolchain = find_java(self._java_home)
        if isinstance(toolchain, Lacking):
            return toolchain
        folder = prepare_java(toolchain, self._cache, Tier(self._isolation.tier))
        return (
            {jvm.KIND: jvm.profile(toolchain, folder)},
            lambda boxes: JavaEngine(boxes, toolchain, folder.name, self._store),
        )
