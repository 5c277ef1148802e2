"""The engines of C++ and Java: what is compiled when, and what they keep running."""

import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from grading_packages import HONEST_SOURCES
from judge_data import JUDGE_DATA, require

from judge.domain.problem import Problem
from judge.domain.verdicts import Reason, Verdict
from judge.errors import JudgeBroken
from judge.grading.engines import jvm
from judge.grading.engines.compile_server import CompileServer
from judge.grading.engines.cpp_engine import CppEngine
from judge.grading.pipeline import Grader
from submissions_sandbox import Sandbox, Spare

COMPILED = ("cpp", "java")


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every source that reached a compiler."""
    seen: list[str] = []
    run_compiler, compile_java = CppEngine._run_compiler, CompileServer.compile

    def count_cpp(self: CppEngine, header: str, source: str, unit: str) -> Any:
        seen.append(source)
        return run_compiler(self, header, source, unit)

    def count_java(self: CompileServer, signature: Any, source: str) -> Any:
        seen.append(source)
        return compile_java(self, signature, source)

    monkeypatch.setattr(CppEngine, "_run_compiler", count_cpp)
    monkeypatch.setattr(CompileServer, "compile", count_java)
    return seen


@pytest.fixture
def fresh_source(request: pytest.FixtureRequest) -> bytes:
    """A comment that no source before had."""
    return f"// {request.node.name} {time.time_ns()}\n".encode()


@pytest.mark.parametrize("language", COMPILED)
class TestCompilation:
    def test_a_source_is_compiled_once_for_all_its_cases_and_not_again(
        self,
        language: str,
        grader: Grader,
        pair_sum: Problem,
        compilations: list[str],
        fresh_source: bytes,
    ) -> None:
        require(grader, language)
        source = fresh_source + HONEST_SOURCES[language]
        for _ in range(2):
            judgement = grader.grade(pair_sum, source, language)
            assert (judgement.verdict, judgement.passed) == (Verdict.ACCEPTED, 6)
            assert len(compilations) == 1

    def test_a_compile_error_is_kept_too(
        self,
        language: str,
        grader: Grader,
        pair_sum: Problem,
        compilations: list[str],
        fresh_source: bytes,
    ) -> None:
        require(grader, language)
        first, second = (
            grader.grade(pair_sum, fresh_source + b"no program", language) for _ in range(2)
        )
        assert first.verdict is Verdict.COMPILE_ERROR
        assert first.compile == second.compile
        assert len(compilations) == 1

    def test_another_signature_is_another_program(
        self,
        language: str,
        grader: Grader,
        pair_sum: Problem,
        compilations: list[str],
        fresh_source: bytes,
    ) -> None:
        require(grader, language)
        source = fresh_source + HONEST_SOURCES[language]
        grader.grade(pair_sum, source, language)
        signature = replace(pair_sum.signature, name="sum_pair")
        other = grader.grade(replace(pair_sum, signature=signature), source, language)
        assert (other.verdict, other.reason) == (Verdict.COMPILE_ERROR, Reason.ENTRY_POINT)
        assert len(compilations) == 2

    def test_the_judgement_says_what_compiled_it(
        self, language: str, grader: Grader, pair_sum: Problem
    ) -> None:
        require(grader, language)
        runner = grader.grade(pair_sum, HONEST_SOURCES[language], language).runner
        assert set(runner) == {"tier", "layers", {"cpp": "g++", "java": "jdk"}[language]}


def test_names_that_the_whole_library_takes_are_free_where_it_was_not_included(
    grader: Grader, pair_sum: Problem, compilations: list[str], fresh_source: bytes
) -> None:
    require(grader, "cpp")
    source = b"""#include <vector>
using namespace std;
long long count = 0, gcd = 0, iota = 0;
long long pair_sum(long long a, long long b) { count += a; count += b; return count + gcd + iota; }
"""
    assert grader.grade(pair_sum, fresh_source + source, "cpp").verdict is Verdict.ACCEPTED
    assert len(compilations) == 2


class TestJavaProcesses:
    @pytest.fixture
    def own_grader(self, grader: Grader) -> Iterator[Grader]:
        require(grader, "java")
        with Grader(("java",), data_dir=JUDGE_DATA) as own:
            yield own

    @pytest.mark.slow
    def test_a_compile_server_is_replaced_after_its_requests(
        self, own_grader: Grader, pair_sum: Problem, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(jvm, "REQUESTS_PER_SERVER", 2)
        started: list[object] = []
        start = CompileServer.start

        def count(self: CompileServer) -> Spare:
            spare = start(self)
            if spare not in started:
                started.append(spare)
            return spare

        monkeypatch.setattr(CompileServer, "start", count)
        for number in range(4):
            source = HONEST_SOURCES["java"] + b"// %d %d" % (number, time.time_ns())
            assert own_grader.grade(pair_sum, source, "java").verdict is Verdict.ACCEPTED
            own_grader.rest()
        assert len(started) == 3

    @pytest.mark.slow
    def test_a_server_that_dies_between_sources_costs_nobody_anything(
        self, own_grader: Grader, pair_sum: Problem, fresh_source: bytes
    ) -> None:
        engine = own_grader._machine.engines["java"]
        server: CompileServer = engine._server  # type: ignore[attr-defined]
        spare = server.start()
        spare.wait_until_warm()
        signal.pidfd_send_signal(spare._watch._pidfd, signal.SIGKILL)
        judgement = own_grader.grade(pair_sum, fresh_source + HONEST_SOURCES["java"], "java")
        assert judgement.verdict is Verdict.ACCEPTED

    @pytest.mark.slow
    def test_an_answer_that_is_none_is_the_judges_fault(
        self,
        own_grader: Grader,
        pair_sum: Problem,
        fresh_source: bytes,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(Spare, "ask", lambda *_: b"\xff\xff")
        with pytest.raises(JudgeBroken, match="does not answer"):
            own_grader.grade(pair_sum, fresh_source + HONEST_SOURCES["java"], "java")
        monkeypatch.undo()
        source = fresh_source + HONEST_SOURCES["java"]
        assert own_grader.grade(pair_sum, source, "java").verdict is Verdict.ACCEPTED

    def test_spares_for_other_limits_are_not_taken(
        self, own_grader: Grader, pair_sum: Problem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        heaps: list[int] = []
        argv = jvm.driver_argv

        def record(toolchain: Any, folder: str, heap_kb: int) -> list[str]:
            heaps.append(heap_kb)
            return argv(toolchain, folder, heap_kb)

        monkeypatch.setattr(jvm, "driver_argv", record)
        for memory_kb in (64 * 1024, 96 * 1024):
            limits = replace(pair_sum.limits, memory_kb=memory_kb)
            judgement = own_grader.grade(
                replace(pair_sum, limits=limits), HONEST_SOURCES["java"], "java"
            )
            assert judgement.verdict is Verdict.ACCEPTED
        assert set(heaps) == {64 * 1024, 96 * 1024}

    def test_all_processes_end_with_the_grader(
        self, grader: Grader, pair_sum: Problem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        require(grader, "java")
        processes = []
        start = Sandbox.__init__

        def record(self: Sandbox, *arguments: Any, **options: Any) -> None:
            start(self, *arguments, **options)
            processes.append(self._zygote.process)

        monkeypatch.setattr(Sandbox, "__init__", record)
        with Grader(("java",), data_dir=JUDGE_DATA) as own:
            own.grade(pair_sum, HONEST_SOURCES["java"], "java")
        assert processes
        assert all(process.poll() is not None for process in processes)
