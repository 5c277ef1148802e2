"""What a box is made of: the part of the host's file system that it sees, and its program.

A profile is plain data: the supervisor builds it (submissions_sandbox.profiles), the zygote
receives it as JSON.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any

from submissions_sandbox.tiers import Tier

PACKAGES_IN_BOX = "/python/packages"
BASE_ENVIRONMENT = (
    ("HOME", "/tmp"),  # noqa: S108 - the box's own private folder
    ("LANG", "C.UTF-8"),
    ("OPENBLAS_NUM_THREADS", "1"),
    ("PATH", "/usr/bin"),
    ("PYTHONHASHSEED", "0"),
)


class Starts(StrEnum):
    """What a run may start: nothing, itself by path or by descriptor, or processes of its own."""

    NOTHING = "nothing"
    PATH = "path"
    DESCRIPTOR = "descriptor"
    PROCESSES = "processes"


@dataclass(frozen=True)
class Bind:
    """A host folder or file shown read-only inside the box.

    Attributes:
        source: path on the host.
        target: path in the box.
        covered: folders below it that are shown empty.
        copied: whether the box gets a copy of the file: a file that two boxes see can carry
            messages between them (submissions_sandbox.seccomp).
    """

    source: str
    target: str
    covered: tuple[str, ...] = ()
    copied: bool = False


@dataclass(frozen=True)
class Profile:
    """A kind of box.

    Attributes:
        name: for descriptions.
        binds: what the box sees of the host.
        python_path: ``sys.path`` of the program, as paths inside the box.
        program: Python source that defines ``preload() -> None``, called once before any box, and
            ``main(request: bytes) -> None``, called once in each run, and perhaps
            ``before_run() -> None``, called outside of the run just before it is forked; empty
            when runs start by argv.
        starts: what a run may start.
        environment: the whole environment of what runs in the box.
    """

    name: str
    binds: tuple[Bind, ...]
    python_path: tuple[str, ...] = ()
    program: str = ""
    starts: Starts = Starts.NOTHING
    environment: tuple[tuple[str, str], ...] = BASE_ENVIRONMENT

    @property
    def zygote_environment(self) -> dict[str, str]:
        """A zygote that only starts others keeps clear of what is meant for them."""
        return dict(self.environment if self.program else BASE_ENVIRONMENT)

    def to_message(self) -> dict[str, Any]:
        """Plain form for the channel to the zygote."""
        return {
            "name": self.name,
            "binds": [
                [bind.source, bind.target, list(bind.covered), bind.copied] for bind in self.binds
            ],
            "python_path": list(self.python_path),
            "program": self.program,
            "starts": self.starts.value,
            "environment": dict(self.environment),
        }

    @staticmethod
    def from_message(message: dict[str, Any]) -> "Profile":
        """The profile that ``to_message`` described."""
        return Profile(
            message["name"],
            tuple(
                Bind(source, target, tuple(covered), copied)
                for source, target, covered, copied in message["binds"]
            ),
            tuple(message["python_path"]),
            message["program"],
            Starts(message["starts"]),
            tuple(message["environment"].items()),
        )

    def seen_at(self, path: str, tier: Tier) -> str:
        """Where a program finds what the profile shows at ``path``.

        Without a root of its own a box sees the host's files where the host has them.
        """
        if tier is Tier.A:
            return path
        wanted = PurePosixPath(path)
        holders = [bind for bind in self.binds if wanted.is_relative_to(bind.target)]
        if not holders:
            return path
        nearest = max(holders, key=lambda bind: len(bind.target))
        return str(PurePosixPath(nearest.source) / wanted.relative_to(nearest.target))

    def package_folders(self, tier: Tier) -> tuple[str, ...]:
        """Where, in tier B, packages are found by their names; only while a program is loaded."""
        if tier is Tier.A:
            return ()
        inside = PurePosixPath(PACKAGES_IN_BOX)
        parents = (
            str(PurePosixPath(bind.source).parent)
            for bind in self.binds
            if PurePosixPath(bind.target).parent == inside
        )
        return tuple(dict.fromkeys(parents))
