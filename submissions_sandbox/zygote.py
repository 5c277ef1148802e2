"""The zygote: one warm process from which every box of a kind is forked.

It is started by exec with an environment of its own, so its memory holds no secret of the
supervisor, and it never receives a byte of a submission. It enters its namespaces, builds the
read-only root, preloads the program, and then forks a box init for every order. As pid 1 of its
pid namespace it takes every box with it when it ends; it ends when the supervisor hangs up.

Messages, from the supervisor: first the profile, then ``{"box": true}`` with the box's end of a
channel. To the supervisor: ``{"zygote": …}`` once it is ready, then ``{"box": pid}`` with a pidfd
for every order; ``{"failed": …}`` in place of the first when it cannot be set up.
"""

import gc
import os
import platform
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from submissions_sandbox.box_init import Program, Variables, serve
from submissions_sandbox.channel import Channel, ChannelClosed
from submissions_sandbox.isolate import Isolation
from submissions_sandbox.kernel import (
    CLONE_NEWPID,
    die_with_parent,
    setns,
    unshare,
    use_one_malloc_arena,
)
from submissions_sandbox.namespaces import enter_namespaces
from submissions_sandbox.profile import STDLIB_IN_BOX, Bind, Starts
from submissions_sandbox.rootfs import enter_root
from submissions_sandbox.syscall_numbers import machine


def main(control: int) -> NoReturn:
    """Process entry; ``control`` is the inherited descriptor of the supervisor's channel."""
    os.set_inheritable(control, False)
    channel = Channel.from_descriptor(control)
    with suppress(ChannelClosed):
        try:
            profile, _ = channel.receive()
            own_user = enter_namespaces()
            child = os.fork()
            if child == 0:
                die_with_parent(signal.SIGKILL)
                _be_zygote(channel, profile, own_user=own_user)
        except OSError as error:
            channel.send({"failed": str(error)})
            os._exit(1)
        channel.close()
        os.waitpid(child, 0)
    os._exit(0)


def _be_zygote(channel: Channel, profile: dict[str, Any], *, own_user: bool) -> NoReturn:
    """Pid 1 of the new pid namespace: prepare once, then serve orders."""
    try:
        # Opened before the host's /proc is lost; later forks reset their pid namespace with it.
        own_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY)
        program, isolation = _prepare(profile, own_user=own_user)
    except Exception as error:
        channel.send({"failed": f"{type(error).__name__}: {error}"})
        os._exit(1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps box inits
    with suppress(ChannelClosed):
        channel.send({"zygote": _describe(own_user=own_user)})
        while True:
            _, descriptors = channel.receive()
            _fork_box(channel, descriptors[0], own_namespace, (program, isolation))
    os._exit(0)


def _fork_box(
    channel: Channel,
    box_end: int,
    own_namespace: int,
    inside: tuple[Program | Variables, Isolation],
) -> None:
    setns(own_namespace, CLONE_NEWPID)
    unshare(CLONE_NEWPID)
    pid = os.fork()
    if pid == 0:
        channel.close()
        os.close(own_namespace)
        serve(Channel.from_descriptor(box_end), *inside)
    os.close(box_end)
    pidfd = os.pidfd_open(pid)
    channel.send({"box": pid}, [pidfd])
    os.close(pidfd)


def _prepare(profile: dict[str, Any], *, own_user: bool) -> tuple[Program | Variables, Isolation]:
    machine_type = machine()
    use_one_malloc_arena()
    own_size = os.open("/proc/self/statm", os.O_RDONLY)
    binds = [
        Bind(source, target, tuple(covered), copied)
        for source, target, covered, copied in profile["binds"]
    ]
    enter_root(binds, machine_type)
    program = _preload(profile) if profile["program"] else dict(profile["environment"])
    base_bytes = int(os.pread(own_size, 64, 0).split()[0]) * os.sysconf("SC_PAGESIZE")
    os.close(own_size)
    isolation = Isolation.prepare(
        machine_type,
        starts=Starts(profile["starts"]),
        own_user=own_user,
        # A program that is started by exec begins with an empty address space.
        base_address_space_bytes=base_bytes if profile["program"] else 0,
    )
    gc.collect()
    gc.freeze()
    return program, isolation


def _preload(profile: dict[str, Any]) -> Program:
    """Load the program's source against the box's own paths and let it warm up."""
    sys.path[:] = profile["python_path"]
    sys.path_importer_cache.clear()
    _move_loaded_packages()
    sys.argv[:] = sys.orig_argv[:] = ["solution"]
    sys.dont_write_bytecode = True
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(profile["program"], "<program>", "exec"), namespace)  # noqa: S102 - trusted
    namespace["preload"]()
    program: Program = namespace["main"]
    return program


def _move_loaded_packages() -> None:
    """Let packages that were loaded before the root changed find the rest of themselves.

    Without it ``encodings`` could load no further codec, nor ``importlib`` its other parts.
    """
    on_host = str(Path(os.__file__).parent)
    for module in list(sys.modules.values()):
        folders = getattr(module, "__path__", None)
        if isinstance(folders, list):
            folders[:] = [folder.replace(on_host, STDLIB_IN_BOX, 1) for folder in folders]


def _describe(*, own_user: bool) -> dict[str, Any]:
    numpy = sys.modules.get("numpy")
    versions = {"python": platform.python_version()}
    if numpy is not None:
        versions["numpy"] = str(numpy.__version__)
    layers = ["user", "pid", "mount", "net", "ipc", "uts", "cgroup", "pivot_root"]
    layers += ["rlimits", "capabilities", "no_new_privs", "seccomp"]
    if own_user:
        layers.append("own_uid")
    return {"versions": versions, "layers": layers}
