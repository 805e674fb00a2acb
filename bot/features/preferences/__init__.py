"""What people choose for themselves: /settings."""
