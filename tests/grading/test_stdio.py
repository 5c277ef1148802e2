"""Programs that read standard input and print: what they may do, and what is judged."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from grading_packages import PACKAGES, start_grader

from judge.domain.limits import Limits
from judge.domain.problem import (
    STDIO_SIGNATURE,
    CheckerProgram,
    CheckerSpec,
    Mode,
    Problem,
    TestCase,
    TestGroup,
    Visibility,
)
from judge.domain.submission import Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.errors import CheckerBroken
from judge.grading.pipeline import Grader
from judge.packages.files import read_folder
from judge.packages.kattis.importing import import_package
from judge.packages.package import Package, load
from submissions_sandbox import Tier

LONG = "x" * 300_000
INPUTS = {"sample": "Mai\n", "secret/10-all": f"Tú\n{LONG}\n"}


def greeting_problem(**changes: object) -> Problem:
    """Greets the first word of its input, in one sample and one hidden case."""
    cases = [
        TestCase(
            id=f"{group}/01",
            group=group,
            ordinal=ordinal,
            visibility=Visibility.HIDDEN if ordinal else Visibility.SAMPLE,
            title={},
            hint={},
            arguments={"input": text},
            expected=f"Hello {text.split()[0]}\n",
        )
        for ordinal, (group, text) in enumerate(INPUTS.items())
    ]
    problem = Problem(
        slug="greeting",
        revision="r",
        signature=STDIO_SIGNATURE,
        limits=Limits(cpu_ms=2000, memory_kb=256 * 1024, stdout_kb=4, result_kb=512),
        checker=CheckerSpec("tokens"),
        points=100,
        languages=("python", "cpp", "java"),
        groups=tuple(TestGroup(group, {}, 100 if "/" in group else 0) for group in INPUTS),
        cases=tuple(cases),
        mode=Mode.STDIO,
    )
    return replace(problem, **changes)


def judged(grader: Grader, language: str, source: str) -> Judgement:
    return grader.grade(greeting_problem(), source.encode(), language)


def java(body: str, name: str = "Main") -> str:
    head = f"import java.io.*;\nimport java.util.*;\npublic class {name} {{\n"
    return f"{head}public static void main(String[] a) throws Exception {{\n{body}\n}}\n}}\n"


RIGHT = {
    "python: input and print": ("python", "print('Hello', input())"),
    "python: the buffers": (
        "python",
        "import sys\nsys.stdout.buffer.write(b'Hello ' + sys.stdin.buffer.readline())",
    ),
    "python: the descriptors": (
        "python",
        "import os\nos.write(1, b'Hello ' + os.read(0, 100).split()[0])",
    ),
    "python: descriptor 0 opened": ("python", "print('Hello', open(0).read().split()[0])"),
    "python: under a main guard": (
        "python",
        "def main():\n    print('Hello', input())\n\nif __name__ == '__main__':\n    main()",
    ),
    "python: exit with 0": ("python", "import sys\nprint('Hello', input())\nsys.exit(0)"),
    "python: exit at once": (
        "python",
        "import os\nprint('Hello', input(), flush=True)\nos._exit(0)",
    ),
    "python: a thread that nobody joins": (
        "python",
        "import threading\nthreading.Thread(target=lambda: print('Hello', input())).start()",
    ),
    "python: what is registered for the end": (
        "python",
        "import atexit\natexit.register(lambda: print('Hello', input()))",
    ),
    "c++: streams": (
        "cpp",
        "#include <iostream>\n#include <string>\nint main() {\n"
        "  std::string s; std::cin >> s; std::cout << \"Hello \" << s << '\\n'; }",
    ),
    "c++: stdio": (
        "cpp",
        '#include <cstdio>\nint main() { char s[99]; scanf("%90s", s); printf("Hello %s", s); }',
    ),
    "java: any public class": (
        "java",
        java('System.out.println("Hello " + new Scanner(System.in).next());', "Greeter"),
    ),
    "java: the class with main, not the first": (
        "java",
        "class Helper { static String hello(String s) { return 'H' + \"ello \" + s; } }\n"
        "class Start { public static void main(String[] a) throws java.io.IOException {\n"
        "System.out.println(Helper.hello(new java.io.BufferedReader("
        "new java.io.InputStreamReader(System.in)).readLine())); } }",
    ),
    "java: a thread that nobody joins": (
        "java",
        java(
            "new Thread(null, () -> System.out.println("
            '"Hello " + new Scanner(System.in).next()), "", 1 << 26).start();'
        ),
    ),
    "java: exit with 0": (
        "java",
        java('System.out.print("Hello " + new Scanner(System.in).next()); System.exit(0);'),
    ),
}


@pytest.mark.parametrize(("language", "source"), RIGHT.values(), ids=RIGHT.keys())
def test_what_prints_the_answer_is_accepted(grader: Grader, language: str, source: str) -> None:
    judgement = judged(grader, language, source)
    assert judgement.verdict is Verdict.ACCEPTED, judgement
    assert [str(case.returned).split() for case in judgement.cases] == [
        ["Hello", "Mai"],
        ["Hello", "Tú"],
    ]


FAILING = {
    "python: another text": ("python", "print('Hi')", Reason.WRONG_VALUE),
    "python: nothing": ("python", "", Reason.WRONG_SHAPE),
    "python: no text at all": (
        "python",
        "import sys\nsys.stdout.buffer.write(b'Hello \\xff')",
        Reason.WRONG_VALUE,
    ),
    "python: an exception": ("python", "print('Hello', input())\n1 / 0", Reason.EXCEPTION),
    "python: the end of the input": ("python", "while True:\n    input()", Reason.EXCEPTION),
    "python: exit with 3": ("python", "print('Hello', input())\nexit(3)", Reason.EXIT_CODE),
    "python: exit at once with 3": (
        "python",
        "import os\nprint('Hello', input(), flush=True)\nos._exit(3)",
        Reason.EXIT_CODE,
    ),
    "python: a value written where drivers write": (
        "python",
        "import os\nos.write(3, b'V\\x09\\0\\0\\0Hello Mai')",
        Reason.BAD_RESULT,
    ),
    "c++: another exit status": (
        "cpp",
        '#include <cstdio>\nint main() { puts("Hello Mai"); return 1; }',
        Reason.EXIT_CODE,
    ),
    "c++: an exception": ("cpp", "int main() { throw 1; }", Reason.SIGNAL),
    "java: an exception": ("java", java("int[] x = {}; x[1] = 2;"), Reason.EXCEPTION),
    "java: another exit status": (
        "java",
        java('System.out.print("Hello Mai"); System.exit(2);'),
        Reason.EXIT_CODE,
    ),
}


@pytest.mark.parametrize(("language", "source", "reason"), FAILING.values(), ids=FAILING.keys())
def test_what_does_not_print_it_or_fails_is_not(
    grader: Grader, language: str, source: str, reason: Reason
) -> None:
    assert judged(grader, language, source).cases[0].reason is reason


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "print('x' * 10**7)"),
        ("cpp", '#include <cstdio>\nint main() { for (;;) puts("more and more"); }'),
        ("java", java('while (true) System.out.println("more and more");')),
    ],
)
def test_who_prints_more_than_a_result_may_hold_is_stopped(
    grader: Grader, language: str, source: str
) -> None:
    judgement = judged(grader, language, source)
    assert judgement.verdict is Verdict.OUTPUT_LIMIT_EXCEEDED


@pytest.mark.parametrize(
    ("language", "source", "log"),
    [
        ("python", "print('Hello'", "solution.py:1"),
        ("cpp", "int start() { return 0; }", "no function int main()"),
        ("cpp", "int main() { return x; }", "solution.cpp:1"),
        ("java", "class Main { }", "public static void main(String[] args)"),
        ("java", "class Main { void main() { int x = y; } }", "Solution.java:1"),
    ],
)
def test_what_is_no_program_does_not_compile(
    grader: Grader, language: str, source: str, log: str
) -> None:
    judgement = judged(grader, language, source)
    assert judgement.verdict is Verdict.COMPILE_ERROR
    assert log in judgement.compile.log


def test_a_source_is_not_run_before_its_first_case(grader: Grader) -> None:
    """Where it would find no input, and nobody could tell why it fails."""
    judgement = judged(grader, "python", "text = input()\nprint('Hello', text)")
    assert judgement.verdict is Verdict.ACCEPTED


@pytest.mark.slow
def test_a_time_limit_holds(grader: Grader) -> None:
    judgement = judged(grader, "python", "while True: pass")
    assert [case.verdict for case in judgement.cases] == [
        Verdict.TIME_LIMIT_EXCEEDED,
        Verdict.SKIPPED,
    ]


class TestWhatIsKept:
    """A hidden case's input can be printed: what is printed is the answer and never an output."""

    def test_the_printed_text_is_the_returned_value(self, grader: Grader) -> None:
        judgement = judged(grader, "python", "import sys\nprint(sys.stdin.read())")
        assert all(case.stdout == "" and case.has_returned for case in judgement.cases)

    def test_of_a_run_that_failed_as_much_is_kept_as_of_any_output(self, grader: Grader) -> None:
        source = "import sys\nprint('y' * 9000)\nprint('z' * 9000, file=sys.stderr)\nexit(1)"
        case = judged(grader, "python", source).cases[0]
        assert not case.has_returned
        assert case.stdout.startswith("y" * 4096 + "\n… ")
        assert case.stderr.startswith("z" * 4096 + "\n… ")


