"""The clock of a match: paces, reminders, claims and quiet hours."""
