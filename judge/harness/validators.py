"""A package's own checkers: what goes into their boxes, and what their endings mean.

Kattis output validators end with 42 (right) or 43 (wrong); anything else is the package's fault. A
function problem's ``check`` returns None or True (right), False or a text (wrong). What they say
is for the package's authors: it may hold the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.domain.problem import CheckerProgram
from judge.domain.signatures import Optional, Parameter, Scalar, Signature
from judge.domain.values import Arguments, Value

RIGHT_STATUS, WRONG_STATUS = 42, 43
# Files of the compile box: no validator has a file of this name, for it would begin with a dot.
GLUE_FILE = ".glue.cpp"
_RETURNED, _EXPECTED = "judge__returned", "judge__expected"
_CHECK_GLUE = f"""

def judge__check(judge__case):
    judge__returned = judge__case.pop({_RETURNED!r})
    judge__expected = judge__case.pop({_EXPECTED!r})
    judge__said = check(judge__case, judge__returned, judge__expected)
    if judge__said is None or judge__said is True:
        return None
    return judge__said if isinstance(judge__said, str) else ""
"""


@dataclass(frozen=True)
class ValidatorCase:
    """The three texts of one case, as bytes."""

    standard_input: bytes
    answer: bytes
    output: bytes


def driver_source() -> str:
    """The program that the sandbox preloads for boxes of validators in Python."""
    return (Path(__file__).parent / "drivers" / "validator_driver.py").read_text()


def python_request(program: CheckerProgram, case: ValidatorCase) -> bytes:
    """Ask for one run of a validator in Python."""
    files = [part for name, content in program.files for part in (name.encode(), content)]
    count = str(len(program.files)).encode()
    arguments = (argument.encode() for argument in program.arguments)
    return _blocks((*_texts(case), count, *files, *arguments))


def cpp_request(program: CheckerProgram, case: ValidatorCase) -> bytes:
    """Ask for one run of a validator in C++."""
    return _blocks((*_texts(case), *(argument.encode() for argument in program.arguments)))


def cpp_files(program: CheckerProgram) -> dict[str, bytes]:
    """What the compiler gets of a validator in C++."""
    glue = Path(__file__).parent / "drivers" / "cpp" / "validator.cpp"
    return dict(program.files) | {GLUE_FILE: glue.read_bytes()}


def check_signature(signature: Signature) -> Signature:
    """The signature of a function problem's ``check``, as the Python driver calls tools."""
    more = (
        Parameter(_RETURNED, signature.returns),
        Parameter(_EXPECTED, signature.returns),
    )
    return Signature("judge__check", (*signature.parameters, *more), Optional(Scalar("str")))


def check_source(program: CheckerProgram) -> str:
    """A function problem's check.py, made into such a tool."""
    return dict(program.files)["check.py"].decode() + _CHECK_GLUE


def check_values(returned: Value, expected: Value) -> Arguments:
    """The values that ``check`` gets besides the arguments."""
    return {_RETURNED: returned, _EXPECTED: expected}


def _texts(case: ValidatorCase) -> tuple[bytes, ...]:
    return case.standard_input, case.answer, case.output


def _blocks(parts: Sequence[bytes]) -> bytes:
    return b"".join(len(part).to_bytes(4, "little") + part for part in parts)
