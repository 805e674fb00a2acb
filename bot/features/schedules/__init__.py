"""What the bot posts of itself in a server, at an hour by the server's clocks."""
