"""One test in a box against one started process: by itself, in bubblewrap, in gVisor.

Each peer starts the interpreter, imports numpy, reads the arguments, answers and ends.
"""

import subprocess
from collections.abc import Sequence

import programs
from blocks import Measured, NotMeasured, Plan, Row, Side, compare

from submissions_sandbox import Sandbox

# Newest first; "kvm" needs a device that machines of a cloud seldom have.
_GVISOR_PLATFORMS = ("systrap", "ptrace")
_PROBE_WALL_S = 30


def _measure_plain(plan: Plan) -> Measured:
    return _against(plan, "fork/exec", (), plan.slow_runs)


def _measure_bubblewrap(plan: Plan) -> Measured:
    bubblewrap = programs.find_program("bwrap")
    argv = [bubblewrap, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/"]
    # Not over /tmp, where a clone may be.
    argv += ["--tmpfs", "/var/tmp"]  # noqa: S108
    return _against(plan, "bubblewrap", argv, plan.slow_runs)


def _measure_gvisor(plan: Plan) -> Measured:
    platform, argv = _gvisor(programs.find_program("runsc"))
    return _against(plan, f"gVisor ({platform})", argv, max(1, plan.slow_runs // 2))


def _against(plan: Plan, name: str, argv: Sequence[str], runs: int) -> Measured:
    with Sandbox(programs.profile()) as sandbox:
        return compare(
            plan,
            Side(name, programs.process_block(argv), runs),
            Side("box", programs.box_block(sandbox, programs.NUMPY_SOURCE), plan.fast_runs),
        )


def _gvisor(runsc: str) -> tuple[str, list[str]]:
    """The first platform that works here, and how to start it."""
    said = ""
    for platform in _GVISOR_PLATFORMS:
        argv = [runsc, "--rootless", "--network=none", f"--platform={platform}", "do"]
        try:
            done = subprocess.run(  # noqa: S603 - the program that is compared
                [*argv, "/bin/true"],
                capture_output=True,
                text=True,
                timeout=_PROBE_WALL_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            said = f"{platform} does not end"
            continue
        if done.returncode == 0:
            return platform, argv
        said = " ".join((done.stdout + done.stderr).split())[-200:]
    raise NotMeasured(f"runsc starts nothing here: {said}")


ROWS = (
    Row("fork-exec", 10, at_least=True, measure=_measure_plain),
    Row("bubblewrap", 10, at_least=True, measure=_measure_bubblewrap),
    Row("gvisor", 60, at_least=True, measure=_measure_gvisor),
)
