"""Decode Judge: an online judge for problems on how language models decode."""

__version__ = "0.1.0"
