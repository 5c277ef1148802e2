"""Runs inside a Python box: calls the learner's function once and writes one reply frame.

This file is read as text by judge.harness.python and handed to the sandbox, which calls
``preload()`` once before any box exists, ``before_run()`` just before each run is forked, and
``main(request)`` once in each. It shares its process with the learner's code, so nothing that it
writes is believed for more than "this is what the learner's program answered", and nothing worth
stealing ever reaches it: a request holds the learner's own source and one case's arguments.

Request: u32 length and JSON header {mode, function, parameters, returns}, u32 length and source,
u32 length and what an earlier check compiled it to, or nothing, then the arguments in the form of
judge.harness.wire. A check first writes a frame of its own, B with a u32 length and the compiled
source, before it runs any of it: so what later calls run is what was sent. Modes: ``check``
(compile, look for the function), ``call`` (call it with the arguments), ``tool`` (call it with one
dict of named arguments: the package's own validators and the like). Where no function is named the
source is a program: a check only compiles it, a call runs it with the arguments' bytes as its
standard input. Where the header has ``drawn``, the number of a parameter that arrives as an array
of two dimensions, the function is called once a row, and the value is the list of what it returned.
Reply on descriptor 3: one byte kind, then a value in wire form (kind V) or a JSON object (every
other kind; K of a program that came to its end).
"""

import array
import atexit
import bisect
import builtins
import collections
import contextlib
import copy
import dataclasses
import decimal
import fractions
import functools
import heapq
import inspect
import itertools
import json
import linecache
import marshal
import operator
import os
import random
import statistics
import string
import struct
import sys
import threading
import time
import traceback
import types
import typing

import numpy as np

RESULT_DESCRIPTOR = 3
FILE_NAME = "solution.py"
MAX_TEXT = 4000
# The main thread may have a deep stack; with as much for each, eight threads would fill the memory.
THREAD_STACK_BYTES = 8 * 1024 * 1024
SHOWN_FRAMES = 12
NUMPY_DTYPES = {"f64": "<f8", "f32": "<f4", "i64": "<i8", "bool": "|b1"}
ACCEPTED_KINDS = {"f64": "fiu", "f32": "fiu", "i64": "iu", "bool": "b"}
# Modules that learners use often are imported once, before any box is forked.
WARM = (array, bisect, collections, contextlib, copy, dataclasses, decimal, fractions, functools)
WARM += (heapq, itertools, operator, random, statistics, string, time, typing)  # type: ignore[assignment]


class Mismatch(Exception):
    """The returned value is not of the declared type."""

    def __init__(self, path: str, expected: str, got: str, reason: str = "wrong_type") -> None:
        super().__init__(f"{path}: expected {expected}, got {got}")
        self.reason = reason


# What is rehearsed before any box: calls that take and give the most common types.
REHEARSAL = """
import numpy as np
def rehearse(values, number):
    if np.argsort(-np.array(values), kind="stable")[0] > number:
        raise ValueError(number)
    return number
"""
REHEARSALS = 30


def preload() -> None:
    """Touch what a first call would otherwise pay for in every box.

    The interpreter specialises code that has run a few times; where that was done in the zygote,
    no box has to write to those pages.
    """
    threading.stack_size(THREAD_STACK_BYTES)
    np.random.default_rng(0).random()
    np.random.seed(0)
    product = np.ones((4, 4)) @ np.ones((4, 4))
    np.argsort(np.exp(-product), axis=None, kind="stable")
    np.linalg.norm(product)
    np.cumsum(product) / product.sum()
    rehearse()


def rehearse() -> None:
    """Answer requests of the driver's own, and leave no trace of them."""
    shapes = [["values", ["list", ["float"]]], ["number", ["int"]]]
    header = {"mode": "call", "function": "rehearse", "parameters": shapes, "returns": ["int"]}
    code = marshal.dumps(compile(REHEARSAL, FILE_NAME, "exec"))
    parts = (json.dumps(header).encode(), REHEARSAL.encode(), code)
    head = b"".join(len(part).to_bytes(4, "little") + part for part in parts)
    for number in (1, -1) * REHEARSALS:
        answer(*split_request(head + struct.pack("<I2dq", 2, 0.5, 1.5, number)))
    del sys.modules["solution"]
    linecache.cache.clear()


def before_run() -> None:
    """Give the next run its own random numbers; nobody can tell the one after it by them."""
    seed = int.from_bytes(os.urandom(16), "little")
    random.seed(seed)
    np.random.seed(random.getrandbits(32))


