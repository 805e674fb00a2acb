"""What is stored of people: said, exported and deleted."""
