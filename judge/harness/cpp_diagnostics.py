"""C++: from what g++ printed to the log that the learner reads, and the reason of the failure.

The log speaks about solution.cpp only. An error inside the standard library is shown at the
learner's line that led there; an error in the lines behind the learner's text (see
judge.harness.cpp_unit) becomes a sentence about their function. No path and no name of ours
passes: whatever looks like one and is not in the learner's own text is replaced.
"""

import re
from dataclasses import dataclass

from judge.domain.signatures import Signature
from judge.domain.verdicts import Reason
from judge.harness import cpp_output, cpp_source
from judge.harness.cpp import function_declaration, parameter_declaration, type_name
from judge.harness.cpp_output import Diagnostic
from judge.harness.cpp_source import Place
from judge.harness.cpp_text import within_bounds
from judge.harness.cpp_unit import (
    ARGUMENT,
    CALL_FILE,
    END_FILE,
    FILE_NAME,
    GLUE_FILES,
    NAME_FILE,
    RETURN_FILE,
    RUNTIME_FILE,
)

MAX_NOTES = 6
# Of what a hostile source makes the tools say thousands of times, so many are looked at.
MAX_ERRORS = 50
# The first word behind the learner's text, which is what g++ meets where something is left open.
_MEETS_OURS = re.compile(r" before 'extern'$")
_GOT = re.compile(r"\[with .*?\bGot = (?P<type>.*)\]'?:?$")
_FAULT = re.compile(r"static assertion failed: (?P<fault>.*)")
# By the texts of the runtime's assertions.
_ADVICE = {
    "floating for whole": "; convert it, for example with static_cast<long long>(…)",
    "flag for number": "; a bool is no number, write for example (flag ? 1 : 0)",
    "number for flag": "; compare it, for example with != 0",
}
_ARGUMENT = re.compile(rf"\b{ARGUMENT}(\d{{1,3}})\b")
_UNDEFINED = re.compile(r"undefined reference to [`'](?P<symbol>[^`']+)'")
_TWICE = re.compile(r"multiple definition of [`'](?P<symbol>[^`']+)'")
_CLASS_DATA = re.compile(r"(?:vtable|VTT|typeinfo|typeinfo name) for (?P<name>.+)")
# What the tools say when they cannot go on, and what it means; the first that fits is said.
_LIMITS = (
    (r"emory exhausted|out of memory|allocate memory", "compiling needs more memory than allowed"),
    (r"CPU time limit exceeded", "compiling takes longer than allowed"),
    (r"ile (?:size limit|too (?:large|big))|No space", "the program becomes larger than allowed"),
    (r"relocation truncated", "the program has more static data than allowed"),
    (r"terminated program|internal compiler error", "the source is too much for the compiler"),
)
_TOOL = re.compile(
    r"(?:[\w/.+-]{0,80}[/-])?(?:g\+\+|cc1plus|as|ld|collect2|virtual memory)[\w.+-]{0,40}[: ]"
    r"|(?:\.?/[\w/.+-]{1,80}: ?)?unit\.cpp:\(|(?:\.?/[\w/.+-]{1,80}\.[os]|\{standard input\}):"
)


@dataclass(frozen=True)
class _Case:
    """One failed compilation."""

    signature: Signature
    source: str
    lines: list[str]
    errors: list[Diagnostic]

    def home(self) -> Place:
        """Where the learner's function seems to be."""
        return cpp_source.mention(self.signature.name, self.source) or Place()

    def parameter_name(self, index: int) -> str:
        """The problem's name of an argument."""
        names = [parameter.name for parameter in self.signature.parameters]
        return names[index] if index < len(names) else "argument"


# A reason and entries of the log, each of which is a few lines; None: not the right explanation.
_Explanation = tuple[Reason, list[list[str]]] | None


