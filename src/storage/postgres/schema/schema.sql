-- The schema in PostgreSQL. A new migration stands at the end, since one that has landed never changes.

-- migration 1, oldest 1: migrations
CREATE TABLE magpie_migrations (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  oldest bigint NOT NULL,
  at bigint NOT NULL
);
CREATE TABLE magpie_secrets (name text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);

-- migration 2, oldest 1: access
-- Tables of SQLite for PostgreSQL. `access_version` changes whenever a key changes.
CREATE TABLE access_keys (
  id text COLLATE "C" PRIMARY KEY,
  "user" text COLLATE "C" NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  scopes text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  replaced_by text,
  used_at bigint
);
CREATE TABLE access_version (one bigint PRIMARY KEY CHECK (one = 1), changes bigint NOT NULL);
INSERT INTO access_version VALUES (1, 0);
CREATE TABLE access_networks (
  credential text COLLATE "C" NOT NULL,
  network text COLLATE "C" NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (credential, network)
);
CREATE TABLE access_usage (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  credential text COLLATE "C" NOT NULL,
  "user" text COLLATE "C" NOT NULL,
  operation text NOT NULL,
  outcome text NOT NULL,
  ms bigint NOT NULL,
  address text NOT NULL
);
CREATE INDEX access_usage_by_time ON access_usage (at);
CREATE INDEX access_usage_by_credential ON access_usage (credential, id);
CREATE TABLE access_days (
  credential text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  operation text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (credential, day, operation, outcome)
);
CREATE TABLE access_counts (
  day bigint NOT NULL,
  subject text COLLATE "C" NOT NULL,
  what text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (day, subject, what)
);

-- migration 3, oldest 1: monitors
CREATE TABLE monitors (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  infrastructure text COLLATE "C" NOT NULL,
  state text NOT NULL,
  threshold double precision NOT NULL,
  interval_ms bigint NOT NULL,
  webhook text,
  started_at bigint NOT NULL,
  trouble text,
  probing text NOT NULL DEFAULT '{}',
  UNIQUE (owner, infrastructure)
);
CREATE TABLE monitor_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  infrastructure text COLLATE "C" NOT NULL,
  UNIQUE (owner, infrastructure)
);
CREATE TABLE monitor_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target text COLLATE "C" NOT NULL,
  sort text COLLATE "C" NOT NULL,
  every_ms bigint NOT NULL,
  origin bigint NOT NULL,
  due_at bigint NOT NULL,
  runner text COLLATE "C",
  leased_until bigint,
  UNIQUE (monitor, target, sort)
);
CREATE INDEX monitor_jobs_due ON monitor_jobs (due_at, id) WHERE runner IS NULL;
CREATE INDEX monitor_jobs_leased ON monitor_jobs (leased_until) WHERE runner IS NOT NULL;
CREATE TABLE monitor_results (
  monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target text COLLATE "C" NOT NULL,
  "check" text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  seen_at bigint,
  unseen text,
  trouble text,
  findings text NOT NULL,
  measures text NOT NULL,
  points text NOT NULL,
  suspects text NOT NULL DEFAULT '{}',
  PRIMARY KEY (monitor, target, "check")
);
CREATE TABLE monitor_days (
  monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  looks bigint NOT NULL,
  ups bigint NOT NULL,
  up_ms bigint NOT NULL DEFAULT 0,
  down_ms bigint NOT NULL DEFAULT 0,
  times bytea,
  PRIMARY KEY (monitor, target, day)
);
CREATE TABLE monitor_hours (
  monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target text COLLATE "C" NOT NULL,
  hour bigint NOT NULL,
  looks bigint NOT NULL,
  up_ms bigint NOT NULL,
  down_ms bigint NOT NULL,
  times bytea NOT NULL,
  PRIMARY KEY (monitor, target, hour)
);
CREATE TABLE monitor_incidents (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target text COLLATE "C" NOT NULL,
  from_at bigint NOT NULL,
  to_at bigint,
  why text NOT NULL
);
CREATE UNIQUE INDEX monitor_incidents_open ON monitor_incidents (monitor, target) WHERE to_at IS NULL;
CREATE INDEX monitor_incidents_by_time ON monitor_incidents (monitor, from_at);
CREATE TABLE monitor_pages (
  owner text COLLATE "C" PRIMARY KEY,
  slug text COLLATE "C" NOT NULL UNIQUE,
  title text NOT NULL,
  addresses bigint NOT NULL,
  salt text NOT NULL
);
CREATE TABLE monitor_beats (
  monitor bigint PRIMARY KEY REFERENCES monitors (id) ON DELETE CASCADE,
  hash text COLLATE "C" NOT NULL UNIQUE,
  at bigint,
  failed_at bigint,
  began_at bigint,
  took_ms bigint
);
CREATE TABLE monitor_alerts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  "check" text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  finding text NOT NULL,
  raised_at bigint NOT NULL,
  cleared_at bigint,
  reason text,
  good bigint NOT NULL DEFAULT 0,
  flapping bigint NOT NULL
);
CREATE UNIQUE INDEX monitor_alerts_open ON monitor_alerts (monitor, target, "check", fingerprint)
  WHERE cleared_at IS NULL;
