"""The Discord bot: everything that touches the world."""
