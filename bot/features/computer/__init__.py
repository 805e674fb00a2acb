"""The computer as a player."""
