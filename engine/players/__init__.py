"""The computer players: what a net sees, the nets, and how they decide."""
