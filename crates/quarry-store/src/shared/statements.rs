//! What is said to the database. `$alive` stands for "this crawler's lease has not ended".

/// Whether the crawler of a row of `crawlers` is alive, `$LEASE` seconds being a lease: nobody could renew anything while the server was down.
macro_rules! alive {
    ($lease:literal) => {
        concat!(
            "(greatest(crawlers.until, pg_postmaster_start_time() + make_interval(secs => ",
            $lease,
            ")) > now())"
        )
    };
}

/// Who has a host; nothing, if another crawler is just taking it.
pub(super) const HOST_CRAWLER: &str =
    "SELECT crawler FROM host_leases WHERE host = $1 FOR UPDATE SKIP LOCKED";

/// Whether the crawler `$1` is alive. It cannot renew its lease until this transaction is over.
pub(super) const IS_ALIVE: &str =
    concat!("SELECT ", alive!("$2"), " FROM crawlers WHERE id = $1 FOR SHARE");

/// Gives the host `$1` to the crawler `$2`.
pub(super) const TAKE_HOST: &str =
    "UPDATE host_leases SET crawler = $2, fence = fence + 1 WHERE host = $1 RETURNING fence";

/// The groups that a host is in; locked, but for those which another crawler is just taking.
pub(super) const GROUPS: &str = "
    SELECT id, crawler, not_before FROM pace_groups
    WHERE id IN (SELECT pace_group FROM host_groups WHERE host = $1) ORDER BY id FOR UPDATE SKIP LOCKED";

/// Makes groups, in an order that all crawlers share.
pub(super) const ADD_GROUPS: &str = "
    INSERT INTO pace_groups (name) SELECT name FROM unnest($1::TEXT[]) AS new (name)
    WHERE NOT EXISTS (SELECT FROM pace_groups WHERE pace_groups.name = new.name) ORDER BY name ON CONFLICT DO NOTHING";

/// Puts the host `$1` into the groups `$2`, and out of all others.
pub(super) const PUT_INTO_GROUPS: &str = "
    WITH own AS (SELECT id FROM pace_groups WHERE name = ANY($2)),
    gone AS (DELETE FROM host_groups WHERE host = $1 AND NOT EXISTS (SELECT FROM own WHERE own.id = pace_group))
    INSERT INTO host_groups (host, pace_group) SELECT $1::INT, id FROM own ON CONFLICT DO NOTHING";

/// Gives groups to the crawler `$2`.
pub(super) const TAKE_GROUPS: &str =
    "UPDATE pace_groups SET crawler = $2 WHERE id = ANY($1) AND crawler IS DISTINCT FROM $2";

/// Takes from the dead crawler `$2` its hosts that are in groups of the host `$1`, and this one; with the pause that is known of each.
pub(super) const FREE_GROUPS_HOSTS: &str = "
    WITH freed AS (
        UPDATE host_leases SET crawler = NULL, fence = fence + 1 WHERE crawler = $2 AND (host = $1 OR host IN (
            SELECT others.host FROM host_groups AS own JOIN host_groups AS others USING (pace_group) WHERE own.host = $1
        )) RETURNING host
    )
    SELECT host, coalesce(not_before, 0) FROM freed LEFT JOIN host_records USING (host)";

/// Leaves the groups of hosts `$2`, which the crawler `$1` has left and may ask again from `$3` on, to others, unless it has another of
/// their hosts.
pub(super) const LEAVE_GROUPS: &str = "
    WITH hosts_left AS (
        SELECT pace_group, max(told.not_before) AS not_before FROM unnest($2::INT[], $3::BIGINT[]) AS told (host, not_before)
        JOIN host_groups USING (host) GROUP BY pace_group
    )
    UPDATE pace_groups SET not_before = greatest(pace_groups.not_before, hosts_left.not_before),
        crawler = CASE WHEN EXISTS (
            SELECT FROM host_groups JOIN host_leases USING (host) WHERE host_groups.pace_group = pace_groups.id AND host_leases.crawler = $1
        ) THEN $1::BIGINT END
    FROM hosts_left WHERE pace_groups.id = hosts_left.pace_group AND pace_groups.crawler = $1";
pub(super) const LEAVE_ALL_GROUPS: &str =
    "UPDATE pace_groups SET crawler = NULL WHERE crawler = $1";

