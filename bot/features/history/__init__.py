"""Finished matches: looked through by player, game and league, and taken along as a file."""
