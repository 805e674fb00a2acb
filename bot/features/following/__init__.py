"""Following matches, and announcing them in a channel."""
