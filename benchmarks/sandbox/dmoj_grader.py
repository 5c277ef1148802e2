"""Grades one test case with DMOJ's judge, again and again; started by ``dmoj_peer.py``.

Runs in DMOJ's own virtual environment and uses its executor, sandbox, grader and checker as its
judge does, without its network. First line of stdin: JSON of program, input and answer; replied
to with an empty list once the submission is prepared. Every further line is a number of gradings,
replied to with the milliseconds of each.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from dmoj import judgeenv

_NAME, _LANGUAGE = "sample_token", "PY3"
_CASES = "test_cases:\n- {in: 1.in, out: 1.out, points: 1}\n"
_TIME_LIMIT_S, _MEMORY_LIMIT_KB = 6.0, 512 * 1024
# The same interpreter as on the other side. The executors read it while they are imported.
_INTERPRETER = sys._base_executable
judgeenv.env["runtime"] = {"python3": _INTERPRETER}

from dmoj.cptbox.filesystem_policies import RecursiveDir  # noqa: E402
from dmoj.executors import PY3, executors  # noqa: E402
from dmoj.graders.standard import StandardGrader  # noqa: E402
from dmoj.problem import Problem  # noqa: E402


def main() -> None:
    """Serve until stdin ends."""
    program, given, expected = json.loads(sys.stdin.readline())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / _NAME
        folder.mkdir()
        for file, text in (("init.yml", _CASES), ("1.in", given), ("1.out", expected)):
            (folder / file).write_text(text)
        judgeenv.problem_globs = (str(folder),)
        # An interpreter that is not below /usr lies outside of what programs may read.
        PY3.Executor.fs = [RecursiveDir(sys.base_prefix)]
        executors[_LANGUAGE] = PY3
        problem = Problem(_NAME, _TIME_LIMIT_S, _MEMORY_LIMIT_KB, {})
        grader = StandardGrader(None, problem, _LANGUAGE, program)
        _reply([])
        for line in sys.stdin:
            _reply([_grade(grader) for _ in range(int(line))])


def _grade(grader: StandardGrader) -> float:
    (case,) = grader.cases()
    start = time.perf_counter()
    result = grader.grade(case)
    took_ms = (time.perf_counter() - start) * 1000
    if result.readable_codes() != ["AC"]:
        raise RuntimeError(f"{result.readable_codes()}: {result.feedback}: {result.output}")
    return took_ms


def _reply(figures: list[float]) -> None:
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
