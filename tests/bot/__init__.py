"""The bot, played through simcord."""
