"""The database: engine, column types, tables, migrations and reads. Writes are judge.actions'."""
