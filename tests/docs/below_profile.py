"""Prints the tier and the layers that a process of a container gets: ``below_profile.py PROFILE``.

Stands in for a container: no capability, no new privileges, and the table PROFILE loaded through
libseccomp, as container engines do it. Without PROFILE only the rest of that.
"""

import ctypes
import json
import os
import sys

from submissions_sandbox import Sandbox, python_profile

PROGRAM = "def preload():\n    pass\n\ndef main(request):\n    pass\n"
ALLOWED, REFUSED = 0x7FFF0000, 0x00050000
COMPARISONS = {"SCMP_CMP_EQ": 4, "SCMP_CMP_MASKED_EQ": 7}
PR_CAPBSET_READ, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 23, 24, 38


class Condition(ctypes.Structure):
    _fields_ = (
        ("index", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def action_of(name: str, error: int) -> int:
    return ALLOWED if name == "SCMP_ACT_ALLOW" else REFUSED | error


def load(path: str) -> None:
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - before anything is imported
        table = json.load(file)
    default = action_of(table["defaultAction"], table.get("defaultErrnoRet", 1))
    context = ctypes.c_void_p(library.seccomp_init(default))
    for rule in table["syscalls"]:
        conditions = [
            Condition(one["index"], COMPARISONS[one["op"]], one["value"], one.get("valueTwo", 0))
            for one in rule.get("args", ())
        ]
        array = (Condition * len(conditions))(*conditions)
        for name in rule["names"]:
            number = library.seccomp_syscall_resolve_name(name.encode())
            if number == -1:  # a call that this libseccomp is too old to know
                continue
            added = library.seccomp_rule_add_array(
                context, action_of(rule["action"], 1), number, len(conditions), array
            )
            assert added == 0, (name, added)
    assert library.seccomp_load(context) == 0


def main(*profile: str) -> None:
    library = ctypes.CDLL(None)
    capability = 0
    while os.geteuid() == 0 and library.prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0:
        library.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        capability += 1
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(10001, 10001, 10001)
        os.setresuid(10001, 10001, 10001)
    library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for path in profile:
        load(path)
    with Sandbox(python_profile(PROGRAM)) as sandbox, sandbox.open_box():
        sys.stdout.write(json.dumps([sandbox.description.tier, *sandbox.description.layers]))


if __name__ == "__main__":
    main(*sys.argv[1:])
