"""The binary form of values: encoders and decoders agree, and hostile bytes are harmless."""

import contextlib
import struct
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_values import plain
from value_strategies import typed_values, types

from judge.domain.signatures import Scalar, ValueType, parse_type
from judge.harness import wire
from judge.harness.drivers import python_driver as driver
from judge.harness.wire import WireError

BYTES = {
    "int": (-2, "feffffffffffffff"),
    "float": (-0.0, "0000000000000080"),
    "bool": (True, "01"),
    "str": ("あ𝒳", "07000000e38182f09d92b3"),
    "list[int]": ([1], "01000000" + "0100000000000000"),
    "list[bool]": ([True, False], "020000000100"),
    "list[list[float]]": ([[], [1.0]], "02000000" + "00000000" + "01000000" + "000000000000f03f"),
    "tuple[bool, str]": ((False, ""), "00" + "00000000"),
    "optional[bool]": (None, "00"),
    "optional[tuple[bool, bool]]": ((True, True), "010101"),
    "dict[str, bool]": ({"a": True}, "01000000" + "0100000061" + "01"),
    "dict[int, bool]": ({}, "00000000"),
    "ndarray[f32, 2]": (np.ones((2, 1), "<f4"), "02000000" + 2 * ("01000000" + "0000803f")),
    "ndarray[bool, 1]": (np.array([True, False]), "020000000100"),
}
# type, payload, what is wrong
MALFORMED = [
    ("int", "", "ends too early"),
    ("int", "00" * 7, "ends too early"),
    ("int", "00" * 9, "1 bytes too many"),
    ("bool", "02", "neither 0 nor 1"),
    ("optional[int]", "02" + "00" * 8, "neither 0 nor 1"),
    ("str", "05000000" + "616263", "ends too early"),
    ("str", "01000000" + "ff", "not UTF-8"),
    ("str", "03000000" + "eda080", "not UTF-8"),
    ("str", "ffffffff" + "61", "ends too early"),
    ("list[int]", "ffffffff", "ends too early"),
    ("list[str]", "ffffffff" + "00" * 8, "more items"),
    ("list[bool]", "02000000" + "0102", "neither 0 nor 1"),
    ("dict[str, bool]", "02000000" + 2 * ("0100000061" + "01"), "key stands twice"),
    ("dict[int, bool]", "ffffff7f" + "00" * 9, "more items"),
    ("ndarray[bool, 1]", "01000000" + "02", "neither 0 nor 1"),
    ("ndarray[i64, 2]", "02000000" + "00000000" + "01000000" + "00" * 8, "not rectangular"),
    ("ndarray[i64, 2]", "00000000", "empty dimension"),
    ("ndarray[f64, 8]", "ffffffff" * 8, "more items"),
]


@pytest.mark.parametrize(("text", "row"), BYTES.items())
def test_the_form_of_each_type(text: str, row: tuple[Any, str]) -> None:
    value, form = row
    kind = parse_type(text)
    assert wire.encode(kind, value).hex() == form
    assert plain(wire.decode(kind, bytes.fromhex(form))) == plain(value)


@given(typed_values())
def test_a_value_comes_back_bit_for_bit(typed: tuple[ValueType, Any]) -> None:
    kind, value = typed
    assert plain(wire.decode(kind, wire.encode(kind, value))) == plain(value)


@given(typed_values())
def test_the_driver_reads_what_the_judge_wrote(typed: tuple[ValueType, Any]) -> None:
    kind, value = typed
    payload = wire.encode(kind, value)
    decoded, end = driver.decode(wire.describe(kind), payload, 0)
    assert end == len(payload)
    assert plain(decoded) == plain(value)


@given(typed_values())
def test_the_judge_reads_what_the_driver_wrote(typed: tuple[ValueType, Any]) -> None:
    kind, value = typed
    parts: list[bytes] = []
    shape = wire.describe(kind)
    driver.encode(driver.coerce(shape, value, "return value"), shape, parts)
    assert b"".join(parts) == wire.encode(kind, value)
    assert plain(wire.decode(kind, b"".join(parts))) == plain(value)


