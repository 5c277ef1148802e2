"""Checkers: is a returned value right?

A checker compares plain decoded values of the declared type, outside any box. It says which part
differs first; shape comes before content.
"""

from judge.domain.checkers.compare import Comparison, check

__all__ = ["Comparison", "check"]