def read_log(signature: Signature, source: str, log: str) -> tuple[Reason, str]:
    """The reason of a failed compilation, and its log of at most 8 KiB in the learner's terms."""
    lines = cpp_output.clean_lines(log)
    errors = [error for error in cpp_output.parse(lines) if error.kind != "warning"]
    case = _Case(signature, source, lines, errors[:MAX_ERRORS])
    for explain in _EXPLANATIONS:
        explanation = explain(case)
        if explanation is not None:
            reason, entries = explanation
            return reason, within_bounds(entries, source)
    text = f"{Place()}: error: the source does not compile"
    return Reason.SYNTAX, within_bounds([[text]], source)


def _own_errors(case: _Case) -> _Explanation:
    """Errors in the learner's text, or in a library that their line made it come to."""
    entries = []
    if any(_is_end(error) for error in case.errors):
        entries.append(_left_open(case))
    entries += [entry for error in case.errors if (entry := _own_entry(case, error))]
    return (Reason.SYNTAX, entries) if entries else None


def _is_end(error: Diagnostic) -> bool:
    is_ours = error.at.file in GLUE_FILES
    return error.at.file == END_FILE or (is_ours and error.text.endswith("at end of input"))


def _left_open(case: _Case) -> list[str]:
    notes = [note for error in case.errors if _is_end(error) for note in _own_notes(error)]
    what = "the last declaration is not complete (is a semicolon missing?)"
    if notes or cpp_source.is_left_open(case.source):
        what = "a brace or parenthesis is not closed"
    place = cpp_source.last_place(case.source)
    return [f"{place}: error: {what}", *cpp_source.excerpt(place, case.source), *_shown(notes)]


def _own_entry(case: _Case, error: Diagnostic) -> list[str]:
    """The entry of an error that is the learner's; empty for others."""
    text = error.text
    if error.at.line >= cpp_source.last_place(case.source).line:
        text = _MEETS_OURS.sub(" at the end of the source", text)
    if error.kind == cpp_output.BROKEN:
        text = "the compiler breaks down here"
    if error.at.file == FILE_NAME:
        place = Place(error.at.line, error.at.column)
        context = [line for line in error.context if line.startswith(f"{FILE_NAME}:")]
        excerpt = error.excerpt or cpp_source.excerpt(place, case.source)
        return [*context, f"{place}: error: {text}", *excerpt, *_shown(_own_notes(error))]
    led_here = [at for at in error.instantiated_at() if at.file == FILE_NAME]
    if not led_here:
        return []
    place = Place(led_here[0].line, led_here[0].column)
    excerpt = cpp_source.excerpt(place, case.source)
    return [f"{place}: error: {text}", *excerpt, *_shown(_own_notes(error))]


def _missing_function(case: _Case) -> _Explanation:
    """The function's name is not known where it is called."""
    if not any(error.at.file == NAME_FILE for error in case.errors):
        return None
    text = f"{Place()}: error: no function {function_declaration(case.signature)} is defined"
    notes = []
    place = cpp_source.mention(case.signature.name, case.source)
    if place is not None:
        advice = "it has to stand outside of classes and namespaces, not only here"
        notes = [f"{place}: note: {advice}", *cpp_source.excerpt(place, case.source)]
    return Reason.ENTRY_POINT, [[text, *notes]]


def _wrong_parameters(case: _Case) -> _Explanation:
    """The function does not take the problem's arguments."""
    errors = [error for error in case.errors if error.at.file == CALL_FILE]
    if not errors:
        return None
    wanted = ", ".join(map(parameter_declaration, case.signature.parameters))
    text = f"{case.signature.name} cannot be called with the problem's arguments; it has to accept"
    notes = _shown([note for error in errors for note in _own_notes(error)])
    why = _ARGUMENT.sub(lambda match: case.parameter_name(int(match[1])), errors[0].text)
    notes.insert(0, f"{case.home()}: note: {why}")
    return Reason.SIGNATURE, [_at_home(case, f"{text} ({wanted})", notes)]


def _wrong_return(case: _Case) -> _Explanation:
    """The function returns what does not hold the problem's type."""
    errors = [error for error in case.errors if _comes_from_the_call(error)]
    if not errors:
        return None
    wanted = type_name(case.signature.returns)
    for error in errors:
        fault = _FAULT.match(error.text)
        got = next((match for line in error.context if (match := _GOT.search(line))), None)
        if fault and got:
            shown = "nothing" if got["type"] == "void" else got["type"]
            text = f"{case.signature.name} returns {shown}, but {wanted} is expected"
            text += _ADVICE.get(fault["fault"], "")
            return Reason.SIGNATURE, [_at_home(case, text, [])]
    text = f"what {case.signature.name} returns cannot be read as {wanted}"
    return Reason.SIGNATURE, [_at_home(case, text, [])]


