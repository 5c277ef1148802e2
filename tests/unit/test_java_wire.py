"""Java requests, and a compile server's replies read as hostile bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.signatures import make_signature
from judge.domain.verdicts import Reason
from judge.harness import java_wire, wire
from judge.harness.java_wire import CompileFailure, JavaProgram
from judge.harness.replies import ReplyError

SIGNATURE = make_signature("f", {"a": "int", "b": "str"}, "tuple[x: int, y: int]")
PROGRAM = JavaProgram("a.Solution", (("a.Solution", b"\xca\xfe"), ("a.Solution$Đồ", b"")))


def text(value: str) -> bytes:
    return block(value.encode())


def block(value: bytes) -> bytes:
    return number(len(value)) + value


def number(value: int) -> bytes:
    return value.to_bytes(4, "little")


LARGE = block(bytes(3 * 1024 * 1024))


class TestRequests:
    def test_a_compile_request_tells_what_to_look_for_and_what_to_advise(self) -> None:
        declaration = "record Result(long x, long y) {}\nstatic Result f(long a, String b)"
        types = [("tuple[x: int, y: int]", "Result"), ("int", "long"), ("str", "String")]
        expected = text("f") + text(declaration) + number(3)
        expected += b"".join(text(kind) + text(java_type) for kind, java_type in types)
        assert java_wire.compile_request(SIGNATURE, "// nguồn") == expected + text("// nguồn")

    def test_a_call_carries_the_program_and_the_arguments(self) -> None:
        request = java_wire.call_request(SIGNATURE, PROGRAM, {"a": 7, "b": "あ"})
        types = text("tuple[x: int, y: int]") + text("int") + text("str")
        arguments = b"".join(
            wire.encode(parameter.type, value)
            for parameter, value in zip(SIGNATURE.parameters, (7, "あ"), strict=True)
        )
        head = PROGRAM.to_bytes() + text("f") + number(3) + types
        assert request == head + number(0) + arguments


class TestPrograms:
    def test_a_program_is_read_back_from_its_bytes(self) -> None:
        assert JavaProgram.from_bytes(PROGRAM.to_bytes()) == PROGRAM

    def test_every_shorter_or_longer_text_is_refused(self) -> None:
        whole = PROGRAM.to_bytes()
        for size in range(len(whole)):
            with pytest.raises(ReplyError):
                JavaProgram.from_bytes(whole[:size])
        with pytest.raises(ReplyError):
            JavaProgram.from_bytes(whole + b"\0")

    @pytest.mark.parametrize(
        "bytes_",
        [
            text("Solution") + number(1) + text("Other") + block(b""),
            text("Solution") + number(2) + (text("Solution") + block(b"")) * 2,
            text("Solution") + number(2**32 - 1),
            block(b"\xff") + number(0),
            text("A") + number(2) + text("A") + LARGE + text("B") + LARGE,
        ],
        ids=["no entry class", "a class twice", "count", "no UTF-8", "too large"],
    )  # fmt: skip
    def test_what_is_no_program_is_refused(self, bytes_: bytes) -> None:
        with pytest.raises(ReplyError):
            JavaProgram.from_bytes(bytes_)


class TestCompileReplies:
    def test_a_program(self) -> None:
        assert java_wire.read_compile_reply(b"K" + PROGRAM.to_bytes()) == PROGRAM

    @pytest.mark.parametrize("reason", [Reason.SYNTAX, Reason.ENTRY_POINT, Reason.SIGNATURE])
    def test_a_failure(self, reason: Reason) -> None:
        reply = java_wire.read_compile_reply(b"C" + text(reason) + text("Solution.java:1:1: é"))
        assert reply == CompileFailure(reason, "Solution.java:1:1: é")

    def test_a_failure_that_ends_the_server(self) -> None:
        reply = java_wire.read_compile_reply(b"E" + text("syntax") + text("too complex"))
        assert reply == CompileFailure(Reason.SYNTAX, "too complex", ends_server=True)

    @pytest.mark.parametrize(
        "bytes_",
        [
            b"",
            b"V",
            b"K",
            b"C" + text("wrong_value") + text(""),
            b"C" + text("syntax") + text("x" * 8193),
            b"C" + text("syntax") + block(b"\xc3"),
            b"C" + text("syntax") + text("log") + b"\0",
        ],
    )
    def test_anything_else_is_refused(self, bytes_: bytes) -> None:
        with pytest.raises(ReplyError):
            java_wire.read_compile_reply(bytes_)

    @given(st.sampled_from([b"", b"K", b"C", b"E"]), st.binary(max_size=200))
    def test_no_bytes_do_worse_than_a_refusal(self, kind: bytes, bytes_: bytes) -> None:
        try:
            reply = java_wire.read_compile_reply(kind + bytes_)
        except ReplyError:
            return
        assert isinstance(reply, JavaProgram | CompileFailure)


def test_the_drivers_sources_are_java_files_of_one_package() -> None:
    sources = java_wire.driver_sources()
    assert {"Driver.java", "CompileServer.java"} <= set(sources)
    assert all(source.startswith("package decodejudge;\n") for source in sources.values())
    assert all(name.endswith(".java") for name in sources)
