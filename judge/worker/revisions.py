"""Revisions as problems, loaded once.

Owns a small cache: a revision never changes, so what was loaded once stays right. Loading takes
tenths of a second for a package with many cases, which a fast answer cannot afford; ``warm`` loads
what is published before anybody asks.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from judge.db.engine import Database
from judge.db.queries.judging import select_package
from judge.db.queries.problems import list_published, select_revision
from judge.domain.access import EVERY_PROBLEM
from judge.domain.problem import Mode, Problem
from judge.errors import JudgeError
from judge.packages.archives import read_archive
from judge.packages.package import load
from judge.packages.proof import calibrated

log = logging.getLogger(__name__)

CAPACITY = 32


@dataclass(frozen=True)
class OwnTools:
    """The package's own programs that a run may ask; empty where there is none."""

    validator: str
    reference: str


@dataclass(frozen=True)
class _Known:
    problem: Problem
    tools: OwnTools


class Revisions:
    """Problems by revision id; forgets the one that was not asked for the longest.

    May be shared by threads. Two that miss at once both load: that costs time, never truth.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def problem(self, revision_id: str) -> Problem:
        """The revision as grading sees it.

        Raises:
            NotFound: there is no such revision.
            PackageInvalid: this release cannot read the stored package.
        """
        return self._find(revision_id).problem

    def tools(self, revision_id: str) -> OwnTools:
        """The programs of the revision's package that a run may ask (raises as ``problem``)."""
        return self._find(revision_id).tools

    def _find(self, revision_id: str) -> _Known:
        with self._lock:
            known = self._known.get(revision_id)
        if known is None:
            known = self._load(revision_id)
        with self._lock:
            self._known[revision_id] = known
            self._known.move_to_end(revision_id)
            while len(self._known) > CAPACITY:
                self._known.popitem(last=False)
        return known

    def _load(self, revision_id: str) -> _Known:
        with self._database.read() as connection:
            blob = select_package(connection, revision_id)
            report = select_revision(connection, revision_id).verify_report or {}
        package = load(read_archive(blob), f"revision {revision_id}")
        # Validators of stdio packages are programs of another kind: they judge files.
        is_function = package.problem.mode is Mode.FUNCTION
        tools = OwnTools(
            validator=package.tools.validator if is_function else "",
            reference=package.tools.reference if is_function else "",
        )
        return _Known(calibrated(package, report.get("calibration", {})), tools)

    def warm(self, is_stopping: Callable[[], bool]) -> None:
        """Load the published revisions, one after the other, until ``is_stopping``."""
        with self._database.read() as connection:
            published = list_published(connection, EVERY_PROBLEM, limit=CAPACITY)
        for problem in published:
            if is_stopping() or problem.revision_id is None:
                return
            try:
                self.problem(problem.revision_id)
            except JudgeError:
                log.exception("%s cannot be judged", problem.slug)
