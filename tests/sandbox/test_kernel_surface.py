"""The kernel's surface: calls that no solution needs are refused or end the program."""

import pytest
from attack_box import REFUSALS, Runner, numbers_here

from submissions_sandbox import Tier
from submissions_sandbox.syscall_numbers import machine

# Number and arguments of calls that mostly succeed where nothing guards: x86_64, aarch64.
_CALLS = {
    "ptrace": (101, 117, "0, 0, 0, 0"),
    "process_vm_readv": (310, 270, "os.getpid(), vector, 1, vector, 1, 0"),
    "process_vm_writev": (311, 271, "os.getpid(), vector, 1, vector, 1, 0"),
    "kcmp": (312, 272, "os.getpid(), os.getpid(), 1, 0, 0"),
    "perf_event_open": (298, 241, "buffer, 0, -1, -1, 0"),
    "bpf": (321, 280, "0, buffer, 128"),
    "userfaultfd": (323, 282, "1"),
    "io_uring_setup": (425, 425, "8, buffer"),
    "keyctl": (250, 219, "0, -2, 1"),
    "add_key": (248, 217, "b'user', b'name', b'value', 5, -2"),
    "request_key": (249, 218, "b'user', b'name', 0, -2"),
    "seccomp": (317, 277, "2, 0, buffer"),
    "unshare": (272, 97, "0x10000000"),
    "setns": (308, 268, "0, 0"),
    "mount": (165, 40, "b'tmpfs', b'/tmp', b'tmpfs', 0, 0"),
    "umount2": (166, 39, "b'/tmp', 2"),
    "pivot_root": (155, 41, "b'/tmp', b'/tmp'"),
    "open_tree": (428, 428, "-100, b'/tmp', 0"),
    "fsopen": (430, 430, "b'tmpfs', 0"),
    "personality": (135, 92, "0x0040000"),
    "prctl DUMPABLE": (157, 167, "4, 1, 0, 0, 0"),
    "prctl PDEATHSIG": (157, 167, "1, 0, 0, 0, 0"),
    "capset": (126, 91, "(ctypes.c_uint32 * 2)(0x20080522, 0), buffer"),
    "setuid": (105, 146, "os.getuid()"),
    "setsid": (112, 157, ""),
    "setpgid": (109, 154, "0, 0"),
    "sethostname": (170, 161, "b'x', 1"),
    "reboot": (169, 142, "0xfee1dead, 672274793, 0"),
    "swapon": (167, 224, "b'/tmp', 0"),
    "syslog": (103, 116, "3, buffer, 128"),
    "init_module": (175, 105, "buffer, 128, b''"),
    "finit_module": (313, 273, "0, b'', 0"),
    "kexec_load": (246, 104, "0, 0, 0, 0"),
    "quotactl": (179, 60, "0x80000100, 0, 0, 0"),
    "fanotify_init": (300, 262, "0x200, 0"),
    "inotify_init1": (294, 26, "0"),
    "signalfd4": (289, 74, "-1, buffer, 8, 0"),
    "timerfd_create": (283, 85, "0, 0"),
    "timer_create": (222, 107, "0, 0, buffer"),
    "shmget": (29, 194, "0, 4096, 0o1600"),
    "semget": (64, 190, "0, 1, 0o1600"),
    "msgget": (68, 186, "0, 0o1600"),
    "mq_open": (240, 180, "b'queue', 0o102, 0o600, 0"),
    "memfd_create": (319, 279, "b'name', 0"),
    "memfd_secret": (447, 447, "0"),
    "vmsplice": (278, 75, "1, vector, 1, 0"),
    "splice": (275, 76, "0, 0, 1, 0, 1, 0"),
    "move_pages": (279, 239, "0, 0, 0, 0, 0, 0"),
    "mlock": (149, 228, "buffer, 128"),
    "sched_setattr": (314, 274, "0, (ctypes.c_uint32 * 12)(48), 0"),
    "setrlimit": (160, 164, "7, (ctypes.c_uint64 * 2)(8, 8)"),
    "landlock_create_ruleset": (444, 444, "0, 0, 1"),
    "ioctl TIOCSTI": (16, 29, "1, 0x5412, b'x'"),
    "ioctl TIOCLINUX": (16, 29, "1, 0x541c, b'x'"),
    "ioctl FIONBIO": (16, 29, "pipe[0], 0x5421, buffer"),
    "fcntl SETOWN": (72, 25, "pipe[0], 8, os.getpid()"),
    "fcntl NOTIFY": (72, 25, "pipe[0], 1026, 0"),
    "prlimit64 of another": (302, 261, "1, 7, 0, buffer"),
    "prlimit64 that sets": (302, 261, "0, 7, (ctypes.c_uint64 * 2)(8, 8), 0"),
}
_SETTING = """
buffer = (ctypes.c_char * 4096)()
vector = (ctypes.c_uint64 * 2)(ctypes.addressof(buffer), 64)
pipe = os.pipe()
"""
FAMILIES = {
    "AF_UNIX": 1,
    "AF_INET": 2,
    "AF_INET6": 10,
    "AF_NETLINK": 16,
    "AF_PACKET": 17,
    "AF_ALG": 38,
    "AF_VSOCK": 40,
    "AF_XDP": 44,
}
on_x86_64 = pytest.mark.skipif(machine() != "x86_64", reason="an ABI of x86_64 only")


