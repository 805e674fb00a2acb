"""People who do not wish to meet."""
