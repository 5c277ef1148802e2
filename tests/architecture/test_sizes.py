"""Modules stay small: a file that no longer fits in one look is two files."""

import ast
import statistics

from sources import product, sources

LARGEST_MODULE = 600
LARGEST_TEST = 800
MEDIAN_MODULE = 150


def test_no_module_is_past_the_limit() -> None:
    assert [s.name for s in product() if s.lines > LARGEST_MODULE] == []


def test_no_test_file_is_past_the_limit() -> None:
    assert [s.name for s in sources("tests") if s.lines > LARGEST_TEST] == []


def test_the_typical_module_is_small() -> None:
    assert statistics.median(s.lines for s in product()) <= MEDIAN_MODULE


def test_every_module_says_what_it_owns() -> None:
    silent = [s.name for s in product() if s.text.strip() and not ast.get_docstring(s.tree)]
    assert silent == []
