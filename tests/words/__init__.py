"""The words in other languages than English."""
