"""Reading an uploaded package in a process of its own.

``examine`` reads, lints and translates; ``child`` is the process around it; ``wire`` is what the
two sides say to each other. Starting and watching the process is the web side's (judge.api.intake).
"""