CREATE INDEX monitor_alerts_by_time ON monitor_alerts (monitor, raised_at);
CREATE TABLE monitor_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor bigint REFERENCES monitors (id) ON DELETE CASCADE,
  owner text COLLATE "C" NOT NULL,
  webhook text,
  alert bigint NOT NULL,
  channel text COLLATE "C" NOT NULL,
  place text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  name text NOT NULL,
  notice text NOT NULL,
  made_at bigint NOT NULL,
  attempts bigint NOT NULL DEFAULT 0,
  tried_at bigint,
  next_at bigint NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  trouble text,
  runner text COLLATE "C",
  leased_until bigint
);
CREATE INDEX monitor_messages_due ON monitor_messages (next_at) WHERE state = 'waiting' AND runner IS NULL;
CREATE INDEX monitor_messages_by_place ON monitor_messages (place, next_at)
  WHERE state = 'waiting' AND runner IS NULL;
CREATE INDEX monitor_messages_leased ON monitor_messages (place) WHERE runner IS NOT NULL;
CREATE INDEX monitor_messages_by_line ON monitor_messages (line, id);
CREATE INDEX monitor_messages_waiting_by_line ON monitor_messages (line, id) WHERE state = 'waiting';
CREATE INDEX monitor_messages_by_monitor ON monitor_messages (monitor, state);

-- migration 4, oldest 1: compliance
CREATE TABLE compliance_checks (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  owner text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  name text NOT NULL,
  body bytea NOT NULL
);
CREATE INDEX compliance_checks_by_scope ON compliance_checks (owner, scope, seq);
CREATE TABLE compliance_jobs (
  rowid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  runner text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  beat_at bigint NOT NULL,
  progress text NOT NULL,
  reason text
);
CREATE INDEX compliance_jobs_by_owner ON compliance_jobs (owner, created_at);
CREATE TABLE compliance_attestations (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  standard text COLLATE "C" NOT NULL,
  control text COLLATE "C" NOT NULL,
  body text NOT NULL,
  UNIQUE (owner, scope, standard, control)
);

