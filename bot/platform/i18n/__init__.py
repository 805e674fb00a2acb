"""Words for a reader: language, translators' files, and what every feature says."""
