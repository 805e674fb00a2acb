"""The slash commands, and what their buttons and menus do: the same actions, by the same use cases."""
