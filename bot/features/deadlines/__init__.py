"""The deadlines of one's leagues and matches as a calendar file: /calendar."""
