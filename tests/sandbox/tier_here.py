"""Prints which tier a process gets that may not make some calls: ``tier_here.py [CALLS…]``.

Stands in for containers and locked-down machines: the named groups of calls are refused by a filter
that this process, and all that it starts, cannot take off. Prints one JSON object: what the sandbox
says of itself and what a run in it reported, or why it refused; and what would mend it.
"""

import ast
import ctypes
import errno
import json
import os
import sys

from submissions_sandbox import (
    ALL_TIERS,
    RunLimits,
    Sandbox,
    SandboxUnavailable,
    Tier,
    python_profile,
)
from submissions_sandbox.bpf import (
    OFFSET_NUMBER,
    RETURN_ALLOW,
    argument_low,
    dispatch,
    encode,
    if_any_bit,
    load,
    returns,
    returns_errno,
)
from submissions_sandbox.probes import way_to
from submissions_sandbox.syscall_numbers import machine

# x86_64, aarch64
CALLS = {
    "namespaces": ((272, 97), (308, 268), (165, 40), (166, 39), (155, 41)),
    "landlock": ((444, 444), (445, 445), (446, 446)),
}
CLONE, CLONE3 = (56, 220), (435, 435)
ANY_NAMESPACE = 0x7E020000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
PROGRAM = """
import os

def preload():
    pass

def main(request):
    seen = []
    for path in ("/proc/self/status", "/etc/passwd"):
        try:
            os.close(os.open(path, os.O_RDONLY))
            seen.append(path)
        except OSError:
            pass
    os.write(3, repr((seen, os.getuid(), request.decode())).encode())
"""


def refuse(*groups: str) -> None:
    """Refuse groups of calls to this process and all that it starts."""
    column = 0 if machine() == "x86_64" else 1
    refused = returns_errno(errno.EPERM)
    rules = {numbers[column]: refused for group in groups for numbers in CALLS[group]}
    if "namespaces" in groups:
        checked = if_any_bit(ANY_NAMESPACE, refused, returns(RETURN_ALLOW))
        rules[CLONE[column]] = [load(argument_low(0)), *checked]
        rules[CLONE3[column]] = returns_errno(errno.ENOSYS)
    program = encode([load(OFFSET_NUMBER), *dispatch(rules, returns(RETURN_ALLOW))])
    memory = ctypes.create_string_buffer(program, len(program))
    head = (ctypes.c_uint64 * 2)(len(program) // 8, ctypes.addressof(memory))
    library = ctypes.CDLL(None, use_errno=True)
    for option, *arguments in ((PR_SET_NO_NEW_PRIVS, 1), (PR_SET_SECCOMP, 2, head)):
        padding = [ctypes.c_ulong(0)] * (4 - len(arguments))
        if library.prctl(option, *arguments, *padding) != 0:
            raise OSError(ctypes.get_errno(), f"prctl({option})")


def describe() -> dict[str, object]:
    """What a sandbox here is, and that it runs something."""
    try:
        sandbox = Sandbox(python_profile(PROGRAM))
    except SandboxUnavailable as error:
        return {"refused": str(error), "fix": way_to(ALL_TIERS)}
    with sandbox, sandbox.open_box() as box:
        outcome = box.run(b"honest", RunLimits(cpu_ms=1000))
        said = sandbox.description
    return {
        "user": os.geteuid(),
        "tier": said.tier,
        "layers": said.layers,
        "fix": "" if sandbox.tier is Tier.A else way_to((Tier.A,)),
        "reported": ast.literal_eval(outcome.result.decode()),
        "stderr": outcome.stderr.decode(),
    }


if __name__ == "__main__":
    refuse(*sys.argv[1:])
    sys.stdout.write(json.dumps(describe()))
