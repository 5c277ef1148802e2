"""Kattis problem packages: import of stdin/stdout problems, export of any problem that has a form.

The legacy format and 2025-09 are read and written. Nothing here runs a program of a package.
"""
