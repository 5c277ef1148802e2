"""Checkers: is a returned value right?

A checker compares plain decoded values of the declared type, outside any box. It says which part
differs first; shape comes before content. Two kinds need more than values and are judged by
judge.grading: a custom checker is the package's own program and runs in a box; a distribution is
drawn twice if need be (the rule itself is ``distribution``'s).
"""

from judge.domain.checkers.check import check
from judge.domain.checkers.comparison import Comparison, shown

__all__ = ["Comparison", "check", "shown"]
