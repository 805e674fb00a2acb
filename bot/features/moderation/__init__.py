"""What a server's moderators may do with a match."""
