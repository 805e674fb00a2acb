"""Learning a game by playing a prepared one: /learn."""