@pytest.fixture(scope="module", params=["stdio_hello", "stdio_pair", "stdio_scoring"])
def imported(request: pytest.FixtureRequest) -> Package:
    """A Kattis package beside these tests, as the import makes it."""
    made = import_package(read_folder(PACKAGES / request.param), request.param)
    return load(made.files, made.slug)


def test_every_submission_of_an_imported_package_comes_to_what_it_should(
    grader: Grader, imported: Package
) -> None:
    for submission in imported.submissions:
        judgement = grader.grade(imported.problem, submission.source, submission.language)
        whole = submission.expectations[0]
        assert judgement.verdict in whole.required, submission.path


def test_a_group_scores_on_its_own(grader: Grader) -> None:
    made = import_package(read_folder(PACKAGES / "stdio_scoring"), "stdio_scoring")
    package = load(made.files, made.slug)
    scores = {
        submission.path: grader.grade(
            package.problem, submission.source, submission.language
        ).score.earned
        for submission in package.submissions
    }
    assert scores["accepted/whole.py"] == scores["accepted/halves.cpp"] == 100
    assert scores["partially_accepted/small.cpp"] == 40
    assert scores["partially_accepted/rounded.py"] == 40
    assert scores["wrong_answer/first.py"] == 0


CPP_VALIDATOR = b"""
#include <fstream>
#include <iostream>
#include "words.h"

int main(int argc, char** argv) {
  std::ifstream input(argv[1]), answer(argv[2]);
  std::string word, printed, more;
  answer >> word;
  std::cin >> printed;
  std::ofstream(std::string(argv[3]) + "judgemessage.txt") << "greeted with " << printed;
  if (argc != 5 || argv[4] != std::string("polite")) return 1;
  return printed == "Good" || printed == word ? kRight : kWrong;
}
"""
CPP_FILES = (("validate.cc", CPP_VALIDATOR), ("words.h", b"enum { kRight = 42, kWrong = 43 };\n"))


