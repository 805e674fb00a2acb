CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    seen INTEGER NOT NULL
) STRICT;

CREATE TABLE invitations (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER,
    challenger INTEGER NOT NULL REFERENCES people,
    opponent INTEGER REFERENCES people,
    side TEXT NOT NULL CHECK (side IN ('gold', 'black')),
    game TEXT NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
    players INTEGER NOT NULL CHECK (players > 0),
    secret BLOB NOT NULL,
    commitment TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'withdrawn', 'lapsed')),
    match INTEGER UNIQUE REFERENCES matches,
    CHECK (opponent <> challenger),
    CHECK ((state = 'accepted') = (match IS NOT NULL))
) STRICT;
CREATE INDEX open_invitations ON invitations (expires) WHERE state = 'open';

CREATE TABLE invitation_seats (
    invitation INTEGER NOT NULL REFERENCES invitations,
    side TEXT NOT NULL CHECK (side IN ('gold', 'black')),
    number INTEGER NOT NULL CHECK (number >= 0),
    person INTEGER NOT NULL REFERENCES people,
    contribution TEXT NOT NULL,
    PRIMARY KEY (invitation, side, number),
    UNIQUE (invitation, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER,
    game TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
    secret BLOB NOT NULL,
    commitment TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,
    snapshot TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(snapshot)),
    created INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    ended INTEGER,
    winner TEXT CHECK (winner IN ('gold', 'black', 'draw')),
    by TEXT,
    CHECK ((ended IS NULL) = (winner IS NULL)),
    CHECK ((ended IS NULL) = (by IS NULL))
) STRICT;
CREATE INDEX running_matches ON matches (channel) WHERE ended IS NULL;

CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches,
    side TEXT NOT NULL CHECK (side IN ('gold', 'black')),
    number INTEGER NOT NULL CHECK (number >= 0),
    person INTEGER NOT NULL REFERENCES people,
    contribution TEXT NOT NULL,
    PRIMARY KEY (match, side, number),
    UNIQUE (match, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX matches_of ON seats (person);

CREATE TABLE events (
    match INTEGER NOT NULL REFERENCES matches,
    version INTEGER NOT NULL CHECK (version > 0),
    at INTEGER NOT NULL,
    person INTEGER REFERENCES people,
    cause TEXT,
    record TEXT NOT NULL CHECK (json_valid(record)),
    PRIMARY KEY (match, version),
    UNIQUE (match, cause)
) STRICT, WITHOUT ROWID;

CREATE TABLE ratings (
    scope TEXT NOT NULL,
    pool TEXT NOT NULL,
    person INTEGER NOT NULL REFERENCES people,
    mu REAL NOT NULL,
    sigma REAL NOT NULL CHECK (sigma > 0),
    games INTEGER NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    PRIMARY KEY (scope, pool, person),
    CHECK (games = won + drawn + lost)
) STRICT, WITHOUT ROWID;

CREATE TABLE rating_changes (
    match INTEGER NOT NULL REFERENCES matches,
    scope TEXT NOT NULL,
    pool TEXT NOT NULL,
    person INTEGER NOT NULL REFERENCES people,
    before_mu REAL,
    before_sigma REAL,
    after_mu REAL NOT NULL,
    after_sigma REAL NOT NULL,
    PRIMARY KEY (match, scope, pool, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
