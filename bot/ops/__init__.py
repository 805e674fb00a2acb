"""What keeps the bot's own house in order: examining and mending the database, and copies of it."""
