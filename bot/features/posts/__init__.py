"""What a server has the bot post by itself: schedules, and the digest of its week."""
