"""Private notes on matches: /note."""
