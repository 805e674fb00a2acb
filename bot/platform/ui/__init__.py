"""Discord: cards, controls, the ways a card takes, and what answers an interaction."""
