"""Runs hostile programs under limits and reports facts about them.

Stands alone: standard library only, Linux only, no root needed. It knows programs, requests,
limits and descriptors; it never decides a verdict. Theory of operation::

    supervisor (the caller; holds whatever is secret)
      └ zygote, one a Sandbox: own namespaces, read-only root without /proc, program preloaded
         └ box init, one a Box: pid 1 of one submission's pid namespace; forks and reaps
            └ test process, one a run: private /tmp, rlimits, no capabilities, seccomp;
              only then does it read its request

What a run prints and returns leaves through capped pipes of its own; time, memory and the way it
ended are measured outside. Where isolation cannot be had the package refuses: it never runs bare.
"""

from submissions_sandbox.cgroups import Groups, Lacking
from submissions_sandbox.limits import CPU_KILL_FACTOR, RunLimits
from submissions_sandbox.outcome import (
    Description,
    Outcome,
    OutcomeKind,
    SandboxError,
    SandboxUnavailable,
)
from submissions_sandbox.profile import Bind, Profile
from submissions_sandbox.profiles import (
    binary_profile,
    exec_profile,
    host_binds,
    python_profile,
    tool_profile,
)
from submissions_sandbox.sandbox import Binary, Box, Sandbox
from submissions_sandbox.spare import Spare
from submissions_sandbox.tiers import ALL_TIERS, Tier

__all__ = [
    "ALL_TIERS",
    "CPU_KILL_FACTOR",
    "Binary",
    "Bind",
    "Box",
    "Description",
    "Groups",
    "Lacking",
    "Outcome",
    "OutcomeKind",
    "Profile",
    "RunLimits",
    "Sandbox",
    "SandboxError",
    "SandboxUnavailable",
    "Spare",
    "Tier",
    "binary_profile",
    "exec_profile",
    "host_binds",
    "python_profile",
    "tool_profile",
]
