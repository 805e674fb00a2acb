"""People who do not want to meet."""
