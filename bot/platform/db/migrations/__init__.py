"""How a database comes from each version to the next, by Alembic.

On SQLite the numbers are the file's user_version.
"""
