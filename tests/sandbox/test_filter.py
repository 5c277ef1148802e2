"""The system call filter itself, run instruction by instruction without a kernel."""

import random
import struct
from collections.abc import Mapping, Sequence

import pytest

from submissions_sandbox import Tier, bpf, calls, seccomp
from submissions_sandbox.descriptors import BINARY
from submissions_sandbox.isolate import PID_MARK, make_filter_template
from submissions_sandbox.profile import Starts
from submissions_sandbox.syscall_numbers import AUDIT_ARCHITECTURES, numbers

OWN_PID = 4321
ALLOW, KILL, REFUSE, ABSENT, UNSUPPORTED = 0x7FFF0000, 0x80000000, 0x50001, 0x50026, 0x5005F
X32_BIT = 0x40000000
MACHINES = tuple(AUDIT_ARCHITECTURES)
# Calls that must never be allowed. Named here once more, with the numbers of x86_64, so that a slip
# in the product's own lists does not pass.
NEVER = {
    "fork": 57, "vfork": 58, "socket": 41, "socketpair": 53, "connect": 42, "bind": 49,
    "sendto": 44, "sendmsg": 46, "recvmsg": 47, "ptrace": 101, "process_vm_readv": 310,
    "process_vm_writev": 311, "bpf": 321, "keyctl": 250, "add_key": 248, "request_key": 249,
    "unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161,
    "personality": 135, "io_uring_setup": 425, "userfaultfd": 323, "perf_event_open": 298,
    "memfd_create": 319, "shmget": 29, "msgget": 68, "semget": 64, "mq_open": 240, "link": 86,
    "linkat": 265, "symlink": 88, "symlinkat": 266, "mknod": 133, "mknodat": 259, "chmod": 90,
    "fchmod": 91, "fchmodat": 268, "chown": 92, "fchown": 93, "fchownat": 260, "setxattr": 188,
    "setrlimit": 160, "setuid": 105, "setgid": 106, "setresuid": 117, "setresgid": 119,
    "setgroups": 116, "setsid": 112, "setpgid": 109, "capset": 126, "seccomp": 317,
    "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424, "tkill": 200,
    "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297, "sched_setaffinity": 203,
    "sched_setscheduler": 144, "sched_setattr": 314, "setpriority": 141, "mlock": 149,
    "mlockall": 151, "openat2": 437, "open_by_handle_at": 304, "name_to_handle_at": 303,
    "timer_create": 222, "init_module": 175, "finit_module": 313, "delete_module": 176,
    "kexec_load": 246, "reboot": 169, "swapon": 167, "iopl": 172, "ioperm": 173,
    "modify_ldt": 154, "process_madvise": 440, "kcmp": 312, "landlock_create_ruleset": 444,
    "memfd_secret": 447, "execveat": 322, "clone3": 435,
}  # fmt: skip


def evaluate(program: bytes, data: bytes) -> int:
    """What the kernel's interpreter returns for one struct seccomp_data."""
    instructions = list(struct.iter_unpack("<HBBI", program))
    accumulator, position = 0, 0
    while True:
        code, if_true, if_false, value = instructions[position]
        position += 1
        match code:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, value)[0]
            case 0x06:
                return value
            case 0x05:
                position += value
            case 0x15 | 0x35 | 0x45:
                holds = {
                    0x15: accumulator == value,
                    0x35: accumulator >= value,
                    0x45: bool(accumulator & value),
                }[code]
                position += if_true if holds else if_false
            case _:
                raise AssertionError(f"an instruction that the filter has no use for: {code:#x}")


def call(number: int, architecture: int, arguments: Sequence[int] = ()) -> bytes:
    padded = [*arguments, *[0] * (6 - len(arguments))]
    return struct.pack("<IIQ6Q", number, architecture, 0, *(a % 2**64 for a in padded))


