"""What a server chooses, and how it is welcomed."""
