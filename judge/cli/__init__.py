"""The command line: one module a command, exit codes 0 done, 1 not, 2 usage, 3 judge's fault."""