def _comes_from_the_call(error: Diagnostic) -> bool:
    files = {error.at.file, *(at.file for at in error.instantiated_at())}
    return bool(files & {RETURN_FILE, RUNTIME_FILE})


def _at_home(case: _Case, text: str, notes: list[str]) -> list[str]:
    place = case.home()
    return [f"{place}: error: {text}", *cpp_source.excerpt(place, case.source), *notes]


def _link_errors(case: _Case) -> _Explanation:
    """Names that are declared and used, but not defined; or defined by someone else as well."""
    symbols = [(m["symbol"], True) for line in case.lines if (m := _UNDEFINED.search(line))]
    symbols += [(m["symbol"], False) for line in case.lines if (m := _TWICE.search(line))]
    entries, reason = [], Reason.SYNTAX
    for symbol, is_missing in list(dict.fromkeys(symbols))[:MAX_ERRORS]:
        name, text = _symbol_text(symbol)
        if is_missing and name == case.signature.name:
            reason = Reason.ENTRY_POINT
        place = cpp_source.mention(name.rpartition("::")[2], case.source) or Place()
        what = "is declared but not defined" if is_missing else "is defined by C++ itself"
        excerpt = cpp_source.excerpt(place, case.source)
        entries.append([f"{place}: error: {text} {what}", *excerpt])
    return (reason, entries) if entries else None


def _symbol_text(symbol: str) -> tuple[str, str]:
    """A symbol's name and how a sentence says what it is."""
    if match := _CLASS_DATA.fullmatch(symbol):
        return match["name"], f"a virtual function of `{match['name']}`"
    name, parenthesis, _ = symbol.partition("(")
    return name, f"`{name}()`" if parenthesis else f"`{name}`"


def _assembler_errors(case: _Case) -> _Explanation:
    """The text of an asm statement is no assembly."""
    for error in case.errors:
        if error.at.file.endswith((".s", "{standard input}")):
            words = (cpp_source.mention(word, case.source) for word in ("asm", "__asm__", "__asm"))
            place = next(filter(None, words), Place())
            text = f"{place}: error: an asm statement cannot be assembled: {error.text}"
            return Reason.SYNTAX, [[text, *cpp_source.excerpt(place, case.source)]]
    return None


def _included_files(case: _Case) -> _Explanation:
    """A file that the learner includes has errors of its own; its text is nobody's business."""
    # Only the first error can be such a one: the others may come of it, or of a wrong call.
    for error in case.errors[:1]:
        for at in error.included_at():
            if at.file == FILE_NAME and not error.instantiated_at():
                place = Place(at.line)
                text = f"{place}: error: the file that is included here does not compile"
                return Reason.SYNTAX, [[text, *cpp_source.excerpt(place, case.source)]]
    return None


def _limits(case: _Case) -> _Explanation:
    """One of the tools gave up."""
    said = "\n".join(line for line in case.lines if _TOOL.match(line))
    for pattern, sentence in _LIMITS:
        if re.search(pattern, said):
            return Reason.COMPILE_LIMIT, [[f"{FILE_NAME}: {sentence}"]]
    return None


def _own_notes(error: Diagnostic) -> list[Diagnostic]:
    return [note for note in error.notes if note.at.file == FILE_NAME]


def _shown(notes: list[Diagnostic]) -> list[str]:
    shown = []
    for note in notes[:MAX_NOTES]:
        place = Place(note.at.line, note.at.column)
        shown += [f"{place}: note: {note.text}", *note.excerpt]
    return shown


_EXPLANATIONS = (
    _own_errors,
    _included_files,
    _missing_function,
    _wrong_parameters,
    _wrong_return,
    _link_errors,
    _assembler_errors,
    _limits,
)