-- migration 5, oldest 1: scans
CREATE TABLE scans (
  rowid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  repository text COLLATE "C" NOT NULL,
  branch text,
  deep bigint NOT NULL,
  dependencies bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  runner text COLLATE "C" NOT NULL,
  beat_at bigint NOT NULL,
  message text NOT NULL,
  created_at bigint NOT NULL,
  started_at bigint,
  ended_at bigint,
  report text
);
CREATE INDEX scans_by_owner ON scans (owner, created_at);
CREATE INDEX scans_unfinished ON scans (state) WHERE state IN ('queued', 'running');
CREATE TABLE scan_findings (
  scan text COLLATE "C" NOT NULL REFERENCES scans (id) ON DELETE CASCADE,
  ordinal bigint NOT NULL,
  severity bigint NOT NULL,
  finding text NOT NULL,
  PRIMARY KEY (scan, ordinal)
);
CREATE TABLE scan_components (
  scan text COLLATE "C" PRIMARY KEY REFERENCES scans (id) ON DELETE CASCADE,
  components text NOT NULL
);
CREATE TABLE scan_kept (
  owner text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  findings text NOT NULL,
  characters bigint NOT NULL,
  used_at bigint NOT NULL,
  PRIMARY KEY (owner, key)
);
CREATE INDEX scan_kept_by_use ON scan_kept (owner, used_at, characters);

-- migration 6, oldest 1: documents
CREATE TABLE documents (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  kind text NOT NULL DEFAULT 'pdf',
  collection text COLLATE "C" NOT NULL DEFAULT 'default',
  title text NOT NULL,
  author text NOT NULL,
  pages bigint NOT NULL,
  parts bigint NOT NULL,
  bytes bigint NOT NULL,
  blob text COLLATE "C" NOT NULL,
  added_at bigint NOT NULL,
  ready bigint NOT NULL DEFAULT 0,
  indexed bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX documents_by_name ON documents (owner, name) WHERE ready = 1;
CREATE INDEX documents_of_owner ON documents (owner, added_at);
CREATE TABLE document_pages (
  owner text COLLATE "C" NOT NULL,
  document bigint NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  page bigint NOT NULL,
  part bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (owner, document, page)
) PARTITION BY HASH (owner);
PARTITIONS OF document_pages;
CREATE INDEX document_pages_of_document ON document_pages (document, page);
CREATE TABLE blobs (
  name text COLLATE "C" PRIMARY KEY,
  bytes bigint NOT NULL,
  made_at bigint NOT NULL
);
CREATE TABLE blob_pieces (
  name text COLLATE "C" NOT NULL,
  piece bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (name, piece)
);
ALTER TABLE blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE pass_ends (owner text COLLATE "C" PRIMARY KEY, ends bigint NOT NULL);

-- migration 7, oldest 1: search
CREATE TABLE engine_suspensions (
  engine text COLLATE "C" PRIMARY KEY,
  reason text NOT NULL,
  until bigint NOT NULL,
  pause bigint NOT NULL
);
CREATE TABLE crawls (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  options text NOT NULL,
  run bigint NOT NULL,
  started_at bigint NOT NULL,
  finished_at bigint,
  runner text COLLATE "C",
  beat_at bigint,
  stop bigint NOT NULL DEFAULT 0,
  ended_at bigint,
  outcome text,
  UNIQUE (owner, source)
);
CREATE TABLE crawl_addresses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  crawl bigint NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
  url text COLLATE "C" NOT NULL,
  run bigint NOT NULL,
  depth bigint NOT NULL,
  state text NOT NULL,
  etag text,
  modified text,
  digest text COLLATE "C",
  UNIQUE (crawl, url)
);
CREATE INDEX crawl_waiting ON crawl_addresses (crawl, run, state, depth, id);

