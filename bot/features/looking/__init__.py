"""Looking for a game: people hear of open challenges to the games they have subscribed to."""
