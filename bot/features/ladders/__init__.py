"""Ladders: a standing order of players, who climb by challenging those above them."""
