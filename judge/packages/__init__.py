"""The problem package on disk: read, checked, digested, rendered. No database, no processes."""
