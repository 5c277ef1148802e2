"""The pages. They read through judge.db.queries, write through judge.actions, and run no code.

What they need of judge.api is handed to them by judge.server: neither imports the other.
"""
