"""The search of legal plays: routes, bitboards, packed states and single moves.

`engine.plays` is its door; only the rules look inside.
"""