-- migration 8, oldest 1: pages
-- `terms` are numbers of words, `counts` their frequency, `place` a digest of the URL.
CREATE TABLE page_owners (
  owner text COLLATE "C" PRIMARY KEY,
  pages bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  words bigint NOT NULL DEFAULT 0
);
CREATE SEQUENCE page_ids;
CREATE TABLE pages (
  owner text COLLATE "C" NOT NULL,
  id bigint NOT NULL DEFAULT nextval('page_ids'),
  place bytea NOT NULL,
  url text COLLATE "C" NOT NULL,
  title text NOT NULL,
  read_at bigint NOT NULL,
  first_at bigint NOT NULL,
  bytes bigint NOT NULL,
  length bigint NOT NULL,
  terms bigint[] NOT NULL,
  counts smallint[] NOT NULL,
  text bytea NOT NULL,
  PRIMARY KEY (owner, id),
  UNIQUE (owner, place)
) PARTITION BY HASH (owner);
ALTER TABLE pages ALTER COLUMN text SET STORAGE EXTERNAL;
PARTITIONS OF pages;
CREATE INDEX pages_by_time ON pages (owner, read_at, id);
CREATE INDEX pages_by_term ON pages USING gin (terms) WITH (fastupdate = off);
CREATE SEQUENCE page_version_ids;
CREATE TABLE page_versions (
  owner text COLLATE "C" NOT NULL,
  id bigint NOT NULL DEFAULT nextval('page_version_ids'),
  page bigint NOT NULL,
  title text NOT NULL,
  first_at bigint NOT NULL,
  read_at bigint NOT NULL,
  bytes bigint NOT NULL,
  text bytea NOT NULL,
  PRIMARY KEY (owner, id),
  FOREIGN KEY (owner, page) REFERENCES pages (owner, id) ON DELETE CASCADE
) PARTITION BY HASH (owner);
ALTER TABLE page_versions ALTER COLUMN text SET STORAGE EXTERNAL;
PARTITIONS OF page_versions;
CREATE INDEX page_versions_by_page ON page_versions (owner, page, id);

-- migration 9, oldest 1: knowledge base
-- `kb_words` has numbers computed from owner and word, so one index suffices. `times` is each word's frequency.
CREATE TABLE kb_owners (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  last bigint NOT NULL DEFAULT 0,
  next bigint NOT NULL DEFAULT 1,
  removals bigint NOT NULL DEFAULT 0,
  records bigint NOT NULL DEFAULT 0,
  passages bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  searched bigint NOT NULL DEFAULT 0,
  words bigint NOT NULL DEFAULT 0,
  restores bigint NOT NULL DEFAULT 0,
  trashed bigint NOT NULL DEFAULT 0,
  nonenglish bigint NOT NULL DEFAULT 0,
  asked double precision NOT NULL DEFAULT 0,
  asked_at bigint NOT NULL DEFAULT 0,
  multilingual bigint NOT NULL DEFAULT 0
);
CREATE TABLE kb_entries (
  owner bigint NOT NULL REFERENCES kb_owners (id),
  at bigint NOT NULL,
  updated bigint NOT NULL,
  first bigint NOT NULL,
  passages bigint NOT NULL,
  bytes bigint NOT NULL,
  words bigint NOT NULL,
  title text NOT NULL,
  source text COLLATE "C" NOT NULL,
  tags text COLLATE "C" NOT NULL,
  digest bytea,
  file text COLLATE "C",
  trash bigint NOT NULL DEFAULT 0,
  collection text COLLATE "C" NOT NULL DEFAULT 'default',
  own_key text COLLATE "C" NOT NULL DEFAULT '',
  version_of bigint,
  nonenglish bigint NOT NULL DEFAULT -1,
  PRIMARY KEY (owner, at)
);
CREATE UNIQUE INDEX kb_entries_by_digest ON kb_entries (owner, digest, collection, own_key)
  WHERE digest IS NOT NULL AND trash <= 0;
CREATE UNIQUE INDEX kb_entries_by_key ON kb_entries (owner, collection, own_key)
  WHERE own_key <> '' AND trash <= 0;
CREATE INDEX kb_entries_by_file ON kb_entries (owner, file) WHERE file IS NOT NULL;
CREATE INDEX kb_entries_by_trash ON kb_entries (owner, trash, first, passages, bytes) WHERE trash <> 0;
CREATE INDEX kb_entries_by_collection ON kb_entries (owner, collection, at, trash, passages, bytes, file)
  WHERE collection <> 'default';