/// Puts back what the last crawler of hosts had taken.
pub(super) const PUT_ALL_BACK: &str = "
    WITH back AS (DELETE FROM taken WHERE host = ANY($1) RETURNING *)
    INSERT INTO queue (id, host, priority, depth, due, attempts, candidate)
    SELECT id, host, priority, depth, 0, attempts, candidate FROM back";

/// Puts back what was taken from the host `$1` by the crawler `$2`, which does not know of it: all but `$3`.
pub(super) const PUT_UNKNOWN_BACK: &str = "
    WITH back AS (DELETE FROM taken WHERE host = $1 AND crawler = $2 AND NOT id = ANY($3) RETURNING *)
    INSERT INTO queue (id, host, priority, depth, due, attempts, candidate)
    SELECT id, host, priority, depth, 0, attempts, candidate FROM back";

/// Puts back entries of a crawler, not before `$3`, and counts `$4` attempts.
pub(super) const PUT_BACK: &str = "
    WITH back AS (DELETE FROM taken WHERE id = ANY($1) AND crawler = $2 RETURNING *)
    INSERT INTO queue (id, host, priority, depth, due, attempts, candidate)
    SELECT id, host, priority, depth, $3, attempts + $4, candidate FROM back";

/// Takes the first addresses of a host.
pub(super) const TAKE: &str = "
    WITH first AS (
        SELECT id FROM queue WHERE host = $1 AND due <= $2 ORDER BY priority, depth, id LIMIT $3 FOR UPDATE SKIP LOCKED
    ), moved AS (
        DELETE FROM queue USING first WHERE queue.id = first.id RETURNING queue.*
    )
    INSERT INTO taken (id, host, crawler, fence, priority, depth, attempts, candidate)
    SELECT id, host, $4, $5, priority, depth, attempts, candidate FROM moved
    RETURNING id, priority, depth, attempts, candidate";

/// Ends entries of a crawler; those that were taken from it meanwhile are not its own any more.
pub(super) const END: &str = "
    WITH told AS (SELECT * FROM unnest($1::BIGINT[], $2::SMALLINT[], $3::TEXT[]) AS told (id, state, note)),
    gone AS (DELETE FROM taken USING told WHERE taken.id = told.id AND crawler = $4 RETURNING taken.id)
    INSERT INTO ended SELECT told.id, told.state, told.note FROM told JOIN gone USING (id)";

/// Says that the crawler `$1` is alive, for `$2` seconds.
pub(super) const RENEW: &str = "
    INSERT INTO crawlers (id, until, unused, wants) VALUES ($1, now() + make_interval(secs => $2), $3, $4)
    ON CONFLICT (id) DO UPDATE SET until = excluded.until, unused = excluded.unused, wants = excluded.wants";

/// Reserves `$1` pages of the common budget.
pub(super) const RESERVE: &str = "
    WITH old AS (SELECT reserved, pages FROM budget FOR UPDATE)
    UPDATE budget SET reserved = old.reserved + least($1, greatest(coalesce(old.pages - old.reserved, $1), 0)) FROM old
    RETURNING budget.reserved - old.reserved";

/// Gives back to the budget what dead crawlers had reserved and not used.
pub(super) const RESTORE_BUDGET: &str = concat!(
    "WITH dead AS (SELECT id, unused FROM crawlers WHERE unused > 0 AND NOT ",
    alive!("$1"),
    " FOR UPDATE SKIP LOCKED),
    zero AS (UPDATE crawlers SET unused = 0 FROM dead WHERE crawlers.id = dead.id)
    UPDATE budget SET reserved = greatest(reserved - (SELECT coalesce(sum(unused), 0)::BIGINT FROM dead), 0)
    WHERE EXISTS (SELECT FROM dead)"
);

/// Forgets dead crawlers that nothing is left of.
pub(super) const FORGET_CRAWLERS: &str = concat!(
    "DELETE FROM crawlers WHERE unused = 0 AND NOT ",
    alive!("$1"),
    " AND NOT EXISTS (SELECT FROM host_leases WHERE host_leases.crawler = crawlers.id)"
);

