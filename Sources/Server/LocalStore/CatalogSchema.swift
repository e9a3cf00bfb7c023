/// The catalog's tables in SQLite, as steps that every store takes once, in order. A step is never changed after its
/// release, and new columns come last in their table, since rows are read in its order. `KeptDirectoryTests` opens a
/// store of each version.
enum CatalogSchema {
    static let steps: [StaticString] = [first, second, third, fourth, desk, counts]

    /// Rows of `release` stay for ever, so that a key is never given twice; large documents are apart from them, and
    /// can go. A channel is found by its bundle in one descent, since that is on the way of every request.
    /// `placement` is the history of channels: a row for each release that was put there, linked to the one
    /// that a rollback returns to (`previous`), and for a withdrawal to the one that restoring returns to
    /// (`replaced`). `change` speaks in names, as its readers do.
    private static let first: StaticString = """
        CREATE TABLE bundle (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            folded TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            latest INTEGER REFERENCES release (id),
            release_count INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE release (
            id INTEGER PRIMARY KEY,
            bundle INTEGER NOT NULL REFERENCES bundle (id),
            key TEXT NOT NULL,
            short_version TEXT NOT NULL,
            build TEXT NOT NULL,
            name TEXT NOT NULL,
            version BLOB NOT NULL,
            is_snapshot INTEGER NOT NULL,
            digest BLOB NOT NULL,
            content_digest BLOB NOT NULL,
            byte_count INTEGER NOT NULL,
            published INTEGER NOT NULL,
            published_by TEXT NOT NULL,
            minimum_os TEXT,
            minimum_host TEXT,
            withdrawn_at INTEGER,
            withdrawn_reason TEXT,
            withdrawn_by TEXT,
            restored_at INTEGER,
            UNIQUE (bundle, key)
        ) STRICT;
        CREATE INDEX release_order ON release (bundle, version);
        CREATE INDEX release_shown ON release (bundle, is_snapshot, version) WHERE withdrawn_at IS NULL;
        CREATE INDEX release_digest ON release (digest);

        CREATE TABLE release_files (release INTEGER PRIMARY KEY REFERENCES release (id), document BLOB NOT NULL) STRICT;
        CREATE TABLE release_report (release INTEGER PRIMARY KEY REFERENCES release (id), document BLOB NOT NULL) STRICT;

        CREATE TABLE channel (
            bundle INTEGER NOT NULL REFERENCES bundle (id),
            name TEXT NOT NULL,
            release INTEGER NOT NULL REFERENCES release (id),
            base INTEGER REFERENCES release (id),
            rollout INTEGER NOT NULL CHECK (rollout BETWEEN 0 AND 10000),
            is_mandatory INTEGER NOT NULL,
            salt TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            head INTEGER REFERENCES placement (id),
            PRIMARY KEY (bundle, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE placement (
            id INTEGER PRIMARY KEY,
            bundle INTEGER NOT NULL,
            channel TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            release INTEGER NOT NULL REFERENCES release (id),
            base INTEGER REFERENCES release (id),
            rollout INTEGER NOT NULL,
            is_mandatory INTEGER NOT NULL,
            salt TEXT NOT NULL,
            previous INTEGER REFERENCES placement (id),
            replaced INTEGER REFERENCES placement (id),
            cause INTEGER REFERENCES release (id),
            FOREIGN KEY (bundle, channel) REFERENCES channel (bundle, name)
        ) STRICT;
        CREATE INDEX placement_release ON placement (bundle, channel, release);

        CREATE TABLE change (
            tag INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            bundle TEXT NOT NULL,
            release TEXT NOT NULL,
            channel TEXT,
            sequence INTEGER,
            author TEXT NOT NULL
        ) STRICT;

        CREATE TABLE token (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            digest BLOB NOT NULL UNIQUE,
            prefix TEXT NOT NULL,
            scopes TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER,
            last_used INTEGER
        ) STRICT;

        PRAGMA user_version = 1;
        """

