"""The database: its tables, connections, migrations, copies and jobs."""
