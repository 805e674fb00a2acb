"""Whether people's finished matches may be published, and those of which all agreed."""
