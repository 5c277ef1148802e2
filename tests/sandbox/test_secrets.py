"""Secrets: what the supervisor or another run knows can be found nowhere in a run.

Canaries have a form that the search pattern itself does not have, so the search cannot find
itself. It is proven by a canary of its own that it must find.
"""

import ast
import secrets
from collections.abc import Iterator

import pytest
from attack_box import Runner, start

LIMITS = {"cpu_ms": 6000, "memory_kb": 256 * 1024}
# Reads all memory near known objects: write() answers EFAULT where a page cannot be read.
SEARCH_MEMORY = """
import re
pattern = re.compile(b'CANARY-[0-9a-f]{16}')
own = b'CANARY' + b'-' + b'0' * 16
out, in_ = os.pipe()
page = 4096
found, seen = set(), set()

def read(number):
    if libc.write(in_, ctypes.c_void_p(number * page), page) != page:
        return None
    return os.read(out, page)

def walk(number, step):
    tail, holes = b'', 0
    while holes < 64 and number not in seen:
        seen.add(number)
        block = read(number)
        holes = 0 if block else holes + 1
        if block and step > 0:
            found.update(pattern.findall(tail + block))
            tail = block[-32:]
        number += step
    return number

starts = [id(thing) for thing in (own, [], sys, os, os.environ, sys._getframe(0))]
starts += [ctypes.c_void_p.in_dll(libc, 'environ').value, ctypes.addressof(ctypes.c_int())]
starts += [ctypes.cast(libc.malloc, ctypes.c_void_p).value]
for address in starts:
    if address // page not in seen:
        low = walk(address // page, -1)
        seen.difference_update(range(low, address // page + 1))
        walk(low + 1, 1)
report((len(seen), sorted(found)))
"""
SEARCH_FRAMES = """
import gc, re
pattern = re.compile('CANARY-[0-9a-f]{16}')
own = 'CANARY' + '-' + '0' * 16
found, seen = set(), set()

def look(value, depth):
    if depth == 0 or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, (str, bytes, bytearray)):
        text = value if isinstance(value, str) else bytes(value).decode('latin-1')
        found.update(pattern.findall(text))
    elif isinstance(value, dict):
        for part in list(value.items()): look(part, depth - 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for part in list(value): look(part, depth - 1)
    else:
        look(getattr(value, '__dict__', None), depth - 1)

frame = sys._getframe()
frames = 0
while frame:
    frames += 1
    look(frame.f_locals, 8)
    look(frame.f_globals, 8)
    frame = frame.f_back
gc.unfreeze()
for thing in gc.get_objects():
    look(thing, 4)
report((frames, sorted(found)))
"""


def canary() -> str:
    return "CANARY-" + secrets.token_hex(8)


@pytest.fixture(scope="module")
def runs() -> Iterator[tuple[Runner, set[str]]]:
    """A box that follows other runs, and the canaries that were near it but not in it."""
    with pytest.MonkeyPatch.context() as patch:
        in_environment, in_heap, in_other_box, in_run_before = (canary() for _ in range(4))
        patch.setenv("SANDBOX_CANARY", in_environment)
        held = [in_heap.encode() * 100]
        with start() as sandbox, sandbox.open_box() as other, sandbox.open_box() as box:
            Runner(other)(f"kept = '{in_other_box}'\nsys.kept = kept * 100")
            Runner(box)(f"kept = '{in_run_before}'\nsys.kept = kept * 100\nprint(kept)")
            yield Runner(box), {in_environment, in_heap, in_other_box, in_run_before}
        assert held


def test_the_environment_is_five_fixed_variables(run: Runner) -> None:
    assert ast.literal_eval(run.report("report(dict(os.environ))")) == {
        "HOME": "/tmp",  # noqa: S108 - the box's own
        "LANG": "C.UTF-8",
        "OPENBLAS_NUM_THREADS": "1",
        "PATH": "/usr/bin",
        "PYTHONHASHSEED": "0",
    }
    assert run.report("report(sys.argv)") == "['solution']"


def test_no_foreign_byte_is_found_in_memory(runs: tuple[Runner, set[str]]) -> None:
    runner, canaries = runs
    pages, found = ast.literal_eval(runner.report(SEARCH_MEMORY, **LIMITS))
    assert pages > 1000
    assert found == [b"CANARY-" + b"0" * 16]
    assert canaries.isdisjoint(text.decode() for text in found)


def test_no_foreign_value_is_found_in_frames_or_by_the_collector(
    runs: tuple[Runner, set[str]],
) -> None:
    runner, _ = runs
    frames, found = ast.literal_eval(runner.report(SEARCH_FRAMES, **LIMITS))
    assert frames > 3
    assert found == ["CANARY-" + "0" * 16]


def test_the_request_is_read_once_and_gone(run: Runner) -> None:
    code = "report((os.read(0, 10), attempt(os.lseek, 0, 0, os.SEEK_SET), os.read(0, 10)))"
    assert run.report(code) == "(b'', 'done', b'')"
