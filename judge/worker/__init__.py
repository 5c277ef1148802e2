"""The judge worker: claims jobs, grades, records; and the supervisor that keeps workers alive."""
