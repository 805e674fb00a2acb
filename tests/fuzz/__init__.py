"""Anybody's input is read as what it means, or refused.

Cases are found one by one, by the code that each reaches.
"""
