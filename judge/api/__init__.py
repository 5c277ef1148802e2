"""The REST API below /api/v1, and the probes /healthz and /readyz.

Reads go through judge.db.queries, writes through judge.actions; nothing here runs anybody's code
and nothing here speaks SQL. Endpoints are plain ``def`` functions in the threadpool; only those
that wait for a verdict are ``async``, and while they wait they hold no thread and no connection.
"""
