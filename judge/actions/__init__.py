"""Actions: one verb a module, one transaction a call.

An action takes the Database and plain values, does everything in one ``write()`` and returns plain
values. Refusals are judge.errors; nothing here knows of HTTP. Rings and answers are the caller's.
"""
