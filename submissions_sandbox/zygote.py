"""The zygote: one warm process from which every box of a kind is forked.

It is started by exec with an environment of its own, so its memory holds no secret of the
supervisor, and it never receives a byte of a submission. In tier A it enters its namespaces and
builds the read-only root; in tier B it stays where it is and Landlock holds its runs. It preloads
the program, and then forks a box init for every order. It ends when the supervisor hangs up, and
every box with it: as pid 1 of a pid namespace it takes them along, elsewhere it ends them itself,
and one that outlives it ends what is in it and itself.

Messages, from the supervisor: first ``{"profile": …, "tier": …, "scratch": …}``, then
``{"box": true}`` with the box's end of a channel. To the supervisor: ``{"zygote": …}`` once it is
ready, then ``{"box": pid}`` with a pidfd for every order; ``{"failed": …}`` in place of the first
when it cannot be set up.
"""

import gc
import os
import platform
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from submissions_sandbox import landlock
from submissions_sandbox.box_init import BoxInit, Program, Variables
from submissions_sandbox.channel import Channel, ChannelClosed
from submissions_sandbox.descriptors import RULESET
from submissions_sandbox.isolate import STACK_BYTES, Isolation, make_filter_template
from submissions_sandbox.kernel import (
    CLONE_NEWPID,
    adopt_orphans,
    die_with_parent,
    setns,
    unshare,
    use_one_malloc_arena,
)
from submissions_sandbox.leftovers import empty_folder, end_with_leftovers, kill_leftovers
from submissions_sandbox.limits import Base
from submissions_sandbox.namespaces import BOX_ID, enter_namespaces
from submissions_sandbox.profile import Profile
from submissions_sandbox.rootfs import enter_root
from submissions_sandbox.syscall_numbers import machine
from submissions_sandbox.tiers import Tier
from submissions_sandbox.walls import (
    processes_beside,
    user_in_tier_b,
    walls_in_own_root,
    walls_on_host,
)

_LAYERS = {
    Tier.A: ("user", "pid", "mount", "net", "ipc", "uts", "cgroup", "pivot_root"),
    Tier.B: (),
}
_LAYERS_OF_ALL = ("rlimits", "capabilities", "no_new_privs", "seccomp")


@dataclass(frozen=True)
class _Place:
    """Where a zygote lives, and as whom its runs do; ``scratch`` is for tier B alone."""

    tier: Tier
    user: int | None
    scratch: str = ""