    /// `milestone` names events that happened once and that the other tables do not show: that a token was made, even
    /// if it was revoked since. `note` is a publisher's remark about a release.
    private static let second: StaticString = """
        CREATE TABLE milestone (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        INSERT INTO milestone (name) SELECT name FROM sqlite_sequence WHERE name = 'token';

        ALTER TABLE release ADD COLUMN note TEXT;

        PRAGMA user_version = 2;
        """

    /// `audit` has a row for each accepted act. `token` keeps the names and numbers of revoked tokens; names are unique
    /// among the tokens that can act on the same bundle, which no constraint of a column can say. `token.channels` are
    /// names with spaces between them, `NULL` for all; earlier tokens keep the rights that publishing and withdrawing
    /// gave.
    /// A channel that was deleted keeps its row, for its sequence; `origin` is the step of `placement` that its present
    /// history begins with.
    private static let third: StaticString = """
        CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            act TEXT NOT NULL,
            author TEXT NOT NULL,
            author_token INTEGER,
            client TEXT NOT NULL,
            request TEXT NOT NULL,
            agent TEXT NOT NULL,
            subject TEXT NOT NULL,
            release TEXT,
            channel TEXT,
            from_release TEXT,
            from_rollout INTEGER,
            from_mandatory INTEGER,
            to_release TEXT,
            to_rollout INTEGER,
            to_mandatory INTEGER,
            is_forced INTEGER NOT NULL,
            digest BLOB,
            content_digest BLOB,
            token INTEGER,
            token_name TEXT,
            remark TEXT
        ) STRICT;

        CREATE TABLE numbered_token (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            digest BLOB UNIQUE,
            prefix TEXT NOT NULL,
            scopes TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER,
            last_used INTEGER,
            revoked_at INTEGER,
            channels TEXT,
            keeps_earlier_rights INTEGER NOT NULL DEFAULT 0,
            CHECK ((digest IS NULL) = (revoked_at IS NOT NULL))
        ) STRICT;
        INSERT INTO numbered_token (id, name, digest, prefix, scopes, created, expires, last_used, keeps_earlier_rights)
            SELECT id, name, digest, prefix, scopes, created, expires, last_used, 1 FROM token;
        DROP TABLE token;
        ALTER TABLE numbered_token RENAME TO token;
        CREATE INDEX token_name ON token (name);

        ALTER TABLE channel ADD COLUMN deleted_at INTEGER;
        ALTER TABLE channel ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;

        PRAGMA user_version = 3;
        """

    /// `bundle_term` is the index of searches: the words of a bundle's identifier and name, and the kinds of its findings. A
    /// bundle whose `term_count` is `NULL` has not been given terms yet. `release_part` has small files that were made when
    /// a release was published. `withdrawn_directive` is the duty of hosts that have a withdrawn release; `NULL` if they may
    /// keep it.
    private static let fourth: StaticString = """
        CREATE TABLE bundle_term (
            term TEXT NOT NULL,
            identifier TEXT NOT NULL,
            bundle INTEGER NOT NULL REFERENCES bundle (id),
            PRIMARY KEY (term, identifier)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX bundle_term_bundle ON bundle_term (bundle, term);
        ALTER TABLE bundle ADD COLUMN term_count INTEGER;
        CREATE INDEX bundle_unindexed ON bundle (id) WHERE term_count IS NULL;

        CREATE TABLE release_part (
            release INTEGER NOT NULL REFERENCES release (id),
            name TEXT NOT NULL,
            media_type TEXT NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (release, name)
        ) STRICT;

        ALTER TABLE release ADD COLUMN withdrawn_directive TEXT;
        CREATE INDEX release_forbidden ON release (bundle, withdrawn_at) WHERE withdrawn_directive IS NOT NULL;

        PRAGMA user_version = 4;
        """