def with_validator(source: bytes, language: str = "python", **changes: object) -> Problem:
    name = {"python": "validate.py", "cpp": "validate.cc"}[language]
    program = CheckerProgram(language, ((name, source),))
    return greeting_problem(
        checker=CheckerSpec("custom"), checker_program=replace(program, **changes)
    )


class TestOutputValidators:
    def test_in_cpp_gets_files_arguments_and_output(self, grader: Grader) -> None:
        problem = with_validator(b"", "cpp", files=CPP_FILES, arguments=("polite",))
        right = grader.grade(problem, b"print('Good', 'day')", "python")
        wrong = grader.grade(problem, b"print('Bad', 'day')", "python")
        assert right.verdict is Verdict.ACCEPTED
        assert [case.reason for case in wrong.cases] == [Reason.WRONG_VALUE] * 2

    def test_what_it_says_is_not_in_the_message_that_learners_read(self, grader: Grader) -> None:
        problem = with_validator(b"", "cpp", files=CPP_FILES, arguments=("polite",))
        case = grader.grade(problem, b"print('Bad', 'day')", "python").cases[0]
        assert case.note == "greeted with Bad"
        assert "greeted" not in case.message

    def test_in_python_sees_the_three_texts(self, grader: Grader) -> None:
        source = (
            b"import sys\n"
            b"texts = [open(sys.argv[1]).read(), open(sys.argv[2]).read(), sys.stdin.read()]\n"
            b"words = [text.split() for text in texts]\n"
            b"sys.exit(42 if words[1][1] == words[0][0] == words[2][0] else 43)\n"
        )
        problem = with_validator(source)
        assert grader.grade(problem, b"print(input())", "python").passed == 2
        assert grader.grade(problem, b"print('Hello')", "python").passed == 0

    @pytest.mark.parametrize(
        "source",
        [
            b"import sys\nsys.exit(0)\n",
            b"raise ValueError('broken')\n",
            b"while True:\n    open('/etc/hostname').read()\n",
            b"def broken(:\n",
        ],
        ids=["another status", "an exception", "a file of the host", "no Python"],
    )
    def test_one_that_gives_no_answer_says_nothing_about_the_learner(
        self, grader: Grader, source: bytes
    ) -> None:
        with pytest.raises(CheckerBroken, match="output_validator on sample/01"):
            grader.grade(with_validator(source), b"print('Hello')", "python")

    def test_one_that_does_not_compile_neither(self, grader: Grader) -> None:
        with pytest.raises(CheckerBroken, match="does not compile"):
            grader.grade(with_validator(b"int main( {", "cpp"), b"print(1)", "python")

    def test_no_run_finds_what_another_left(self, grader: Grader) -> None:
        source = (
            b"import os, sys\n"
            b"was_here = os.path.exists('left')\n"
            b"open('left', 'w').write('here')\n"
            b"sys.exit(43 if was_here else 42)\n"
        )
        assert grader.grade(with_validator(source), b"print(1)", "python").passed == 2

    def test_nothing_of_the_output_is_asked_of_a_run_that_failed(self, grader: Grader) -> None:
        problem = with_validator(b"import sys\nsys.exit(1)\n")
        judgement = grader.grade(problem, b"exit(1)", "python")
        assert judgement.verdict is Verdict.RUNTIME_ERROR


