"""What people can do with Tabula: one folder for each feature that a user would name."""
