"""Handing one's seat in a match to somebody else."""
