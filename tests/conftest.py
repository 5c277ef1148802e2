"""Where helpers of tests are found, and fixtures for every test that needs a database.

The sandbox's tests run in an environment without anything but pytest: it has neither databases nor
Hypothesis.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

# Helper modules are shared between the folders of tests.
sys.path += [str(Path(__file__).parent / folder) for folder in ("unit", "integration", "sandbox")]

pytest_plugins = [
    plugin
    for plugin, needed in (("databases", "sqlalchemy"), ("random_search", "hypothesis"))
    if find_spec(needed)
]

# Files that take longest, by their own durations. One file stays in one process, so these begin
# first (scripts/test keeps this order): a long one at the end would leave a core with nothing.
LONG_FILES = (
    "test_api_schemathesis",
    "test_verifyproblem",
    "test_golden_tier_b",
    "test_golden_java",
    "test_golden_cpp",
    "test_golden_cases",
    "test_builtin_problems",
    "test_cli_new_problem",
    "test_prove",
    "test_proof_claims",
    "test_proof_mutants",
    "test_memory_limits",
    "test_cpu_limit",
    "test_after_attacks",
    "test_worker_process",
    "test_db_start",
    "test_cli_hostile_words",
    "test_worker_serve",
    "test_engines",
    "test_readme",
    "test_wire",
    "test_verifier",
    "test_api_walk_teacher",
    "test_checkers_properties",
    "test_fuzz",
    "test_time",
    "test_java_round_trip",
    "test_cpp_round_trip",
    "test_cpp_programs",
    "test_cpp_diagnostics",
    "test_deaths",
    "test_distribution",
    "test_checkers_distribution",
    "test_checkers_unordered",
    "test_leftovers",
    "test_programs",
    "test_stdio",
    "test_worker_judge_job",
    "test_boxes",
    "test_db_cli",
    "test_api_auth",
    "test_probes",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files in front, the others as they are."""
    places = {name: place for place, name in enumerate(LONG_FILES)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))