CREATE INDEX kb_entries_by_version ON kb_entries (owner, version_of, trash) WHERE version_of IS NOT NULL;
CREATE INDEX kb_entries_unjudged ON kb_entries (owner, at) WHERE nonenglish < 0;
CREATE TABLE kb_passages (
  owner bigint NOT NULL,
  id bigint NOT NULL,
  entry bigint NOT NULL,
  ordinal bigint NOT NULL,
  page bigint,
  words bigint NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (owner, id)
) PARTITION BY HASH (owner);
PARTITIONS OF kb_passages;
CREATE TABLE kb_words (
  owner bigint NOT NULL,
  id bigint NOT NULL,
  length smallint NOT NULL,
  terms bigint[] NOT NULL,
  times smallint[] NOT NULL,
  PRIMARY KEY (owner, id)
) PARTITION BY HASH (owner);
PARTITIONS OF kb_words;
CREATE INDEX kb_words_by_term ON kb_words USING gin (terms) WITH (fastupdate = off);
CREATE TABLE kb_models (
  id bigint PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  used_at bigint NOT NULL,
  all_at bigint NOT NULL DEFAULT 0
);
CREATE TABLE kb_embedded (
  model bigint NOT NULL REFERENCES kb_models (id) ON DELETE CASCADE,
  owner bigint NOT NULL REFERENCES kb_owners (id),
  below bigint NOT NULL,
  PRIMARY KEY (model, owner)
);
CREATE TABLE kb_vectors (
  owner bigint NOT NULL,
  id bigint NOT NULL,
  vector bytea NOT NULL,
  PRIMARY KEY (owner, id)
) PARTITION BY HASH (owner);
ALTER TABLE kb_vectors ALTER COLUMN vector SET STORAGE PLAIN;
PARTITIONS OF kb_vectors;
CREATE TABLE kb_changes (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  writer bigint NOT NULL,
  owner bigint NOT NULL,
  what text NOT NULL,
  tx xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX kb_changes_by_tx ON kb_changes (tx, seq);
CREATE TABLE kb_folders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  synced_at bigint,
  UNIQUE (owner, path)
);
CREATE TABLE kb_folder_files (
  folder bigint NOT NULL REFERENCES kb_folders (id) ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  stamp text NOT NULL,
  digest text COLLATE "C" NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (folder, path)
);

-- migration 10, oldest 1: sessions
CREATE TABLE mcp_sessions (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  credential text COLLATE "C",
  expires_at bigint,
  initialize text NOT NULL,
  used_at bigint NOT NULL
);
CREATE INDEX mcp_sessions_by_owner ON mcp_sessions (owner, used_at);
CREATE INDEX mcp_sessions_by_use ON mcp_sessions (used_at);
CREATE TABLE mcp_subscriptions (
  session text COLLATE "C" NOT NULL REFERENCES mcp_sessions (id) ON DELETE CASCADE,
  uri text COLLATE "C" NOT NULL,
  PRIMARY KEY (session, uri)
);
CREATE TABLE mcp_answers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session text COLLATE "C" NOT NULL REFERENCES mcp_sessions (id) ON DELETE CASCADE,
  node text COLLATE "C" NOT NULL,
  message text NOT NULL
);
CREATE INDEX mcp_answers_by_session ON mcp_answers (session, node);

-- migration 11, oldest 1: vectors that the database compares
-- Stores vectors as pgvector's `halfvec`, also from older nodes. `kb_half` reads IEEE 754 floats.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE kb_halfvecs (
  owner bigint NOT NULL,
  id bigint NOT NULL,
  vector halfvec NOT NULL,
  PRIMARY KEY (owner, id)
) PARTITION BY HASH (owner);
ALTER TABLE kb_halfvecs ALTER COLUMN vector SET STORAGE MAIN;
PARTITIONS OF kb_halfvecs;
CREATE FUNCTION kb_half(bytes bytea) RETURNS halfvec LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CAST(array_agg(CAST(
    CASE WHEN bits >= 32768 THEN -1 ELSE 1 END
    * CASE WHEN (bits >> 10) & 31 = 0 THEN (bits & 1023) * 2 ^ -24
      ELSE (1 + (bits & 1023) / 1024.0) * 2 ^ (((bits >> 10) & 31) - 15) END AS real) ORDER BY at) AS halfvec)
  FROM (SELECT at, get_byte(bytes, 2 * at) + 256 * get_byte(bytes, 2 * at + 1) AS bits
    FROM generate_series(0, length(bytes) / 2 - 1) AS at) AS halves