def main(control: int) -> NoReturn:
    """Process entry; ``control`` is the inherited descriptor of the supervisor's channel."""
    _forget_inherited_signals()
    # The supervisor's number may be any; here all are to be low, below those that are fixed.
    lower = os.dup(control)
    os.close(control)
    channel = Channel.from_descriptor(lower)
    with suppress(ChannelClosed):
        try:
            order, _ = channel.receive()
            profile = Profile.from_message(order["profile"])
            if order["tier"] == Tier.B:
                place = _Place(Tier.B, user_in_tier_b(profile), order["scratch"])
                _be_zygote(channel, profile, place)
            own_user = enter_namespaces()
            child = os.fork()
            if child == 0:
                die_with_parent(signal.SIGKILL)
                _be_zygote(channel, profile, _Place(Tier.A, BOX_ID if own_user else None))
        except OSError as error:
            channel.send({"failed": str(error)})
            os._exit(1)
        channel.close()
        _, status = os.waitpid(child, 0)
        if status:
            os.write(2, f"pid 1 ended with {os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _forget_inherited_signals() -> None:
    """What the supervisor's starter ignores or blocks (nohup does) is no learner's affair."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    # Python itself ignores SIGPIPE and SIGXFSZ, in every program.
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _be_zygote(channel: Channel, profile: Profile, place: _Place) -> NoReturn:
    """Prepare once, then serve orders; in tier A this is pid 1 of the new pid namespace."""
    try:
        # Opened before the host's /proc is lost; later forks reset their pid namespace with it.
        own_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY)
        program, isolation = _prepare(profile, place)
    except Exception as error:
        channel.send({"failed": f"{type(error).__name__}: {error}"})
        os._exit(1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps box inits
    if place.tier is Tier.B:
        adopt_orphans()  # of a box init that was killed
    own_pid = os.getpid()
    with suppress(ChannelClosed):
        channel.send({"zygote": _describe(place, isolation)})
        while True:
            _, descriptors = channel.receive()
            if place.tier is Tier.A:
                setns(own_namespace, CLONE_NEWPID)
                unshare(CLONE_NEWPID)
            pid = os.fork()
            if pid == 0:
                channel.close()
                os.close(own_namespace)
                if place.tier is Tier.B:
                    _prepare_box_in_tier_b(own_pid, isolation)
                BoxInit(Channel.from_descriptor(descriptors[0]), program, isolation).serve()
            os.close(descriptors[0])
            pidfd = os.pidfd_open(pid)
            channel.send({"box": pid}, [pidfd])
            os.close(pidfd)
    if place.tier is Tier.B:
        _leave_nothing(place.scratch)
    os._exit(0)


def _leave_nothing(scratch: str) -> None:
    """What ends with a namespace has to be ended where there is none."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    kill_leftovers(has_namespace=False)
    if scratch:
        with suppress(OSError):  # the supervisor, if it lives, tries it as well
            empty_folder(scratch)
            Path(scratch).rmdir()


def _prepare_box_in_tier_b(zygote: int, isolation: Isolation) -> None:
    """What pid 1 of a namespace has by itself, and a clean folder to write in."""
    adopt_orphans()
    signal.signal(signal.SIGTERM, end_with_leftovers)
    # Not to be killed at once: what it has adopted would outlive it.
    die_with_parent(signal.SIGTERM)
    if os.getppid() != zygote:  # it has ended already, so nobody will tell
        os._exit(0)
    if isolation.scratch:
        # A run that was cut short left its files there.
        empty_folder(isolation.scratch)
        if isolation.user is not None:
            user = isolation.user_of_box(os.getpid())
            os.chown(isolation.scratch, user, user)


def _prepare(profile: Profile, place: _Place) -> tuple[Program | Variables, Isolation]:
    use_one_malloc_arena()
    # Asked for once now: without it no box could be followed, and that is known better here.
    os.close(os.pidfd_open(os.getpid()))
    own_size = os.open("/proc/self/statm", os.O_RDONLY)
    if place.tier is Tier.A:
        enter_root(profile.binds, machine())
        rules = walls_in_own_root(profile)
    else:
        rules = walls_on_host(profile, place.scratch)
    abi = landlock.abi()
    if abi:
        ruleset = landlock.make_ruleset(rules, abi)
        os.dup2(ruleset, RULESET, inheritable=False)
        os.close(ruleset)
    elif place.tier is Tier.B:
        raise OSError("this kernel has no Landlock, or it is switched off")
    program = _preload(profile, place.tier) if profile.program else dict(profile.environment)
    base_bytes = int(os.pread(own_size, 64, 0).split()[0]) * os.sysconf("SC_PAGESIZE")
    os.close(own_size)
    shares_user = place.tier is Tier.B and place.user is None
    isolation = Isolation(
        make_filter_template(machine(), profile.starts, place.tier),
        user=place.user,
        base=Base(
            # A program that is started by exec begins with an empty address space.
            address_space_bytes=base_bytes if profile.program else 0,
            processes=processes_beside() if shares_user else 0,
            stack_bytes=STACK_BYTES,
        ),
        landlock_abi=abi,
        has_namespaces=place.tier is Tier.A,
        scratch=place.scratch,
    )
    gc.collect()
    gc.freeze()
    return program, isolation


def _preload(profile: Profile, tier: Tier) -> Program:
    """Load the program's source against the box's own paths and let it warm up."""
    lasting = [profile.seen_at(folder, tier) for folder in profile.python_path]
    sys.path[:] = [*lasting, *profile.package_folders(tier)]
    sys.path_importer_cache.clear()
    _move_loaded_packages(lasting[0])
    sys.argv[:] = sys.orig_argv[:] = ["solution"]
    sys.dont_write_bytecode = True
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(profile.program, "<program>", "exec"), namespace)  # noqa: S102 - trusted
    namespace["preload"]()
    sys.path[:] = lasting
    sys.path_importer_cache.clear()
    return Program(namespace["main"], namespace.get("before_run", _nothing))


def _nothing() -> None:
    """Most programs have nothing to do before a run."""


def _move_loaded_packages(stdlib: str) -> None:
    """Let packages that were loaded before the root changed find the rest of themselves.

    Without it ``encodings`` could load no further codec, nor ``importlib`` its other parts.
    """
    on_host = str(Path(os.__file__).parent)
    for module in list(sys.modules.values()):
        folders = getattr(module, "__path__", None)
        if isinstance(folders, list):
            folders[:] = [folder.replace(on_host, stdlib, 1) for folder in folders]


def _describe(place: _Place, isolation: Isolation) -> dict[str, Any]:
    numpy = sys.modules.get("numpy")
    versions = {"python": platform.python_version()}
    if numpy is not None:
        versions["numpy"] = str(numpy.__version__)
    layers = [*_LAYERS[place.tier], *_LAYERS_OF_ALL]
    if isolation.landlock_abi:
        layers.append(f"landlock_{isolation.landlock_abi}")
    if place.user is not None:
        layers.append("own_uid")
    return {"versions": versions, "layers": layers}
