"""The queue: the committed job row is the truth, everything else only shortens a wait."""
