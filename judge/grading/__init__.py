"""Package and source in, judgement out: no database, no HTTP.

This is the only layer that starts programs, and it does so only through submissions_sandbox.
"""