def main(request: bytes) -> None:
    """Answer one request."""
    kind, payload = answer(*split_request(request))
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    write(kind.encode() + payload)


def split_request(request: bytes) -> tuple[dict[str, typing.Any], str, bytes, bytes]:
    """Header, source, compiled source and argument bytes of a request."""
    header_end = 4 + int.from_bytes(request[:4], "little")
    source_start = header_end + 4
    source_end = source_start + int.from_bytes(request[header_end:source_start], "little")
    source = request[source_start:source_end].decode()
    code_end = source_end + 4 + int.from_bytes(request[source_end : source_end + 4], "little")
    code = request[source_end + 4 : code_end]
    return json.loads(request[4:header_end]), source, code, request[code_end:]


def answer(
    header: dict[str, typing.Any], source: str, code: bytes, arguments: bytes
) -> tuple[str, bytes]:
    """Reply kind and payload: V value, M mismatch, R raised, O memory, X exit, C compile, K ok."""
    try:
        return act(header, source, code, arguments)
    except Mismatch as error:
        return "M", as_json(reason=error.reason, message=f"{error}{header.get('turn', '')}")
    except MemoryError:
        return "O", b"{}"
    except SystemExit as error:
        return "X", as_json(message=f"sys.exit({safe_text(error.code)}) was called")
    except BaseException as error:
        return "R", raised(error, header.get("turn", ""))


