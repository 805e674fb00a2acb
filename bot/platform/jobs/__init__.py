"""Jobs: declaring them, running them, and finding what has failed."""
