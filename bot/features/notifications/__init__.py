"""Following matches, subscribing to open challenges, and announcing matches in a channel."""
