"""Tests of the pictures and their descriptions."""
