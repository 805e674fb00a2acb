"""Taking back what the newest migrations have done, so that older ones can be tried on real rows.

A new migration is taken back here, once for all tests.
"""

UNDO_TO_25 = """
    DROP INDEX habits_everywhere;
    ALTER TABLE habits DROP COLUMN everywhere;
    DROP TABLE seat_offers;
    ALTER TABLE challenges DROP COLUMN posted_digits;
    ALTER TABLE matches DROP COLUMN posted_digits;
    ALTER TABLE contests DROP COLUMN posted_digits;
    ALTER TABLE habits DROP COLUMN pages;
    ALTER TABLE servers DROP COLUMN pages;
    DROP TABLE scheduled_posts;
    DROP TABLE puzzle_answers;
    DROP TABLE match_puzzles;
    ALTER TABLE habits DROP COLUMN shares;
    ALTER TABLE habits DROP COLUMN language;
    ALTER TABLE servers DROP COLUMN language;
    ALTER TABLE people DROP COLUMN locale;
    ALTER TABLE matches DROP COLUMN away_days;
    ALTER TABLE contests DROP COLUMN away_days;
    ALTER TABLE matches DROP COLUMN proof_checked;
    ALTER TABLE matches DROP COLUMN proof_throws;
    DROP TABLE data_exports;
    ALTER TABLE matches DROP COLUMN rating_edition;
    DROP INDEX rating_course;
    ALTER TABLE rating_changes DROP COLUMN day;
    CREATE INDEX rating_course ON rating_changes (scope, pool, person);
"""
"""What version 26 and those after it have done, undone; the database still names the newest."""


def split_statements(script: str) -> list[str]:
    """The statements of a script that has no semicolon in any of them."""
    return [statement.strip() for statement in script.split(";") if statement.strip()]
