"""Delivery: where cards are said, and the one place that deals with what Discord refuses."""
