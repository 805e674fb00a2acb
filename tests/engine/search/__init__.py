"""Tests of the move generator."""
