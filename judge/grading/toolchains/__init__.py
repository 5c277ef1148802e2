"""Compilers and virtual machines of this machine: found by probe, prepared once, never trusted."""
