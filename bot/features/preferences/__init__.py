"""What people keep for themselves: settings, vacation, blocks and notes on matches."""
