"""The bot's own house in order."""