def act(
    header: dict[str, typing.Any], source: str, code: bytes, arguments: bytes
) -> tuple[str, bytes]:
    """Compile, run the module, find the function, call it, encode what it returned."""
    checking = header["mode"] == "check"
    try:
        program = load(code) if code else compile(source, FILE_NAME, "exec", 0, True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return "C", as_json(reason="syntax", message=syntax_message(error))
    if checking:
        announce(program)
    # A line is looked for when something is raised only; Python asks with the file's name.
    linecache.cache[FILE_NAME] = (lambda: source,)
    if not header["function"]:
        return ("K", b"{}") if checking else run_program(program, arguments)
    module = types.ModuleType("solution")
    sys.modules["solution"] = module
    try:
        exec(program, module.__dict__)
    except BaseException:
        if checking:
            return "K", b"{}"  # the cases will meet the same exception and report it
        raise
    function: typing.Any = module.__dict__.get(header["function"])
    if checking:
        return check_function(function, header)
    values = decode_arguments(header["parameters"], arguments)
    if header["mode"] == "tool":
        result = function({p[0]: v for p, v in zip(header["parameters"], values, strict=True)})
    elif "drawn" in header:
        return draw(function, header, values)
    else:
        result = function(*values)
    parts: list[bytes] = []
    encode(coerce(header["returns"], result, "return value"), header["returns"], parts)
    return "V", b"".join(parts)


def draw(
    function: typing.Any, header: dict[str, typing.Any], values: list[typing.Any]
) -> tuple[str, bytes]:
    """Call the function once a row of the drawn argument, with the others as they are."""
    place, returns = header["drawn"], header["returns"]
    rows = values[place]
    parts = [struct.pack("<I", len(rows))]
    for number, row in enumerate(rows, start=1):
        values[place], header["turn"] = row.tolist(), f"\nin draw {number} of {len(rows)}"
        encode(coerce(returns, function(*values), "return value"), returns, parts)
    return "V", b"".join(parts)


def run_program(program: types.CodeType, text: bytes) -> tuple[str, bytes]:
    """Run a source as a program that reads ``text``; what it prints leaves by its own stdout."""
    feed(text)
    module = types.ModuleType("__main__")
    sys.modules["__main__"], sys.argv = module, [FILE_NAME]
    # What the module site would have put there.
    builtins.exit = builtins.quit = sys.exit  # type: ignore[assignment]
    try:
        exec(program, module.__dict__)
    except SystemExit as error:
        if error.code is not None and error.code != 0:
            raise
    # As an interpreter does at its end: wait for threads, then call what was registered for it.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    return "K", b"{}"


def feed(text: bytes) -> None:
    """Make ``text`` the standard input: a pipe of this run's own."""
    listen, say = os.pipe()
    os.dup2(listen, 0)
    os.close(listen)
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    threading.Thread(target=pour, args=(say, text), daemon=True).start()


def pour(say: int, text: bytes) -> None:
    """Write all of it; who does not listen to the end loses the rest."""
    view = memoryview(text)
    with contextlib.suppress(OSError):
        while view:
            view = view[os.write(say, view) :]
    os.close(say)


def load(code: bytes) -> types.CodeType:
    """What the check of this source announced; it came from a box and is run in one."""
    program: types.CodeType = marshal.loads(code)  # noqa: S302
    return program


def announce(program: types.CodeType) -> None:
    """Write what the source was compiled to, ahead of everything that it may write itself.

    Also where that cannot be written down: then each call compiles, and nobody else's first frame
    is taken for this one.
    """
    try:
        code = marshal.dumps(program)
    except (ValueError, MemoryError):  # constants that are nested too deeply
        code = b""
    write(b"B" + len(code).to_bytes(4, "little") + code)


def write(frame: bytes) -> None:
    """Write all of it to the result."""
    while frame:
        frame = frame[os.write(RESULT_DESCRIPTOR, frame) :]


def check_function(function: typing.Any, header: dict[str, typing.Any]) -> tuple[str, bytes]:
    """Whether the function exists and takes the problem's arguments."""
    name, names = header["function"], [parameter[0] for parameter in header["parameters"]]
    if not callable(function):
        message = f"{FILE_NAME}: no function {name}({', '.join(names)}) is defined"
        return "C", as_json(reason="entry_point", message=message)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "K", b"{}"
    try:
        signature.bind(*names)
    except TypeError:
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", 1)
        message = (
            f"{FILE_NAME}:{line}: {name}{signature} cannot be called with the problem's "
            f"{len(names)} arguments ({', '.join(names)})"
        )
        return "C", as_json(reason="signature", message=message)
    return "K", b"{}"


def syntax_message(error: BaseException) -> str:
    """File, line, column and text of what does not compile."""
    if not isinstance(error, SyntaxError):
        return f"{FILE_NAME}: {type(error).__name__}: {safe_text(error) or 'too complex'}"
    where = f"{FILE_NAME}:{error.lineno or 1}:{error.offset or 1}"
    message = f"{where}: {type(error).__name__}: {error.msg}"
    if error.text:
        message += "\n    " + error.text.rstrip("\n")
    return message


def raised(error: BaseException, turn: str) -> bytes:
    """Class, message, and the learner's frames only; of many calls ``turn`` tells which it was."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == FILE_NAME]
    shown = frames
    if len(frames) > SHOWN_FRAMES:
        shown = frames[: SHOWN_FRAMES // 3] + frames[-2 * SHOWN_FRAMES // 3 :]
    lines = [f"  line {f.lineno}, in {f.name}\n    {f.line or ''}" for f in shown]
    name = type(error).__name__
    lines.append(f"{name}: {safe_text(error)}{turn}")
    return as_json(
        error_class=name,
        line=(frames[-1].lineno if frames else 0) or 0,
        message="\n".join(lines),
    )


def safe_text(value: object) -> str:
    """str() of something that may be hostile."""
    try:
        return str(value)[:MAX_TEXT]
    except BaseException:
        return "(its text cannot be shown)"


def as_json(**fields: object) -> bytes:
    """A JSON payload, its texts cut to a bounded length."""
    cut = {
        key: value[:MAX_TEXT] if isinstance(value, str) else value for key, value in fields.items()
    }
    return json.dumps(cut).encode()


def decode_arguments(parameters: list[typing.Any], payload: bytes) -> list[typing.Any]:
    """The arguments of one call; the bytes come from the judge and are trusted."""
    values, position = [], 0
    for _, shape in parameters:
        value, position = decode(shape, payload, position)
        values.append(value)
    return values


def decode(shape: list[typing.Any], payload: bytes, at: int) -> tuple[typing.Any, int]:
    """One value of a type and the position behind it."""
    kind = shape[0]
    if kind == "int":
        return struct.unpack_from("<q", payload, at)[0], at + 8
    if kind == "float":
        return struct.unpack_from("<d", payload, at)[0], at + 8
    if kind == "bool":
        return payload[at] == 1, at + 1
    if kind == "optional":
        return decode(shape[1], payload, at + 1) if payload[at] else (None, at + 1)
    if kind == "tuple":
        parts = []
        for part in shape[1]:
            value, at = decode(part, payload, at)
            parts.append(value)
        return tuple(parts), at
    if kind == "ndarray":
        return decode_array(shape, payload, at)
    return decode_counted(shape, payload, at)


def decode_counted(shape: list[typing.Any], payload: bytes, at: int) -> tuple[typing.Any, int]:
    """A str, list or dict."""
    count, at = struct.unpack_from("<I", payload, at)[0], at + 4
    if shape[0] == "str":
        return payload[at : at + count].decode(), at + count
    if shape[0] == "dict":
        pairs = {}
        for _ in range(count):
            key, at = decode(shape[1], payload, at)
            pairs[key], at = decode(shape[2], payload, at)
        return pairs, at
    if shape[1][0] in ("int", "float"):
        dtype = "<i8" if shape[1][0] == "int" else "<f8"
        return np.frombuffer(payload, dtype, count, at).tolist(), at + 8 * count
    items = []
    for _ in range(count):
        value, at = decode(shape[1], payload, at)
        items.append(value)
    return items, at


def decode_array(shape: list[typing.Any], payload: bytes, at: int) -> tuple[typing.Any, int]:
    """A fresh writable array in C order."""
    _, dtype, ndim = shape
    count, at = struct.unpack_from("<I", payload, at)[0], at + 4
    if ndim == 1:
        row = np.frombuffer(payload, NUMPY_DTYPES[dtype], count, at).copy()
        return row, at + row.nbytes
    rows = []
    for _ in range(count):
        row, at = decode_array(["ndarray", dtype, ndim - 1], payload, at)
        rows.append(row)
    return np.array(rows, dtype=NUMPY_DTYPES[dtype]), at


def type_name(shape: list[typing.Any]) -> str:
    """The type in Python's words."""
    if shape[0] == "ndarray":
        return f"array[{shape[1]}] with {shape[2]} dimension{'s' if shape[2] > 1 else ''}"
    if shape[0] == "optional":
        return f"{type_name(shape[1])} or None"
    if shape[0] == "tuple":
        return f"tuple of {len(shape[1])}"
    return "list" if shape[0] == "list" else str(shape[0])


def coerce(shape: list[typing.Any], value: typing.Any, path: str) -> typing.Any:
    """Plain data of the declared type, or Mismatch with the path of the first part that is not."""
    kind = shape[0]
    if kind == "optional" and value is None:
        return None
    if kind == "optional":
        return coerce(shape[1], value, path)
    if value is None:
        raise Mismatch(path, type_name(shape), "None (is a return missing?)")
    if isinstance(value, np.ndarray) and value.ndim == 0 and kind in ("int", "float", "bool"):
        value = value[()]
    coercion: typing.Callable[..., typing.Any] = COERCIONS[kind]
    return coercion(shape, value, path)


def coerce_int(shape: list[typing.Any], value: typing.Any, path: str) -> int:
    """A 64-bit integer; no bool, no float even if it is integral."""
    if isinstance(value, bool | np.bool_):
        raise Mismatch(path, "int", f"bool ({bool(value)})")
    if isinstance(value, float | np.floating):
        raise Mismatch(path, "int", f"float ({float(value)!r}); write int(...)")
    if isinstance(value, np.integer):
        value = int(value)
    if not isinstance(value, int):
        raise Mismatch(path, "int", describe(value))
    number = int.__pos__(value)
    if not -(2**63) <= number < 2**63:
        raise Mismatch(path, "int", "an integer that does not fit into 64 bits")
    return number


def coerce_float(shape: list[typing.Any], value: typing.Any, path: str) -> float:
    """A double; integers are taken, bools are not."""
    if isinstance(value, bool | np.bool_):
        raise Mismatch(path, "float", f"bool ({bool(value)})")
    if isinstance(value, float):  # np.float64 too
        return float.__pos__(value)
    if isinstance(value, np.integer | np.floating):
        return float(value)
    if isinstance(value, int):
        try:
            return int.__float__(value)
        except OverflowError:
            raise Mismatch(path, "float", "an integer too large for a double") from None
    raise Mismatch(path, "float", describe(value))


def coerce_bool(shape: list[typing.Any], value: typing.Any, path: str) -> bool:
    """A bool or numpy bool."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise Mismatch(path, "bool", describe(value))


def coerce_str(shape: list[typing.Any], value: typing.Any, path: str) -> str:
    """Text that has a UTF-8 form."""
    if not isinstance(value, str):
        raise Mismatch(path, "str", describe(value))
    try:
        return str.encode(value, "utf-8").decode("utf-8")
    except UnicodeEncodeError:
        raise Mismatch(path, "str", "text with a lone surrogate") from None


def items_of(shape: list[typing.Any], value: typing.Any, path: str) -> list[typing.Any]:
    """The items of a list, tuple or array, without calling an overridden method."""
    if isinstance(value, np.ndarray) and value.ndim >= 1:
        return list(np.asarray(value))
    if isinstance(value, list):
        return list.copy(value)
    if isinstance(value, tuple):
        return list(tuple.__iter__(value))
    raise Mismatch(path, type_name(shape), describe(value))


def coerce_list(shape: list[typing.Any], value: typing.Any, path: str) -> list[typing.Any]:
    """A list, tuple or array of items of one type."""
    items = items_of(shape, value, path)
    return [coerce(shape[1], item, f"{path}[{index}]") for index, item in enumerate(items)]


def coerce_tuple(shape: list[typing.Any], value: typing.Any, path: str) -> list[typing.Any]:
    """A list, tuple or array with one item a part."""
    items = items_of(shape, value, path)
    if len(items) != len(shape[1]):
        raise Mismatch(path, type_name(shape), f"{len(items)} items", "wrong_shape")
    parts = zip(shape[1], items, strict=True)
    return [coerce(part, item, f"{path}[{i}]") for i, (part, item) in enumerate(parts)]


def coerce_dict(
    shape: list[typing.Any], value: typing.Any, path: str
) -> dict[typing.Any, typing.Any]:
    """A dict; keys that become equal count as one too many."""
    if not isinstance(value, dict):
        raise Mismatch(path, "dict", describe(value))
    result = {}
    for key, item in dict.items(value):
        plain = coerce(shape[1], key, f"{path} key")
        result[plain] = coerce(shape[2], item, f"{path}[{plain!r}]")
    return result


def coerce_array(shape: list[typing.Any], value: typing.Any, path: str) -> typing.Any:
    """An array or rectangular nested list of the declared dtype's kind."""
    _, dtype, ndim = shape
    if not isinstance(value, np.ndarray | list | tuple):
        raise Mismatch(path, type_name(shape), describe(value))
    try:
        plain = np.asarray(value)
    except (ValueError, OverflowError):
        raise Mismatch(path, type_name(shape), "rows of different lengths", "wrong_shape") from None
    if plain.ndim != ndim:
        got = f"{plain.ndim} dimension{'s' if plain.ndim != 1 else ''}"
        raise Mismatch(path, type_name(shape), got, "wrong_shape")
    if 0 in plain.shape[:-1]:
        # The wire form has nested counts: behind an empty dimension there is no place for more.
        raise Mismatch(path, type_name(shape), f"shape {plain.shape}", "wrong_shape")
    if plain.size == 0:
        return np.zeros(plain.shape, NUMPY_DTYPES[dtype])
    if plain.dtype.kind not in ACCEPTED_KINDS[dtype]:
        raise Mismatch(path, type_name(shape), f"dtype {plain.dtype}")
    if dtype == "i64" and plain.dtype.kind == "u" and plain.max() >= 2**63:
        raise Mismatch(path, type_name(shape), "an integer that does not fit into 64 bits")
    return np.ascontiguousarray(plain, NUMPY_DTYPES[dtype])


def describe(value: object) -> str:
    """What a value is, in a few words."""
    name = type(value).__name__[:60]
    if isinstance(value, np.ndarray):
        return f"array of {value.ndim} dimension{'s' if value.ndim != 1 else ''}"
    if type(value) in (int, float, bool, str):
        return f"{name} ({value!r:.60})"
    return name


COERCIONS = {
    "int": coerce_int,
    "float": coerce_float,
    "bool": coerce_bool,
    "str": coerce_str,
    "list": coerce_list,
    "tuple": coerce_tuple,
    "dict": coerce_dict,
    "ndarray": coerce_array,
}


def encode(value: typing.Any, shape: list[typing.Any], parts: list[bytes]) -> None:
    """Append the wire form of plain data."""
    kind = shape[0]
    if kind == "int":
        parts.append(struct.pack("<q", value))
    elif kind == "float":
        parts.append(struct.pack("<d", value))
    elif kind == "bool":
        parts.append(bytes([value]))
    elif kind == "optional":
        parts.append(bytes([value is not None]))
        if value is not None:
            encode(value, shape[1], parts)
    elif kind == "tuple":
        for part, item in zip(shape[1], value, strict=True):
            encode(item, part, parts)
    else:
        encode_counted(value, shape, parts)


def encode_counted(value: typing.Any, shape: list[typing.Any], parts: list[bytes]) -> None:
    """Append a str, list, dict or array."""
    if shape[0] == "str":
        value = value.encode()
    parts.append(struct.pack("<I", len(value)))
    if shape[0] == "str":
        parts.append(value)
    elif shape[0] == "dict":
        for key, item in value.items():
            encode(key, shape[1], parts)
            encode(item, shape[2], parts)
    elif shape[0] == "list":
        for item in value:
            encode(item, shape[1], parts)
    elif shape[2] == 1:
        parts.append(value.tobytes())
    else:
        for row in value:
            encode_counted(row, ["ndarray", shape[1], shape[2] - 1], parts)