/// Hosts from the number `$1` on, below `$2`, that have entries, and neither themselves nor by a group a living crawler other than `$3`: at most `$4`, of the first `$6`
/// that have entries. Goes from host to host in the index, whatever each of them has queued. (A join of groups and crawlers would begin with
/// the crawlers, for each host.)
pub(super) const FREE_HOSTS: &str = concat!(
    "WITH RECURSIVE walk (host, n) AS (
        SELECT (SELECT min(host) FROM queue WHERE host >= $1), 1
        UNION ALL
        SELECT (SELECT min(queue.host) FROM queue WHERE queue.host > walk.host), n + 1
        FROM walk WHERE walk.host < $2 AND n < $6
    )
    SELECT host FROM walk
    WHERE host < $2 AND EXISTS (
        SELECT FROM host_leases WHERE host_leases.host = walk.host AND (crawler IS NULL OR crawler = $3
            OR NOT EXISTS (SELECT FROM crawlers WHERE crawlers.id = host_leases.crawler AND ",
    alive!("$5"),
    "))) AND NOT coalesce((
        SELECT bool_or((
            SELECT pace_groups.crawler <> $3 AND (SELECT ",
    alive!("$5"),
    " FROM crawlers WHERE crawlers.id = pace_groups.crawler) FROM pace_groups WHERE pace_groups.id = pace_group
        )) FROM host_groups WHERE host_groups.host = walk.host
    ), FALSE) LIMIT $4"
);

/// Hosts of dead crawlers, which may have taken all that was queued.
pub(super) const DEAD_CRAWLERS_HOSTS: &str = concat!(
    "SELECT host_leases.host FROM crawlers JOIN host_leases ON host_leases.crawler = crawlers.id
    WHERE crawlers.id <> $1 AND NOT ",
    alive!("$3"),
    " LIMIT $2"
);

/// What hosts have queued: counted up to `$3`.
pub(super) const WORK: &str = "
    SELECT hosts.host, queued.n + left_behind.n, CASE WHEN left_behind.n > 0 THEN 0 ELSE queued.due END
    FROM unnest($1::INT[]) AS own (id) JOIN hosts ON hosts.id = own.id
    CROSS JOIN LATERAL (
        SELECT count(*) AS n, min(due) AS due
        FROM (SELECT due FROM queue WHERE queue.host = own.id ORDER BY priority, depth, id LIMIT $3) AS first
    ) AS queued
    CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM taken WHERE taken.host = own.id AND taken.crawler <> $2
    ) AS left_behind
    WHERE queued.n + left_behind.n > 0
    ORDER BY hosts.host COLLATE \"C\"";

/// Adds addresses that are new, in their order; gives back which of them were. Locks are taken in the order of hashes.
pub(super) const ADD: &str = "
    WITH told AS MATERIALIZED (
        SELECT nextval(pg_get_serial_sequence('queue', 'id')) AS entry, told.*
        FROM unnest($1::BIGINT[], $2::INT[], $3::INT[], $4::INT[], $5::TEXT[]) AS told (hash, host, priority, depth, candidate)
    ), new AS (
        INSERT INTO seen (hash, entry) SELECT hash, entry FROM told ORDER BY hash ON CONFLICT DO NOTHING RETURNING hash, entry
    ), queued AS (
        INSERT INTO queue (id, host, priority, depth, candidate)
        SELECT told.entry, host, priority, depth, candidate FROM told JOIN new USING (entry)
    )
    SELECT hash FROM new";

/// Lessens depth and priority of queued addresses.
pub(super) const LOWER: &str = "
    WITH told AS (SELECT * FROM unnest($1::BIGINT[], $2::INT[], $3::INT[]) AS told (hash, priority, depth)),
    lower AS (
        SELECT queue.id, told.priority, told.depth FROM told JOIN seen USING (hash) JOIN queue ON queue.id = seen.entry
        WHERE queue.priority > told.priority OR queue.depth > told.depth ORDER BY queue.id FOR UPDATE OF queue
    )
    UPDATE queue SET priority = least(queue.priority, lower.priority), depth = least(queue.depth, lower.depth)
    FROM lower WHERE queue.id = lower.id";

/// Makes hosts, in an order that all crawlers share; their numbers; the rows that say who has them.
pub(super) const ADD_HOSTS: &str = "
    INSERT INTO hosts (host) SELECT host FROM unnest($1::TEXT[]) AS new (host)
    WHERE NOT EXISTS (SELECT FROM hosts WHERE hosts.host = new.host) ORDER BY host ON CONFLICT DO NOTHING";
pub(super) const HOST_IDS: &str = "SELECT host, id FROM hosts WHERE host = ANY($1)";
pub(super) const ADD_LEASES: &str = "
    INSERT INTO host_leases (host) SELECT id FROM unnest($1::INT[]) AS new (id) ORDER BY id ON CONFLICT DO NOTHING";
