"""What the tests use: clubs, what people do in them, folders, statements."""
