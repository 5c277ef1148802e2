"""C++: what the compiler and the compiled program get.

A unit is the learner's text and a few lines behind it that hand the function to the runtime
(drivers/cpp), which the compiler reads before. Macros of the learner's that are words
of those lines are undone first; only the function's own name is left as the learner has it.

The program is linked with ``--wrap=main``: the C library starts ``__wrap_main``, and a ``main`` of
the learner's own is legal and never called.

Each of the lines claims to be a file of its own (GLUE_FILES), which is how
judge.harness.cpp_diagnostics tells what the compiler found fault with. The 3 says that it is a
system's file, so that no warning of it counts, whatever the learner makes an error of.
"""

import re
from pathlib import Path

from judge.domain.signatures import (
    DictOf,
    ListOf,
    NdArray,
    Optional,
    Parameter,
    Scalar,
    Signature,
    TupleOf,
    ValueType,
)
from judge.domain.values import Arguments
from judge.harness import wire

FILE_NAME = "solution.cpp"
NAMESPACE = "Harness7f3a"
ARGUMENT = f"{NAMESPACE}Argument"
RUNTIME_FILE = "<harness-runtime>"
END_FILE, NAME_FILE = "<harness-end>", "<harness-name>"
CALL_FILE, RETURN_FILE = "<harness-call>", "<harness-return>"
GLUE_FILES = (END_FILE, NAME_FILE, CALL_FILE, RETURN_FILE)

_RUNTIME_PARTS = ("bytes.hpp", "types.hpp", "program.hpp")
_TAGS = {"int": "Int", "float": "Float", "bool": "Bool", "str": "Str"}
_ELEMENT_TAGS = {"f64": "Float", "f32": "Single", "i64": "Int", "bool": "Bool"}
_WORD = re.compile(r'"[^"]*"|[A-Za-z_]\w*')
_DIRECTIVES = ("else", "endif", "ifdef")
# <iostream> defines it; without that header there are no streams of the learner's to flush.
_IOSTREAM_GUARD = "_GLIBCXX_IOSTREAM"

# In this order: is the learner's text complete, is the name known, can it be called, does it return
# what it should. Qualified names keep namespaces and argument-dependent look-up out; a name that is
# a macro may stand for anything that can be called.
_GLUE = """\
extern "C++" {{}}
#ifdef {name}
# 1 "{call_file}" 3
static constexpr auto {namespace}Call = []({parameters}) -> decltype(auto) {{ return
# 1 "{call_file}" 3
{name}({arguments}); }};
#else
# 1 "{name_file}" 3
namespace {namespace}Name {{ using ::{name}; }}
# 1 "{call_file}" 3
static constexpr auto {namespace}Call = []({parameters}) -> decltype(auto) {{ return
# 1 "{call_file}" 3
::{name}({arguments}); }};
#endif
# 1 "{return_file}" 3
extern "C" int __wrap_main(int, char**) {{ return
#ifdef {iostream_guard}
# 1 "{return_file}" 3
{run}({namespace}Call, ::std::cout, ::std::cerr, ::std::clog); }}
#else
# 1 "{return_file}" 3
{run}({namespace}Call); }}
#endif
"""


def runtime_header(*, everything: bool) -> str:
    """What the compiler reads before every unit; with ``everything``, all of the standard library.

    Without it a learner gets only the names that they include and those of the few headers that
    the runtime needs.
    """
    folder = Path(__file__).parent / "drivers" / "cpp"
    text = "\n".join((folder / name).read_text() for name in _RUNTIME_PARTS)
    head = "#define JUDGE_EVERYTHING\n" if everything else ""
    return f'{head}# 1 "{RUNTIME_FILE}" 3\n{text}#undef JUDGE_EVERYTHING\n'


def unit(signature: Signature, source: str) -> str:
    """The one translation unit of a submission."""
    glue = _glue(signature)
    words = {word for word in _WORD.findall(glue) if not word.startswith('"')}
    words -= {signature.name, _IOSTREAM_GUARD, *_DIRECTIVES}
    undone = "".join(f"#undef {word}\n" for word in sorted(words))
    # Two line ends: the source may end in a backslash, which takes the first one away.
    return f'#line 1 "{FILE_NAME}"\n{source}\n\n# 1 "{END_FILE}" 3\n{undone}{glue}'


def call_request(signature: Signature, arguments: Arguments) -> bytes:
    """What the program reads from its standard input: one case's arguments."""
    return wire.encode_arguments(signature, arguments)


def _glue(signature: Signature) -> str:
    tags = [_tag(parameter.type) for parameter in signature.parameters]
    read = [_tag(_read_type(signature, parameter)) for parameter in signature.parameters]
    places = [f"{ARGUMENT}{index}" for index in range(len(tags))]
    parameters = [f"{tag}::type& {place}" for tag, place in zip(tags, places, strict=True)]
    returns = _tag(signature.returns)
    return _GLUE.format(
        name=signature.name,
        namespace=NAMESPACE,
        name_file=NAME_FILE,
        call_file=CALL_FILE,
        iostream_guard=_IOSTREAM_GUARD,
        return_file=RETURN_FILE,
        parameters=", ".join(parameters),
        arguments=", ".join(places),
        run=f"::{NAMESPACE}::Program<{', '.join((_calls(signature), returns, *read))}>::Run",
    )


def _calls(signature: Signature) -> str:
    """The runtime's name of how often the function is called."""
    if not signature.drawn:
        return f"::{NAMESPACE}::Once"
    place = [parameter.name for parameter in signature.parameters].index(signature.drawn)
    return f"::{NAMESPACE}::Draws<{place}>"


def _read_type(signature: Signature, parameter: Parameter) -> ValueType:
    """What the runtime reads for a parameter: of one that is drawn a row a call."""
    return ListOf(parameter.type) if parameter.name == signature.drawn else parameter.type


def _tag(value_type: ValueType) -> str:
    """The runtime's name of a type."""
    return f"::{NAMESPACE}::{_inner_tag(value_type)}"


def _inner_tag(value_type: ValueType) -> str:
    match value_type:
        case Scalar(name):
            return _TAGS[name]
        case ListOf(item):
            return f"List<{_tag(item)}>"
        case TupleOf(parts):
            return f"Tuple<{', '.join(_tag(part) for part in parts)}>"
        case Optional(inner):
            return f"Maybe<{_tag(inner)}>"
        case DictOf(key, inner):
            return f"Dict<{_tag(key)}, {_tag(inner)}>"
        case NdArray(dtype, ndim):
            return f"Array<::{NAMESPACE}::{_ELEMENT_TAGS[dtype]}, {ndim}>"