@pytest.mark.parametrize(("x86_64", "aarch64", "arguments"), _CALLS.values(), ids=_CALLS)
def test_a_call_that_no_solution_needs_is_refused(
    run: Runner, x86_64: int, aarch64: int, arguments: str
) -> None:
    number = numbers_here(x86_64, aarch64)
    parts = f"{number}, {arguments}" if arguments else str(number)
    assert run.report(f"{_SETTING}report(syscall({parts}))") in REFUSALS


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_no_socket_of_any_family_can_be_made(run: Runner, family: int) -> None:
    code = f"""
        import socket
        kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)
        report({{attempt(socket.socket, {family}, kind) for kind in kinds}})
    """
    assert run.report(code) == "{'EPERM'}"


def test_no_pair_of_sockets_and_no_name_can_be_had(run: Runner) -> None:
    code = """
        import socket
        try:
            name = socket.getaddrinfo('localhost', 80)
        except OSError:
            name = None
        report((attempt(socket.socketpair), name))
    """
    assert run.report(code) == "('EPERM', None)"


@on_x86_64
@pytest.mark.parametrize("number", [39, 0, 57, 520])
def test_a_call_through_the_x32_abi_ends_the_program(run: Runner, number: int) -> None:
    outcome = run(f"libc.syscall(ctypes.c_long(0x40000000 | {number}))\nreport('alive')")
    assert (outcome.kind, outcome.signal, outcome.result) == ("denied", 31, b"")


@on_x86_64
def test_a_call_through_the_32_bit_gate_ends_the_program(run: Runner) -> None:
    # mov eax, 20 (getpid); int 0x80; ret
    code = """
        import mmap
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        ctypes.CFUNCTYPE(ctypes.c_int)(address)()
        report('alive')
    """
    outcome = run(code)
    # A kernel without the 32-bit gate answers with a general protection fault instead.
    assert (outcome.kind, outcome.signal) in (("denied", 31), ("signalled", 11))
    assert outcome.result == b""


def test_the_program_runs_as_a_user_of_its_own(run: Runner) -> None:
    if run.tier is not Tier.A:
        pytest.skip("tier B has ids of its own only where all files can be read by anybody")
    code = """
        report((os.getuid(), os.geteuid(), os.getgid(), os.getpid() > 1))
    """
    assert run.report(code) == "(1000, 1000, 1000, True)"
