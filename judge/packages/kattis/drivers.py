"""Generated programs of an exported function problem: drivers and validators.

Owns the filling of the templates. They stand alone: an exported package needs nothing of the judge.
"""

import re
from pathlib import Path

from judge.domain.checkers.keys import key_type
from judge.domain.checkers.unordered import item_type
from judge.domain.problem import CheckerSpec
from judge.domain.signatures import (
    NdArray,
    Parameter,
    Signature,
    TupleOf,
)
from judge.harness import cpp, wire

_TEMPLATES = Path(__file__).parent / "templates"
_ELEMENTS = {"f64": "double", "f32": "float", "i64": "long long", "bool": "bool"}
_MARK = re.compile(r"@([A-Z_]+)@")


def token_text() -> bytes:
    """The module that the Python programs read and write tokens with."""
    return _template("token_text.py")


def note(signature: Signature, locale: str) -> str:
    """What a statement says where the function is submitted to another judge."""
    names = ", ".join(parameter.name for parameter in signature.parameters)
    text = (_TEMPLATES / f"note.{locale}.md").read_text("utf-8")
    return text.replace("@CALL@", f"{signature.name}({names})")


def python_driver(signature: Signature) -> bytes:
    """include/python3/main.py."""
    return _template("driver.py", **_python_names(signature))


def cpp_driver(signature: Signature) -> bytes:
    """include/cpp/main.cpp; it reads the function's file, which is called solution.cpp."""
    lines = [f"  {_cpp_read(parameter)}" for parameter in signature.parameters]
    returns = signature.returns
    write = "driver::Write(returned);"
    if isinstance(returns, NdArray):
        write = f"driver::WriteArray(returned, {returns.ndim});"
    return _template(
        "driver.cpp",
        READ="\n".join(lines),
        FUNCTION=signature.name,
        ARGUMENTS=", ".join(f"{parameter.name}_" for parameter in signature.parameters),
        WRITE=write,
    )


def java_driver(signature: Signature) -> bytes:
    """include/java/Main.java."""
    kinds = ", ".join(f'"{parameter.type}"' for parameter in signature.parameters)
    return _template(
        "driver.java",
        PARAMETERS=kinds,
        RETURNS=f'"{signature.returns}"',
        FUNCTION=f'"{signature.name}"',
    )


def input_validator(signature: Signature) -> bytes:
    """The program that checks a case's form, and then has the package's validator look at it."""
    return _template("input_validator.py", **_python_names(signature))


def output_validator(signature: Signature, checker: CheckerSpec) -> bytes:
    """The program that compares values where comparing tokens is not enough."""
    return _template(
        "output_validator.py",
        **_python_names(signature),
        KIND=repr(checker.kind),
        ABS=repr(checker.abs_tolerance),
        REL=repr(checker.rel_tolerance),
        NAN_EQUAL=repr(checker.nan_equal),
        KEY=repr(_key(signature, checker)),
    )


def _template(name: str, **values: str) -> bytes:
    text = (_TEMPLATES / f"{name}.txt").read_text("utf-8")
    return _MARK.sub(lambda match: values[match[1]], text).encode()


def _python_names(signature: Signature) -> dict[str, str]:
    return {
        "FUNCTION": repr(signature.name),
        "NAMES": repr([parameter.name for parameter in signature.parameters]),
        "PARAMETERS": repr([wire.describe(parameter.type) for parameter in signature.parameters]),
        "RETURNS": repr(wire.describe(signature.returns)),
    }


def _cpp_read(parameter: Parameter) -> str:
    """A variable of the declared type, read; it may be changed by the function."""
    if isinstance(parameter.type, NdArray):
        element = _ELEMENTS[parameter.type.dtype]
        reader = f"driver::Array<{element}, {parameter.type.ndim}>"
    else:
        reader = f"driver::Value<{cpp.type_name(parameter.type)}>"
    return f"auto {parameter.name}_ = {reader}::Read();"


def _key(signature: Signature, checker: CheckerSpec) -> str | int | None:
    """The key as the generated validator takes it: a parameter's name or a part's number."""
    item = item_type(signature.returns)
    if not checker.key or item is None or key_type(checker.key, signature, item) is None:
        return None
    if not isinstance(item, TupleOf):
        return checker.key
    return int(checker.key) if checker.key.isdigit() else item.names.index(checker.key)
