"""What computer players add to the engine protocol: `value` and `choose`."""
