"""Self-play, held to the rules that people play by."""
