-- How boards are drawn: for one person's own views, or for everyone in a server.
CREATE TABLE looks (
    scope TEXT NOT NULL CHECK (scope IN ('person', 'server')),
    id INTEGER NOT NULL,
    theme TEXT,
    seat TEXT NOT NULL CHECK (seat IN ('gold', 'black', 'mine')),
    numbered INTEGER NOT NULL CHECK (numbered IN (0, 1)),
    PRIMARY KEY (scope, id)
) STRICT, WITHOUT ROWID;
