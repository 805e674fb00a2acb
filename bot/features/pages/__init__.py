"""Public pages: what a server has played, as files that any web server can serve."""
