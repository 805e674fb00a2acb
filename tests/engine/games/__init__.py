"""The games, one file each, on positions worked out by hand."""
