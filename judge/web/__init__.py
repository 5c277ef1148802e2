"""The pages. They read through judge.db.queries, write through judge.actions, and run no code."""
