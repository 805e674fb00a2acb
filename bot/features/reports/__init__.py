"""Reports on finished matches: luck, errors and win chances."""
