"""The worker's self-test: it must judge an honest program right and keep a hostile one in.

Owns a tiny built-in problem and two programs a language. Graded by the same grader as everything
else, right before the worker takes its first job; a worker that does not pass takes none. Three
gradings: the honest program, the hostile one, and the honest one again, because what a hostile
program leaves behind would show there.

The hostile program returns the right answer only if it got out: if it may read the host's files,
open a socket or start a process. A sandbox that lets it through therefore shows as accepted.
"""

from collections.abc import Mapping

from judge.domain.limits import Limits
from judge.domain.problem import CheckerSpec, Problem, TestCase, TestGroup, Visibility
from judge.domain.signatures import make_signature
from judge.domain.verdicts import Verdict
from judge.harness.languages import CPP, JAVA, PYTHON
from judge.queue.workers import FAILED, PASSED, SelfTest
from judge.worker.graders import Grades

_HONEST_PYTHON = """\
def double_it(number):
    return 2 * number
"""

_HOSTILE_PYTHON = """\
def read_a_file():
    open("/etc/passwd").read()

def open_a_socket():
    import socket
    socket.socket()

def start_a_process():
    import os
    if os.fork() == 0:
        os._exit(0)

def double_it(number):
    for way_out in (read_a_file, open_a_socket, start_a_process):
        try:
            way_out()
        except BaseException:
            continue
        return 2 * number
    raise SystemExit("no way out")
"""

_HONEST_CPP = """\
long long double_it(long long number) {
    return 2 * number;
}
"""

_HOSTILE_CPP = """\
#include <fstream>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

bool read_a_file() {
    return std::ifstream("/etc/passwd").is_open();
}

bool open_a_socket() {
    return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

bool start_a_process() {
    pid_t child = fork();
    if (child == 0) _exit(0);
    return child > 0;
}

long long double_it(long long number) {
    for (auto way_out : {read_a_file, open_a_socket, start_a_process})
        if (way_out()) return 2 * number;
    throw std::runtime_error("no way out");
}
"""

_HONEST_JAVA = """\
class Solution {
    static long double_it(long number) {
        return 2 * number;
    }
}
"""

_HOSTILE_JAVA = """\
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

class Solution {
    static long double_it(long number) {
        List<Callable<Object>> ways_out = List.of(
            () -> Files.readString(Path.of("/etc/passwd")),
            () -> new java.net.ServerSocket(0),
            () -> Runtime.getRuntime().exec(new String[] {"/bin/true"}));
        for (Callable<Object> way_out : ways_out) {
            try {
                way_out.call();
            } catch (Throwable refused) {
                continue;
            }
            return 2 * number;
        }
        throw new IllegalStateException("no way out");
    }
}
"""

_PROGRAMS = {
    PYTHON: (_HONEST_PYTHON, _HOSTILE_PYTHON),
    CPP: (_HONEST_CPP, _HOSTILE_CPP),
    JAVA: (_HONEST_JAVA, _HOSTILE_JAVA),
}


def run_self_test(grader: Grades, languages: tuple[str, ...]) -> SelfTest:
    """Grade the programs of every language; the report maps each step to its verdict.

    A grader without languages does not pass: it could judge nothing.

    Raises:
        Exception: whatever the grader raises; the caller takes it for a failed self-test.
    """
    report: dict[str, str] = {}
    passed = bool(languages)
    for language in languages:
        honest, hostile = _PROGRAMS[language]
        steps = {
            "honest": (honest, Verdict.ACCEPTED),
            "hostile": (hostile, Verdict.RUNTIME_ERROR),
            "honest again": (honest, Verdict.ACCEPTED),
        }
        for step, (source, expected) in steps.items():
            verdict = grader.grade(_PROBLEM, source.encode(), language, _ignore).verdict
            report[f"{language}, {step}"] = verdict.value
            passed = passed and verdict is expected
    return SelfTest(PASSED if passed else FAILED, report)


def describe_failure(report: Mapping[str, str]) -> str:
    """The report in one line for a log."""
    return "; ".join(f"{step}: {verdict}" for step, verdict in report.items())


def _ignore(_stage: str, _done: int, _planned: int) -> None:
    """Nobody watches the progress of a self-test."""


def _case(ordinal: int, number: int) -> TestCase:
    return TestCase(
        id=f"secret/double/{ordinal}",
        group="double",
        ordinal=ordinal,
        visibility=Visibility.HIDDEN,
        title={},
        hint={},
        arguments={"number": number},
        expected=2 * number,
    )


_PROBLEM = Problem(
    slug="double_it",
    revision="self-test",
    signature=make_signature("double_it", {"number": "int"}, "int"),
    limits=Limits(cpu_ms=5000, memory_kb=512 * 1024),
    checker=CheckerSpec("exact"),
    points=1,
    languages=tuple(_PROGRAMS),
    groups=(TestGroup("double", {}, 1),),
    cases=(_case(1, 21), _case(2, -4)),
)