    /// `session` has the browsers that have signed in, and `upload` the archives that wait for their senders' word, each
    /// by the SHA-256 of its name. No backup has a row of them.
    /// `token.earlier_digest` is that of the secret before the last rotation, which works until `earlier_until`; both are
    /// `NULL` if it ended at once. `token.digest` is always that of the present one.
    private static let desk: StaticString = """
        CREATE TABLE session (
            name BLOB PRIMARY KEY,
            token INTEGER NOT NULL,
            prefix TEXT NOT NULL,
            begun INTEGER NOT NULL,
            used INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_token ON session (token);

        CREATE TABLE upload (
            name BLOB PRIMARY KEY,
            token INTEGER NOT NULL,
            prefix TEXT NOT NULL,
            since INTEGER NOT NULL,
            digest BLOB NOT NULL,
            request TEXT NOT NULL,
            report BLOB NOT NULL,
            outcome TEXT
        ) STRICT;
        CREATE INDEX upload_digest ON upload (digest);

        ALTER TABLE token ADD COLUMN earlier_digest BLOB;
        ALTER TABLE token ADD COLUMN earlier_until INTEGER;

        PRAGMA user_version = 5;
        """

    /// `outcome` has what hosts have reported, by the registry's days in UTC, counted from 1970. `reason` is empty for what is
    /// not a failure. Numbers only rise, and rows go when their day has been over for long.
    ///
    /// `release.shown_until` is when a channel stopped to show a release last; of releases of before it is when a channel of
    /// their bundle changed last, which is as late or later. `expired_at` and `expired_rule` are those of a release that a rule of
    /// the operator removed, and `ended_at` is when the documents of any release were removed. `bundle_usage` counts what is
    /// stored of each bundle. `retention_guard` has one row at most: the rules that are applied, and those that wait.
    private static let counts: StaticString = """
        CREATE TABLE outcome (
            release INTEGER NOT NULL REFERENCES release (id),
            channel TEXT NOT NULL,
            day INTEGER NOT NULL,
            kind TEXT NOT NULL,
            reason TEXT NOT NULL,
            number INTEGER NOT NULL CHECK (number > 0),
            PRIMARY KEY (release, channel, day, kind, reason)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outcome_day ON outcome (day);

        ALTER TABLE release ADD COLUMN shown_until INTEGER;
        ALTER TABLE release ADD COLUMN expired_at INTEGER;
        ALTER TABLE release ADD COLUMN expired_rule TEXT;
        ALTER TABLE release ADD COLUMN ended_at INTEGER;
        UPDATE release SET shown_until = (
            SELECT MAX(channel.changed_at) FROM channel WHERE channel.bundle = release.bundle);
        CREATE INDEX release_published ON release (bundle, published);
        CREATE INDEX release_day ON release (published, bundle);
        CREATE INDEX release_kept ON release (bundle, is_snapshot, published)
            WHERE withdrawn_at IS NULL AND expired_at IS NULL;
        CREATE INDEX release_ended ON release (bundle, ended_at) WHERE ended_at IS NOT NULL;
        CREATE INDEX placement_order ON placement (bundle, channel, id);

        CREATE TABLE bundle_usage (
            identifier TEXT PRIMARY KEY,
            bundle INTEGER NOT NULL REFERENCES bundle (id),
            release_count INTEGER NOT NULL,
            byte_count INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO bundle_usage (identifier, bundle, release_count, byte_count)
            SELECT bundle.identifier, bundle.id, SUM(stored.release_count), SUM(stored.byte_count)
            FROM bundle JOIN (
                SELECT bundle, digest, COUNT(*) AS release_count, MAX(byte_count) AS byte_count FROM release
                WHERE EXISTS (SELECT 1 FROM release_files WHERE release_files.release = release.id)
                GROUP BY bundle, digest) AS stored ON stored.bundle = bundle.id
            GROUP BY bundle.id;

        CREATE TABLE retention_guard (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            applied TEXT NOT NULL,
            pending TEXT,
            since INTEGER NOT NULL
        ) STRICT;

        PRAGMA user_version = 6;
        """
}
