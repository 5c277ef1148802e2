"""The fuzzer's program inside a box; read as text and called by the sandbox, imported by nobody.

``CALL`` makes system calls and says before and after each what it was and what came of it,
``PLAN`` writes to descriptors and ends in a given way, ``HOME`` tells what a fresh run finds.
box_program.cpp does the same. Layouts are those of fuzz_calls, fuzz_plans and fuzz_records.
"""

import ctypes
import os
import pathlib
import signal
import struct
import sys
import threading
import time

OUT = 30
CALL = struct.Struct("<QB6Bx6Q")
STEP = struct.Struct("<BBHIQ")
SCRATCH_BYTES = 256 * 64 + 16 * 1024
O_NONBLOCK, O_DIRECT, F_SETFL = 0o4000, 0o40000, 4
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.syscall.argtypes = [ctypes.c_ulong] * 7


def preload():
    pass


def main(request):
    {b"CALL": make_calls, b"PLAN": follow, b"HOME": tell}[request[:4]](request[4:])


def tell(_request):
    home = pathlib.Path.cwd()
    left = sorted(path.name for path in home.iterdir()) if home != pathlib.Path("/") else []
    facts = (left, str(home), os.umask(0o22), sum(range(10)), threading.active_count())
    os.write(3, repr(facts).encode())


def make_calls(request):
    token, threads, count = struct.unpack_from("<8sII", request)
    os.dup2(3, OUT)
    os.write(OUT, token + struct.pack("<sI", b"p", os.getpid()))
    scratch = ctypes.create_string_buffer(request[16 : 16 + SCRATCH_BYTES], SCRATCH_BYTES)
    calls = list(enumerate(CALL.iter_unpack(request[16 + SCRATCH_BYTES :])))
    assert len(calls) == count
    others = [
        threading.Thread(target=make_each, args=(token, scratch, calls[n::threads]))
        for n in range(1, threads)
    ]
    for thread in others:
        thread.start()
    make_each(token, scratch, calls[::threads])
    for thread in others:
        thread.join()
    show_descriptors(token)


def make_each(token, scratch, calls):
    code = ctypes.cast(libc.syscall, ctypes.c_void_p).value
    bases = [0, ctypes.addressof(scratch), os.getpid(), threading.get_native_id(), os.getppid()]
    bases += [code, 0]
    for index, (number, _gate, *rest) in calls:
        words = [(bases[k] + v) % 2**64 for k, v in zip(rest[:6], rest[6:], strict=True)]
        who = libc.syscall(GETTID, 0, 0, 0, 0, 0, 0)
        os.write(OUT, token + struct.pack("<sIIQ6Q", b"b", index, who, number, *words))
        ctypes.set_errno(0)
        result = libc.syscall(number, *words)
        if result == -1 and ctypes.get_errno():
            result = -ctypes.get_errno()
        bases[6] = result % 2**64
        who = libc.syscall(GETTID, 0, 0, 0, 0, 0, 0)
        os.write(OUT, token + struct.pack("<sIIq", b"a", index, who, result))


GETTID = 186 if os.uname().machine == "x86_64" else 178


def show_descriptors(token):
    for descriptor in range(64):
        flags = libc.fcntl(descriptor, 3)
        if flags >= 0:
            try:
                found = os.fstat(descriptor)
            except OSError:
                continue
            facts = struct.pack("<sIIQQ", b"f", descriptor, flags, found.st_dev, found.st_ino)
            os.write(OUT, token + facts)


def follow(request):
    for step, first, second, size, pattern in STEP.iter_unpack(request):
        try:
            STEPS[step](first, second, size, pattern)
        except OSError:
            continue


def write(descriptor, chunk, size, pattern):
    left = memoryview((pattern.to_bytes(8, "little") * (size // 8 + 1))[:size])
    while left:
        left = left[os.write(descriptor, left[: chunk or size]) :]


def end_by_signal(number, _second, _size, _pattern):
    if number not in (signal.SIGKILL, signal.SIGSTOP, 32, 33):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def spin(_first, _second, _size, _pattern):
    while True:
        pass


def fail(kind, _second, _size, _pattern):
    if kind:
        ctypes.string_at(0)
    sys.setrecursionlimit(200)
    fail(kind, _second, _size, _pattern)


STEPS = {
    1: write,
    2: lambda first, second, size, pattern: os.close(first),
    3: lambda first, second, size, pattern: os.dup2(first, second),
    4: lambda first, second, size, pattern: time.sleep(size / 1e6),
    5: lambda first, second, size, pattern: os._exit(first),
    6: end_by_signal,
    7: spin,
    8: lambda first, second, size, pattern: time.sleep(1000),
    9: fail,
    10: lambda first, second, size, pattern: libc.fcntl(first, F_SETFL, O_NONBLOCK),
    11: lambda first, second, size, pattern: libc.fcntl(first, F_SETFL, O_DIRECT),
}
