"""Solved games, held to rules that are written out by hand."""
