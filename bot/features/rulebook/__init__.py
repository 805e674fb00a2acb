"""Rules, help, lists of games and matches, and leaderboards to read."""