class Filter:
    """One assembled filter."""

    def __init__(self, machine: str, starts: Starts = Starts.NOTHING) -> None:
        self.table = numbers(machine)
        self.architecture = AUDIT_ARCHITECTURES[machine]
        self.program = seccomp.build_filter(machine, OWN_PID, starts)

    def number(self, number: int, *arguments: int) -> int:
        return evaluate(self.program, call(number, self.architecture, arguments))

    def name(self, name: str, *arguments: int) -> int:
        return self.number(self.table[name], *arguments)


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_number_gets_what_the_allow_list_says(machine: str) -> None:
    built = Filter(machine)
    expected = {built.table[n]: ALLOW for n in seccomp._ALLOWED if n in built.table}
    expected |= {built.table[n]: UNSUPPORTED for n in seccomp._UNSUPPORTED}
    expected[built.table["clone3"]] = ABSENT
    by_argument = {built.table[n] for n in (*seccomp._argument_rules(OWN_PID), "futex")} - {
        built.table["prlimit64"]
    }
    for number in [*range(2048), 0x3FFFFFFF]:
        if number in by_argument:
            continue
        wanted = expected.get(number, REFUSE)
        if number == built.table["prlimit64"]:
            wanted = ALLOW
        assert built.number(number) == wanted, number


def test_no_dangerous_call_is_allowed(machine: str) -> None:
    built = Filter(machine)
    asked = NEVER if machine == "x86_64" else {n: built.table.get(n) for n in NEVER}
    for name, number in asked.items():
        assert number is None or built.number(number) in (REFUSE, ABSENT), name


def test_the_two_tables_of_numbers_agree() -> None:
    table = numbers("x86_64")
    assert {name: table[name] for name in NEVER if name in table} == {
        name: number for name, number in NEVER.items() if name in table
    }


def test_a_foreign_architecture_ends_the_program(machine: str) -> None:
    program = seccomp.build_filter(machine, OWN_PID, Starts.PATH)
    foreign = [value for key, value in AUDIT_ARCHITECTURES.items() if key != machine]
    for architecture in [*foreign, 0x40000003, 0x40000028, 0, 0xFFFFFFFF]:
        for number in (0, 1, 39, 59, 60, 231):
            assert evaluate(program, call(number, architecture)) == KILL


def test_every_x32_number_ends_the_program() -> None:
    built = Filter("x86_64")
    for number in [*range(600), 0x3FFFFFFF]:
        assert built.number(number | X32_BIT) == KILL


def test_a_program_is_started_only_where_the_profile_says_so(machine: str) -> None:
    assert Filter(machine).name("execve") == REFUSE
    assert Filter(machine, Starts.PATH).name("execve") == ALLOW
    assert Filter(machine, Starts.PATH).name("execveat") == REFUSE


def test_a_pair_of_sockets_is_made_only_by_what_is_started_by_path(machine: str) -> None:
    af_unix, af_inet = 1, 2
    for starts in Starts:
        wanted = ALLOW if starts is Starts.PATH else REFUSE
        assert Filter(machine, starts).name("socketpair", af_unix, 1) == wanted
        assert Filter(machine, starts).name("socketpair", af_inet, 1) == REFUSE


@pytest.mark.parametrize("operation", range(14))
def test_a_futex_that_others_could_see_wakes_nobody(machine: str, operation: int) -> None:
    private, realtime, waits = 128, 256, (0, 9)
    for starts in Starts:
        built = Filter(machine, starts)
        assert built.name("futex", 0, operation | private) == ALLOW
        assert built.name("futex", 0, operation | private | realtime) == ALLOW
        joins = starts is not Starts.NOTHING and operation in waits
        for flags in (0, realtime):
            assert built.name("futex", 0, operation | flags) == (ALLOW if joins else REFUSE)


def test_a_binary_is_started_from_its_own_descriptor_only(machine: str) -> None:
    built = Filter(machine, Starts.DESCRIPTOR)
    at_empty_path = 0x1000
    assert built.name("execveat", BINARY, 0, 0, 0, at_empty_path) == ALLOW
    assert built.name("execveat", BINARY, 0, 0, 0, 0) == REFUSE
    assert built.name("execveat", BINARY - 1, 0, 0, 0, at_empty_path) == REFUSE
    assert built.name("execve") == REFUSE


