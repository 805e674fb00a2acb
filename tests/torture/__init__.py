"""The real bot under a seeded schedule of thousands of faults; `make torture` runs it."""