def test_the_driver_gives_arrays_that_may_be_written() -> None:
    for dtype, ndim in [("f64", 1), ("f32", 2), ("i64", 3), ("bool", 2)]:
        kind = parse_type(f"ndarray[{dtype}, {ndim}]")
        array: Any = wire.decode(kind, wire.encode(kind, np.ones([2] * ndim)))
        decoded, _ = driver.decode(wire.describe(kind), wire.encode(kind, array), 0)
        decoded[...] = 0
        assert (decoded.dtype, decoded.flags.c_contiguous) == (array.dtype, True)


@pytest.mark.parametrize(("text", "payload", "message"), MALFORMED)
def test_malformed_bytes_are_refused(text: str, payload: str, message: str) -> None:
    with pytest.raises(WireError, match=message):
        wire.decode(parse_type(text), bytes.fromhex(payload))


@given(types(), st.binary(max_size=200))
def test_no_bytes_do_worse_than_a_wire_error(kind: ValueType, payload: bytes) -> None:
    decodes_or_refuses(kind, payload)


@given(typed_values(), st.data())
def test_no_change_of_a_payload_does_worse(
    typed: tuple[ValueType, Any], data: st.DataObject
) -> None:
    kind, value = typed
    payload = bytearray(wire.encode(kind, value))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(payload)))
        change = data.draw(st.sampled_from(["cut", "insert", "replace", "largest count"]))
        match change:
            case "cut":
                del payload[place : place + data.draw(st.integers(1, 8))]
            case "insert":
                payload[place:place] = data.draw(st.binary(min_size=1, max_size=8))
            case "replace":
                payload[place : place + 1] = data.draw(st.binary(min_size=1, max_size=1))
            case _:
                payload[place : place + 4] = b"\xff" * 4
    decodes_or_refuses(kind, bytes(payload))


def decodes_or_refuses(kind: ValueType, payload: bytes) -> None:
    """What decodes is a value of the type, and it fills the payload."""
    try:
        value = wire.decode(kind, payload)
    except WireError:
        return
    # A NaN may come back with other bits.
    assert len(wire.encode(kind, value)) == len(payload)


@pytest.mark.parametrize(
    ("text", "payload"),
    [
        ("list[str]", b"\xff\xff\xff\xff" + bytes(1 << 18)),
        ("list[list[int]]", struct.pack("<I", 1 << 16) + bytes(1 << 18)),
        ("dict[int, bool]", b"\xff\xff\xff\x7f" + bytes(1 << 18)),
        ("ndarray[f64, 8]", b"\xff\xff\xff\xff" * (1 << 16)),
        ("ndarray[bool, 2]", struct.pack("<I", 1 << 16) + bytes(1 << 18)),
        ("list[float]", b"\xff\xff\xff\xff" + bytes(1 << 18)),
    ],
)
def test_memory_stays_in_proportion_to_the_payload(text: str, payload: bytes) -> None:
    tracemalloc.start()
    try:
        with contextlib.suppress(WireError):
            wire.decode(parse_type(text), payload)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 128 * len(payload)


def test_a_value_may_not_become_more_than_a_million_objects() -> None:
    kind = parse_type("list[bool]")
    too_many = wire.MAX_ITEMS + 1
    with pytest.raises(WireError, match="more items"):
        wire.decode(kind, struct.pack("<I", too_many) + bytes(too_many))


def test_a_flat_list_of_numbers_may_be_longer() -> None:
    count = 1_200_000
    value: Any = wire.decode(parse_type("list[int]"), struct.pack("<I", count) + bytes(8 * count))
    assert (len(value), value[0], type(value[0])) == (count, 0, int)


def test_every_type_has_a_description_that_is_plain_json() -> None:
    kind = parse_type("tuple[a: dict[str, list[optional[int]]], b: ndarray[f32, 3]]")
    dictionary = ["dict", ["str"], ["list", ["optional", ["int"]]]]
    assert wire.describe(kind) == ["tuple", [dictionary, ["ndarray", "f32", 3]]]
    assert wire.describe(Scalar("bool")) == ["bool"]
