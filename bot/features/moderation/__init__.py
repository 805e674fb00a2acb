"""What a server's moderators may do with a match, and how seats change hands."""
