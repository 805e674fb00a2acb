"""Who and what comes and goes: a table of all features, and the tests that its cells name."""