def test_processes_are_made_only_where_the_profile_says_so(machine: str) -> None:
    sigchld, new_user, new_mount = 17, 0x10000000, 0x00020000
    for starts in Starts:
        wanted = ALLOW if starts is Starts.PROCESSES else REFUSE
        assert Filter(machine, starts).name("clone", sigchld) == wanted
        for namespace in (new_user, new_mount):
            assert Filter(machine, starts).name("clone", sigchld | namespace) == REFUSE


@pytest.mark.parametrize("name", ["kill", "tgkill"])
@pytest.mark.parametrize("pid", [0, 1, OWN_PID - 1, OWN_PID + 1, 2**31 - 1, -1, -OWN_PID])
def test_a_signal_goes_to_the_program_itself_only(machine: str, name: str, pid: int) -> None:
    built = Filter(machine)
    assert built.name(name, OWN_PID, 9) == ALLOW
    assert built.name(name, pid, 9) == REFUSE


@pytest.mark.parametrize("pid", [1, 2, 255, 256, 32768, 4_194_304])
def test_the_own_pid_is_put_into_a_prepared_filter(machine: str, pid: int) -> None:
    prepared = calls.load_filter(make_filter_template(machine, Starts.NOTHING, Tier.A), PID_MARK)
    for place in prepared.pid_places:
        place.value = pid
    memory, _ = prepared.call.held
    assert memory.raw == seccomp.build_filter(machine, pid, Starts.NOTHING)


def test_clone_makes_threads_only(machine: str) -> None:
    built = Filter(machine)
    thread = 0x3D0F00  # what pthread_create of glibc asks for
    assert built.name("clone", thread) == ALLOW
    for flags in (17, 0x4111, 0x100 | 17, 0x10000000 | 17, thread & ~0x10000, thread & ~0x400):
        assert built.name("clone", flags) == REFUSE


def test_limits_are_read_and_not_set(machine: str) -> None:
    built = Filter(machine)
    assert built.name("prlimit64", 0, 7, 0, 0x7FFF00001000) == ALLOW
    for arguments in [(0, 7, 1), (0, 7, 1 << 40), (1, 7, 0), (OWN_PID, 7, 0), (1 << 32, 7, 0)]:
        assert built.name("prlimit64", *arguments) == REFUSE


def test_terminals_pipes_and_process_attributes_stay_as_they_are(machine: str) -> None:
    built = Filter(machine)
    allowed = {"ioctl": [0x5401, 0x541B, 0x5450, 0x5451], "fcntl": [0, 1, 2, 3, 4, 1030]}
    for name, commands in allowed.items():
        for command in [*range(2000), 0x5401, 0x5412, 0x541B, 0x541C, 0x5450, 0x5451, 2**32 - 1]:
            wanted = ALLOW if command in commands else REFUSE
            assert built.name(name, 3, command) == wanted, (name, command)
    for option in range(80):
        assert built.name("prctl", option) == (ALLOW if option in (15, 16) else REFUSE)


@pytest.mark.parametrize("seed", range(20))
def test_dispatch_is_a_lookup_in_a_table(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311 - a reproducible table, no secret
    bound = source.choice([8, 64, 2048, 2**32 - 2])
    leaves = [source.randrange(1, 5) for _ in range(source.randrange(0, 400))]
    table = {source.randrange(bound): leaf for leaf in leaves}
    blocks = {leaf: bpf.returns(leaf) for leaf in set(leaves)}
    program = bpf.encode(
        [bpf.load(0), *bpf.dispatch({k: blocks[v] for k, v in table.items()}, bpf.returns(0))]
    )
    asked = {n for key in table for n in (key - 1, key, key + 1)} | {0, 2**32 - 1}
    asked |= {source.randrange(2**32) for _ in range(50)}
    assert lookups(program, asked) == {n: table.get(n, 0) for n in asked if n >= 0}


def test_a_block_longer_than_a_short_jump_is_jumped_over() -> None:
    long = [bpf.load(0)] * 300 + bpf.returns(1)
    program = bpf.encode([bpf.load(0), *bpf.if_equal(7, long, bpf.returns(2))])
    assert lookups(program, [7, 8]) == {7: 1, 8: 2}


def lookups(program: bytes, numbers_: set[int] | list[int]) -> Mapping[int, int]:
    return {n: evaluate(program, struct.pack("<I", n)) for n in numbers_ if n >= 0}