$$;
CREATE FUNCTION kb_move_vector() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO kb_halfvecs (owner, id, vector) VALUES (NEW.owner, NEW.id, kb_half(NEW.vector))
    ON CONFLICT (owner, id) DO UPDATE SET vector = excluded.vector;
    RETURN NULL;
  END
$$;
CREATE TRIGGER kb_vectors_move BEFORE INSERT ON kb_vectors FOR EACH ROW EXECUTE FUNCTION kb_move_vector();
INSERT INTO kb_halfvecs (owner, id, vector) SELECT owner, id, kb_half(vector) FROM kb_vectors;
DELETE FROM kb_vectors;

-- migration 12, oldest 1: node mail
-- Messages for an ended node are deleted by age.
CREATE UNLOGGED TABLE mcp_nodes (node text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
ALTER TABLE mcp_answers ADD COLUMN at bigint NOT NULL DEFAULT CAST(extract(epoch FROM now()) * 1000 AS bigint);
CREATE INDEX mcp_answers_by_node ON mcp_answers (node, id);

-- migration 13, oldest 1: rates
-- `full_at` is when the full quota is available again (ms since 1970).
CREATE UNLOGGED TABLE access_rates (
  subject text COLLATE "C" PRIMARY KEY,
  full_at double precision NOT NULL
) WITH (fillfactor = 50);

-- migration 14, oldest 1: jobs
ALTER TABLE scans ADD COLUMN terms text;
DO $$ BEGIN
  IF to_regnamespace('magpie_jobs') IS NULL THEN CREATE SCHEMA magpie_jobs; END IF;
END $$;

-- migration 15, oldest 1: nearest vectors by an index
-- PostgreSQL uses a partial index only for literals, so a function writes the query. The first SELECT loads pgvector.
SELECT CAST('[1]' AS vector);
CREATE FUNCTION kb_near_sql(owner bigint, first bigint, dimensions integer, by_graph boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($sql$
    SELECT array_agg(place ORDER BY score DESC, place DESC), array_agg(score ORDER BY score DESC, place DESC) FROM (
      SELECT id - %2$s AS place, -(vector <#> $1) AS score FROM kb_halfvecs
      WHERE owner = %1$s AND id >= %2$s AND id < %3$s AND vector_dims(vector) = %4$s
        AND ($2 IS NULL OR id - %2$s >= 8 * octet_length($2) OR get_bit($2, id - %2$s) = 0)
        AND ($3 IS NULL OR id - %2$s < 8 * octet_length($3) AND get_bit($3, id - %2$s) = 1)
        AND ($4 IS NULL OR NOT $4 @> (id - %2$s))
      ORDER BY %5$s LIMIT $5
    ) AS near $sql$,
    owner, first, first + (CAST(1 AS bigint) << 31), dimensions,
    CASE WHEN by_graph THEN format('CAST(vector AS halfvec(%1$s)) <#> CAST($1 AS halfvec(%1$s))', dimensions)
      ELSE 'vector <#> $1, id DESC' END)
$$;
CREATE FUNCTION kb_near(owner bigint, first bigint, dimensions integer, question halfvec, trashed bytea, within bytea,
  hidden int8multirange, most bigint) RETURNS TABLE (place bigint, score double precision) LANGUAGE plpgsql STABLE ROWS 100
SET hnsw.iterative_scan = 'relaxed_order' SET hnsw.ef_search = 200 SET hnsw.max_scan_tuples = 20000
AS $$
  DECLARE
    places bigint[];
    scores double precision[];
  BEGIN
    EXECUTE kb_near_sql(owner, first, dimensions, true) INTO places, scores USING question, trashed, within, hidden, most;
    IF coalesce(cardinality(places), 0) < most THEN
      EXECUTE kb_near_sql(owner, first, dimensions, false) INTO places, scores USING question, trashed, within, hidden, most;
    END IF;
    RETURN QUERY SELECT * FROM unnest(places, scores);
  END
$$;

-- migration 16, oldest 1: events
CREATE UNIQUE INDEX mcp_sessions_of_owner ON mcp_sessions (owner, id);
CREATE TABLE mcp_events (
  owner text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  message text NOT NULL,
  ends smallint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (owner, session, stream, number),
  FOREIGN KEY (owner, session) REFERENCES mcp_sessions (owner, id) ON DELETE CASCADE
);
CREATE INDEX mcp_events_by_age ON mcp_events (at);

-- migration 17, oldest 1: compliance terms
ALTER TABLE compliance_jobs ADD COLUMN terms text

-- migration 18, oldest 1: crawl jobs
-- A row exists until its crawl ends. `terms` are facts about the caller.
CREATE TABLE crawl_jobs (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  depth bigint NOT NULL,
  terms text NOT NULL,
  created_at bigint NOT NULL,
  runner text COLLATE "C",
  opened_at bigint,
  ended_at bigint,
  failure text
);
CREATE UNIQUE INDEX crawl_jobs_open ON crawl_jobs (owner, source) WHERE ended_at IS NULL;
CREATE INDEX crawl_jobs_ended ON crawl_jobs (ended_at) WHERE ended_at IS NOT NULL;

-- migration 19, oldest 1: forms of the words of the knowledge base
ALTER TABLE kb_owners ADD COLUMN form bigint NOT NULL DEFAULT 0, ADD COLUMN reformed bigint NOT NULL DEFAULT 1;
CREATE INDEX kb_owners_by_form ON kb_owners (form);

-- migration 20, oldest 1: forms of the words of pages
ALTER TABLE pages ADD COLUMN form bigint NOT NULL DEFAULT 0;
CREATE INDEX pages_by_form ON pages (owner, id) WHERE form < 1;

-- migration 21, oldest 1: ends of what texts say
-- When the text ceases to hold, in microseconds since 1970. 0 if that is not known.
ALTER TABLE kb_entries ADD COLUMN valid_until bigint NOT NULL DEFAULT 0;

-- migration 22, oldest 1: apps that users signed in to
-- A grant ends when it is deleted, and its tokens with it. A token's text is not stored, only its hash.
CREATE TABLE access_grants (
  id text COLLATE "C" PRIMARY KEY,
  "user" text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  scopes text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX access_grants_by_user ON access_grants ("user", used_at);
CREATE INDEX access_grants_by_end ON access_grants (expires_at);
CREATE TABLE access_tokens (
  hash text COLLATE "C" PRIMARY KEY,
  grant_id text COLLATE "C" NOT NULL REFERENCES access_grants (id) ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id, kind, expires_at);
CREATE INDEX access_tokens_by_end ON access_tokens (expires_at);

-- migration 23, oldest 1: watched pages
-- State of a watched page, as JSON: what was there, and which changes are not sure yet.
ALTER TABLE monitor_results ADD COLUMN watched text;

-- migration 24, oldest 1: tasks of MCP clients
-- State of a slow tool call, as JSON: its status, progress, questions and result.
CREATE TABLE mcp_tasks (
  owner text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL,
  task text NOT NULL,
  PRIMARY KEY (owner, id)
);
CREATE INDEX mcp_tasks_by_end ON mcp_tasks (expires_at);