pub(super) const LAST_HOST: &str = "SELECT coalesce(max(id), 0) FROM hosts";

/// Leaves hosts to others.
pub(super) const LEAVE: &str =
    "UPDATE host_leases SET crawler = NULL WHERE crawler = $1 AND host = ANY($2)";
pub(super) const LEAVE_ALL: &str = "UPDATE host_leases SET crawler = NULL WHERE crawler = $1";
pub(super) const FORGET_CRAWLER: &str = "DELETE FROM crawlers WHERE id = $1";
pub(super) const GIVE_BACK: &str = "UPDATE budget SET reserved = greatest(reserved - $1, 0)";
pub(super) const OWN_HOSTS: &str = "SELECT host, fence FROM host_leases WHERE crawler = $1";

/// Claims an address that is new or queued.
pub(super) const CLAIM_NEW: &str = "
    INSERT INTO seen (hash, entry) VALUES ($1, nextval(pg_get_serial_sequence('queue', 'id')))
    ON CONFLICT DO NOTHING RETURNING entry";
pub(super) const CLAIM_QUEUED: &str =
    "DELETE FROM queue WHERE id = (SELECT entry FROM seen WHERE hash = $1) RETURNING id";
pub(super) const CLAIMED: &str = "INSERT INTO ended VALUES ($1, $2, $3)";
pub(super) const HAS_CLAIMED: &str = "SELECT EXISTS (SELECT FROM seen JOIN ended ON ended.id = seen.entry WHERE hash = $1 AND note = $2)";

/// Whether no other living crawler has a host.
pub(super) const IS_OVER: &str = concat!(
    "SELECT NOT EXISTS (SELECT FROM crawlers WHERE id <> $1 AND ",
    alive!("$2"),
    " AND EXISTS (SELECT FROM host_leases WHERE host_leases.crawler = crawlers.id))"
);

/// Living crawlers that have nothing to do.
pub(super) const IDLE_CRAWLERS: &str =
    concat!("SELECT count(*) FROM crawlers WHERE id <> $1 AND wants AND ", alive!("$2"));

/// Counts entries by what became of them.
pub(super) const COUNTS: &str = "
    SELECT (SELECT count(*) FROM queue), (SELECT count(*) FROM taken),
           count(*) FILTER (WHERE state = 3), count(*) FILTER (WHERE state = 4),
           count(*) FILTER (WHERE state = 5) FROM ended";

/// Remembers a host.
pub(super) const SAVE_HOST: &str = "
    INSERT INTO host_records VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (host) DO UPDATE SET not_before = excluded.not_before, delay_us = excluded.delay_us,
        troubles = excluded.troubles, robots_at = excluded.robots_at,
        robots_status = excluded.robots_status, robots_body = excluded.robots_body";

/// What is remembered of a host.
pub(super) const HOST: &str = "
    SELECT not_before, delay_us, troubles, robots_at, robots_status, robots_body
    FROM host_records JOIN hosts ON hosts.id = host_records.host WHERE hosts.host = $1";

/// Adds sites of a harvest by several programs.
pub(super) const ADD_SITES: &str = "
    INSERT INTO sites (site, seeds) SELECT * FROM unnest($1::TEXT[], $2::TEXT[]) ON CONFLICT DO NOTHING";

/// Gives a site that nobody has, or whose program is dead, to the program `$1`.
pub(super) const TAKE_SITE: &str = concat!(
    "UPDATE sites SET crawler = $1 WHERE site = (
        SELECT site FROM sites WHERE NOT is_done AND (crawler IS NULL OR crawler = $1
            OR NOT EXISTS (SELECT FROM crawlers WHERE crawlers.id = sites.crawler AND ",
    alive!("$2"),
    ")) ORDER BY crawler IS DISTINCT FROM $1, site LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING site, seeds"
);
pub(super) const SITES_LEFT: &str = "SELECT EXISTS (SELECT FROM sites WHERE NOT is_done)";
pub(super) const FINISH_SITE: &str =
    "UPDATE sites SET is_done = TRUE WHERE site = $1 AND crawler = $2";
pub(super) const LEAVE_SITES: &str =
    "UPDATE sites SET crawler = NULL WHERE crawler = $1 AND NOT is_done";
