"""Reads that return frozen dataclasses.

``select_…`` raises NotFound where the row is missing, ``find_…`` may return None, ``list_…``
returns tuples. Nothing here writes, and nothing here decides who may see what it returns, but for
``select_visible_problem``, ``select_staff_problem``, ``select_managed_problem`` and
``list_published``, which ask judge.domain.access so that nobody else has to.
"""
