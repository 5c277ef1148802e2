"""Programs that read standard input and print: what goes into their boxes, and where they begin.

Such a program has no signature of its own: everywhere in the judge it is a function of one text
(judge.domain.problem.STDIO_SIGNATURE), and only here it is told apart. C++ gets the text of a case
as its standard input as it is; the drivers of Python and Java make it so.
"""

from judge.domain.problem import STDIO_SIGNATURE
from judge.domain.signatures import Signature
from judge.domain.values import Arguments
from judge.harness import java_wire, python
from judge.harness.cpp_unit import FILE_NAME
from judge.harness.java_wire import JavaProgram
from judge.harness.languages import CPP, JAVA, PYTHON

# What a driver writes of a Python program that came to its end.
ENDED = b"K{}"
NO_MAIN = f"{FILE_NAME}:1:1: error: no function int main() is defined"
# For the wording of what the compiler says: the one function that it misses.
CPP_MAIN = Signature("main", (), STDIO_SIGNATURE.returns)
_STARTER_CODE = {
    PYTHON: "text = input()\nprint(text)\n",
    CPP: (
        "#include <iostream>\n#include <string>\n\nint main() {\n    std::string text;\n"
        "    std::getline(std::cin, text);\n    std::cout << text << '\\n';\n}\n"
    ),
    JAVA: (
        "import java.util.Scanner;\n\npublic class Solution {\n"
        "    public static void main(String[] arguments) {\n"
        "        Scanner in = new Scanner(System.in);\n"
        "        System.out.println(in.nextLine());\n    }\n}\n"
    ),
}


def is_stdio(signature: Signature) -> bool:
    """Whether a program is asked for; no package may state such a signature for a function."""
    return signature == STDIO_SIGNATURE


def starter_code(language: str) -> str:
    """What the editor shows before the learner typed anything: a line is read and printed."""
    return _STARTER_CODE[language]


def standard_input(arguments: Arguments) -> bytes:
    """What a program finds on its standard input in one case."""
    return str(arguments["input"]).encode()


def python_check(source: str) -> bytes:
    """Ask whether a source compiles; nothing of it runs."""
    return python.program_request("check", source, b"")


def python_call(source: str, arguments: Arguments, compiled: bytes) -> bytes:
    """Ask for one run of a program."""
    return python.program_request("call", source, standard_input(arguments), compiled)


def cpp_unit(source: str) -> str:
    """The one translation unit of a program: it is nothing but the learner's text."""
    return f'#line 1 "{FILE_NAME}"\n{source}\n'


def java_compile(source: str) -> bytes:
    """Ask the compile server for a program."""
    return java_wire.program_compile_request(source)


def java_call(program: JavaProgram, arguments: Arguments) -> bytes:
    """Ask a driver for one run of a program."""
    return java_wire.program_request(program, standard_input(arguments))
