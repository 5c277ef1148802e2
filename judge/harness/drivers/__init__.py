"""Source text of the drivers that run inside boxes; nothing here is imported by the judge."""
