"""What a club has played, in figures."""