@pytest.fixture(scope="module")
def tier_b() -> Iterator[Grader]:
    grader = start_grader(("python", "cpp"), tiers=(Tier.B,))
    yield grader
    grader.__exit__(None, None, None)


class TestTierB:
    """Without a root of its own a box has no private /tmp."""

    def test_programs_run_there_as_well(self, tier_b: Grader) -> None:
        for language, source in (RIGHT["python: the descriptors"], RIGHT["c++: streams"]):
            assert judged(tier_b, language, source).verdict is Verdict.ACCEPTED

    def test_a_validator_in_python_has_the_judges_scratch_folder(self, tier_b: Grader) -> None:
        made = import_package(read_folder(PACKAGES / "stdio_pair"), "stdio_pair")
        package = load(made.files, made.slug)
        for submission in package.submissions:
            judgement = tier_b.grade(package.problem, submission.source, submission.language)
            assert judgement.verdict in submission.expectations[0].required

    def test_one_in_cpp_cannot_be_asked(self, tier_b: Grader) -> None:
        problem = with_validator(b"", "cpp", files=CPP_FILES)
        with pytest.raises(CheckerBroken, match="tier A"):
            tier_b.grade(problem, b"print('Good')", "python")


def test_a_function_problem_may_have_a_checker_of_its_own(
    grader: Grader, pair_sum: Problem
) -> None:
    check = (
        b"def check(arguments, returned, expected):\n"
        b"    if returned == expected + 1000:\n"
        b"        return f'far from {expected}'\n"
        b"    return abs(returned - arguments['a'] - arguments['b']) <= 1\n"
    )
    problem = replace(
        pair_sum,
        checker=CheckerSpec("custom"),
        checker_program=CheckerProgram("python", (("check.py", check),)),
    )
    near = grader.grade(problem, b"def pair_sum(a, b):\n    return a + b + 1", "python")
    off = grader.grade(problem, b"def pair_sum(a, b):\n    return a + b + 2", "python")
    far = grader.grade(problem, b"def pair_sum(a, b):\n    return a + b + 1000", "python")
    assert near.verdict is Verdict.ACCEPTED
    assert off.verdict is Verdict.WRONG_ANSWER
    assert far.cases[0].note == f"far from {pair_sum.cases[0].expected}"


def test_a_checker_that_is_slow_for_some_value_holds_nobody_up(
    grader: Grader, pair_sum: Problem
) -> None:
    """Its first call uses the time up that all of them have."""
    check = b"def check(arguments, returned, expected):\n    return sum(range(1_000_000)) > 0\n"
    problem = replace(
        pair_sum,
        checker=CheckerSpec("custom"),
        checker_program=CheckerProgram("python", (("check.py", check),)),
    )
    source = b"def pair_sum(a, b):\n    return a + b"
    with grader.open_check(problem, 1e-3) as ask:
        first, second = problem.cases[:2]
        assert ask(first, 0).passed
        with pytest.raises(CheckerBroken, match="its answers took more than"):
            ask(second, 0)
    assert grader.grade(problem, source, "python").verdict is Verdict.ACCEPTED


def test_the_packages_beside_these_tests_are_kattis_packages() -> None:
    for name in ("stdio_hello", "stdio_pair", "stdio_scoring"):
        assert not Path(PACKAGES / name / "judge.yaml").exists()
