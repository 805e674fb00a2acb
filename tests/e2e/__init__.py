"""Games played in a real browser on the playground."""
