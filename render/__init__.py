"""Pictures of positions and their descriptions in words."""
