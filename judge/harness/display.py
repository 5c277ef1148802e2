"""What people see of a signature and of samples, in the words of a language.

Joins the display functions of the languages' modules; the rules of a language stand in its own.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from judge.domain.signatures import Signature, ValueType
from judge.domain.values import Arguments, Value
from judge.harness import cpp, java, python, stdio
from judge.harness.languages import CPP, JAVA, PYTHON


class _Words(Protocol):
    """The display functions that each language's module has."""

    def starter_code(self, signature: Signature) -> str: ...

    def literal(self, value_type: ValueType, value: Value) -> str: ...

    def declarations(self, signature: Signature, arguments: Arguments) -> list[str]: ...

    def expected_declaration(self, signature: Signature, value: Value) -> str: ...

    def call(self, signature: Signature) -> str: ...


_WORDS: dict[str, _Words] = {PYTHON: python, CPP: cpp, JAVA: java}


@dataclass(frozen=True)
class SampleDisplay:
    """One sample: declarations of the arguments, the call, and the value that is expected."""

    input: str
    call: str
    expected: str


def starter_code(language: str, signature: Signature) -> str:
    """What the editor shows before the learner typed anything."""
    if stdio.is_stdio(signature):
        return stdio.starter_code(language)
    return _WORDS[language].starter_code(signature)


def sample_display(
    language: str,
    signature: Signature,
    arguments: Arguments,
    expected: Value,
    answer: ValueType | None = None,
) -> SampleDisplay:
    """One sample in one language; of a program its input and output as they are.

    The expected value is declared as ``expected``. Where the author named the results, the call
    takes the returned tuple apart under these names, and the value stands there bare. ``answer`` is
    the expected value's type where that is not what the function returns (a distribution's).
    """
    if stdio.is_stdio(signature):
        return SampleDisplay(input=str(arguments["input"]), call="", expected=str(expected))
    words = _WORDS[language]
    if signature.result_names:
        shown = words.literal(signature.returns, expected)
    else:
        answered = signature if answer is None else replace(signature, returns=answer)
        shown = words.expected_declaration(answered, expected)
    return SampleDisplay(
        input="\n".join(words.declarations(signature, arguments)),
        call=words.call(signature),
        expected=shown,
    )
