-- The schema in SQLite. A new migration stands at the end, since one that has landed never changes.

-- migration 1: pages
CREATE TABLE pages (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  UNIQUE (owner, url)
) STRICT;
CREATE INDEX pages_by_time ON pages (owner, read_at, id);
CREATE VIRTUAL TABLE pages_fts USING fts5 (
  owner, title, text,
  content = '', contentless_delete = 1,
  tokenize = 'porter unicode61 remove_diacritics 2'
);

-- migration 2: pages by owner
-- Stores terms per owner. Otherwise, ranking and duration of a search would reveal other users' pages.
DROP TABLE pages_fts;
DROP TABLE pages;
CREATE TABLE page_owners (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  pages INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER NOT NULL REFERENCES page_owners (id),
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (owner, url)
) STRICT;
CREATE INDEX pages_by_time ON pages (owner, read_at, id);
CREATE VIRTUAL TABLE pages_fts USING fts5 (
  title, text,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co' tokenchars '_'"
);
CREATE TRIGGER pages_added AFTER INSERT ON pages BEGIN
  UPDATE page_owners SET pages = pages + 1 WHERE id = new.owner;
END;
CREATE TRIGGER pages_gone AFTER DELETE ON pages BEGIN
  DELETE FROM pages_fts WHERE rowid = old.id;
  UPDATE page_owners SET pages = pages - 1 WHERE id = old.owner;
END;

-- migration 3: engine suspensions
CREATE TABLE engine_suspensions (
  engine TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  until INTEGER NOT NULL,
  pause INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- migration 4: packed pages and crawls
DROP TABLE pages_fts;
DROP TABLE pages;
DELETE FROM page_owners;
ALTER TABLE page_owners ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE TABLE pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER NOT NULL REFERENCES page_owners (id),
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  text BLOB NOT NULL,
  UNIQUE (owner, url)
) STRICT;
CREATE INDEX pages_by_time ON pages (owner, read_at, id);
CREATE VIRTUAL TABLE pages_fts USING fts5 (
  title, text,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co' tokenchars '_'"
);
CREATE TRIGGER pages_added AFTER INSERT ON pages BEGIN
  UPDATE page_owners SET pages = pages + 1, bytes = bytes + new.bytes WHERE id = new.owner;
END;
CREATE TRIGGER pages_gone AFTER DELETE ON pages BEGIN
  DELETE FROM pages_fts WHERE rowid = old.id;
  UPDATE page_owners SET pages = pages - 1, bytes = bytes - old.bytes WHERE id = old.owner;
END;
CREATE TABLE crawls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  options TEXT NOT NULL,
  run INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  UNIQUE (owner, source)
) STRICT;
CREATE TABLE crawl_addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  crawl INTEGER NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  run INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  state TEXT NOT NULL,
  etag TEXT,
  modified TEXT,
  digest TEXT,
  UNIQUE (crawl, url)
) STRICT;
CREATE INDEX crawl_waiting ON crawl_addresses (crawl, run, state, depth, id);

-- migration 5: knowledge base
-- Keys: passages (owner << 31) + number, vectors (model << 55) + passage, words (owner << 39) + (number << 8) + length.
CREATE TABLE kb_owners (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  last INTEGER NOT NULL DEFAULT 0,
  next INTEGER NOT NULL DEFAULT 1,
  removals INTEGER NOT NULL DEFAULT 0,
  records INTEGER NOT NULL DEFAULT 0,
  passages INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  searched INTEGER NOT NULL DEFAULT 0,
  words INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE kb_entries (
  owner INTEGER NOT NULL REFERENCES kb_owners (id),
  at INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  first INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  words INTEGER NOT NULL,
  title TEXT NOT NULL,
  source TEXT NOT NULL,
  tags TEXT NOT NULL,
  digest BLOB,
  file TEXT,
  PRIMARY KEY (owner, at)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX kb_entries_by_digest ON kb_entries (owner, digest) WHERE digest IS NOT NULL;
CREATE INDEX kb_entries_by_file ON kb_entries (owner, file) WHERE file IS NOT NULL;
CREATE TABLE kb_passages (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  page INTEGER,
  words INTEGER NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE kb_models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  used_at INTEGER NOT NULL
) STRICT;
CREATE TABLE kb_embedded (
  model INTEGER NOT NULL REFERENCES kb_models (id) ON DELETE CASCADE,
  owner INTEGER NOT NULL REFERENCES kb_owners (id),
  below INTEGER NOT NULL,
  PRIMARY KEY (model, owner)
) STRICT, WITHOUT ROWID;
CREATE TABLE kb_vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE kb_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE kb_postings USING fts5vocab (kb_words, instance);

-- migration 6: documents
-- Tables of uploaded files. `ready` is set when a file is complete, and `indexed` when its passages can be found.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  pages INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  blob TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  ready INTEGER NOT NULL DEFAULT 0,
  indexed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX documents_by_name ON documents (owner, name) WHERE ready = 1;
CREATE TABLE document_pages (
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  page INTEGER NOT NULL,
  part INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (document, page)
) STRICT;

-- migration 7: access
-- Tables of access keys and of counts for limits. Keys are never deleted, because a server without keys is open.
CREATE TABLE access_keys (
  id TEXT PRIMARY KEY,
  user TEXT NOT NULL,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  replaced_by TEXT,
  used_at INTEGER
) STRICT;
CREATE TABLE access_networks (
  credential TEXT NOT NULL,
  network TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (credential, network)
) STRICT, WITHOUT ROWID;
CREATE TABLE access_usage (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  credential TEXT NOT NULL,
  user TEXT NOT NULL,
  operation TEXT NOT NULL,
  outcome TEXT NOT NULL,
  ms INTEGER NOT NULL,
  address TEXT NOT NULL
) STRICT;
CREATE INDEX access_usage_by_time ON access_usage (at);
CREATE TABLE access_days (
  credential TEXT NOT NULL,
  day INTEGER NOT NULL,
  operation TEXT NOT NULL,
  outcome TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (credential, day, operation, outcome)
) STRICT, WITHOUT ROWID;
CREATE TABLE access_counts (
  day INTEGER NOT NULL,
  subject TEXT NOT NULL,
  what TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, subject, what)
) STRICT, WITHOUT ROWID;

-- migration 8: changes of the knowledge base
-- `file` is '' until an uploaded file is visible, and ' ' during its removal.
CREATE TABLE kb_changes (
  seq INTEGER PRIMARY KEY,
  writer INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  what TEXT NOT NULL
) STRICT;
UPDATE kb_entries SET file = '' WHERE digest IS NULL AND file IS NULL;

-- migration 9: scans
-- `runner` updates `beat_at` as a heartbeat. `scan_kept` caches results per owner.
CREATE TABLE scans (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  repository TEXT NOT NULL,
  branch TEXT,
  deep INTEGER NOT NULL,
  dependencies INTEGER NOT NULL,
  state TEXT NOT NULL,
  runner TEXT NOT NULL,
  beat_at INTEGER NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  report TEXT
) STRICT;
CREATE INDEX scans_by_owner ON scans (owner, created_at);
CREATE INDEX scans_unfinished ON scans (state) WHERE state IN ('queued', 'running');
CREATE TABLE scan_findings (
  scan TEXT NOT NULL REFERENCES scans (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  severity INTEGER NOT NULL,
  finding TEXT NOT NULL,
  PRIMARY KEY (scan, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE scan_components (
  scan TEXT PRIMARY KEY REFERENCES scans (id) ON DELETE CASCADE,
  components TEXT NOT NULL
) STRICT;
CREATE TABLE scan_kept (
  owner TEXT NOT NULL,
  key TEXT NOT NULL,
  findings TEXT NOT NULL,
  characters INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX scan_kept_by_use ON scan_kept (owner, used_at, characters);

-- migration 10: ended passes
CREATE TABLE pass_ends (owner TEXT PRIMARY KEY, ends INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- migration 11: monitors
-- A job belongs to `runner` until `leased_until` or until the process ends.
CREATE TABLE monitors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  infrastructure TEXT NOT NULL,
  state TEXT NOT NULL,
  threshold REAL NOT NULL,
  interval_ms INTEGER NOT NULL,
  webhook TEXT,
  started_at INTEGER NOT NULL,
  trouble TEXT,
  changed INTEGER NOT NULL,
  UNIQUE (owner, infrastructure)
) STRICT;
CREATE INDEX monitors_by_change ON monitors (changed);
CREATE TABLE monitor_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target TEXT NOT NULL,
  sort TEXT NOT NULL,
  every_ms INTEGER NOT NULL,
  origin INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  runner TEXT,
  leased_until INTEGER,
  UNIQUE (monitor, target, sort)
) STRICT;
CREATE INDEX monitor_jobs_due ON monitor_jobs (due_at) WHERE runner IS NULL;
CREATE INDEX monitor_jobs_leased ON monitor_jobs (leased_until) WHERE runner IS NOT NULL;
CREATE TABLE monitor_results (
  monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target TEXT NOT NULL,
  "check" TEXT NOT NULL,
  at INTEGER NOT NULL,
  trouble TEXT,
  findings TEXT NOT NULL,
  measures TEXT NOT NULL,
  points TEXT NOT NULL,
  PRIMARY KEY (monitor, target, "check")
) STRICT, WITHOUT ROWID;
CREATE TABLE monitor_days (
  monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target TEXT NOT NULL,
  day INTEGER NOT NULL,
  looks INTEGER NOT NULL,
  ups INTEGER NOT NULL,
  PRIMARY KEY (monitor, target, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE monitor_alerts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  "check" TEXT NOT NULL,
  target TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  finding TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  cleared_at INTEGER,
  good INTEGER NOT NULL DEFAULT 0,
  flapping INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX monitor_alerts_open ON monitor_alerts (monitor, target, "check", fingerprint)
  WHERE cleared_at IS NULL;
CREATE INDEX monitor_alerts_by_time ON monitor_alerts (monitor, raised_at);
CREATE TABLE monitor_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  channel TEXT NOT NULL,
  name TEXT NOT NULL,
  notice TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  trouble TEXT,
  runner TEXT,
  leased_until INTEGER
) STRICT;
CREATE INDEX monitor_messages_due ON monitor_messages (next_at) WHERE state = 'waiting' AND runner IS NULL;
CREATE INDEX monitor_messages_by_monitor ON monitor_messages (monitor, state);

-- migration 12: compliance
-- Tables of compliance checks. `body` has the results as gzipped JSON. Times are in milliseconds.
CREATE TABLE compliance_checks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  name TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE INDEX compliance_checks_by_scope ON compliance_checks (owner, scope, seq);

-- migration 13: what monitors saw
ALTER TABLE monitor_results ADD COLUMN seen_at INTEGER;
ALTER TABLE monitor_results ADD COLUMN unseen TEXT;

-- migration 14: order of notifications
CREATE TABLE monitor_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  infrastructure TEXT NOT NULL,
  UNIQUE (owner, infrastructure)
) STRICT;
INSERT INTO monitor_changes (owner, infrastructure) SELECT owner, infrastructure FROM monitors ORDER BY changed;
DROP INDEX monitors_by_change;
ALTER TABLE monitors DROP COLUMN changed;
ALTER TABLE monitor_alerts ADD COLUMN reason TEXT;
CREATE TABLE ordered_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  monitor INTEGER REFERENCES monitors (id) ON DELETE CASCADE,
  owner TEXT NOT NULL,
  webhook TEXT,
  alert INTEGER NOT NULL,
  channel TEXT NOT NULL,
  place TEXT NOT NULL,
  line TEXT NOT NULL,
  name TEXT NOT NULL,
  notice TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  tried_at INTEGER,
  next_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  trouble TEXT,
  runner TEXT,
  leased_until INTEGER
) STRICT;
INSERT INTO ordered_messages
  SELECT m.id, m.monitor, o.owner, NULL, m.notice ->> '$.alert.id', m.channel,
    iif(m.channel = 'own', 'own ' || o.owner, m.channel),
    m.monitor || ' ' || m.channel || ' ' || (m.notice ->> '$.alert.finding.fingerprint'),
    m.name, m.notice, m.made_at, m.attempts, NULL, m.next_at, m.state, m.trouble, NULL, NULL
  FROM monitor_messages m JOIN monitors o ON o.id = m.monitor;
DROP TABLE monitor_messages;
ALTER TABLE ordered_messages RENAME TO monitor_messages;
CREATE INDEX monitor_messages_due ON monitor_messages (next_at) WHERE state = 'waiting' AND runner IS NULL;
CREATE INDEX monitor_messages_by_place ON monitor_messages (place, next_at)
  WHERE state = 'waiting' AND runner IS NULL;
CREATE INDEX monitor_messages_leased ON monitor_messages (place) WHERE runner IS NOT NULL;
CREATE INDEX monitor_messages_by_line ON monitor_messages (line, id);
CREATE INDEX monitor_messages_by_monitor ON monitor_messages (monitor, state);

-- migration 15: compliance in the background
CREATE TABLE compliance_jobs (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  scope TEXT NOT NULL,
  runner TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  beat_at INTEGER NOT NULL,
  progress TEXT NOT NULL,
  reason TEXT
) STRICT;
CREATE INDEX compliance_jobs_by_owner ON compliance_jobs (owner, created_at);

-- migration 16: trash of the knowledge base
-- `trash`: 0 outside the trash, 1 during the removal, -1 after a restore, else the time of removal (microseconds).
ALTER TABLE kb_entries ADD COLUMN trash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kb_owners ADD COLUMN restores INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kb_owners ADD COLUMN trashed INTEGER NOT NULL DEFAULT 0;
DROP INDEX kb_entries_by_digest;
CREATE UNIQUE INDEX kb_entries_by_digest ON kb_entries (owner, digest) WHERE digest IS NOT NULL AND trash <= 0;
CREATE INDEX kb_entries_by_trash ON kb_entries (owner, trash, first, passages, bytes) WHERE trash <> 0;

-- migration 17: removals without a merge
-- A merge of the FTS5 index needs space that a full disk does not have.
INSERT INTO kb_words (kb_words, rank) VALUES ('deletemerge', 0);

-- migration 18: collections and keys of the knowledge base
-- `version_of` marks an earlier text of an entry by the entry's time.
ALTER TABLE kb_entries ADD COLUMN collection TEXT NOT NULL DEFAULT 'default';
ALTER TABLE kb_entries ADD COLUMN own_key TEXT NOT NULL DEFAULT '';
ALTER TABLE kb_entries ADD COLUMN version_of INTEGER;
DROP INDEX kb_entries_by_digest;
CREATE UNIQUE INDEX kb_entries_by_digest ON kb_entries (owner, digest, collection, own_key)
  WHERE digest IS NOT NULL AND trash <= 0;
CREATE UNIQUE INDEX kb_entries_by_key ON kb_entries (owner, collection, own_key)
  WHERE own_key <> '' AND trash <= 0;
CREATE INDEX kb_entries_by_collection ON kb_entries (owner, collection, at, trash, passages, bytes)
  WHERE collection <> 'default';
CREATE INDEX kb_entries_by_version ON kb_entries (owner, version_of, trash) WHERE version_of IS NOT NULL;

-- migration 19: languages of the knowledge base
-- `nonenglish` counts passages (-1: unknown), `asked` weighs questions at `asked_at` (microseconds).
ALTER TABLE kb_entries ADD COLUMN nonenglish INTEGER NOT NULL DEFAULT -1;
CREATE INDEX kb_entries_unjudged ON kb_entries (owner, at) WHERE nonenglish < 0;
ALTER TABLE kb_owners ADD COLUMN nonenglish INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kb_owners ADD COLUMN asked REAL NOT NULL DEFAULT 0;
ALTER TABLE kb_owners ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kb_owners ADD COLUMN multilingual INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kb_models ADD COLUMN all_at INTEGER NOT NULL DEFAULT 0;

-- migration 20: kinds of uploaded files
ALTER TABLE documents ADD COLUMN kind TEXT NOT NULL DEFAULT 'pdf';

-- migration 21: folders in step with the knowledge base
CREATE TABLE kb_folders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  path TEXT NOT NULL,
  collection TEXT NOT NULL,
  synced_at INTEGER,
  UNIQUE (owner, path)
) STRICT;
CREATE TABLE kb_folder_files (
  folder INTEGER NOT NULL REFERENCES kb_folders (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  stamp TEXT NOT NULL,
  digest TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (folder, path)
) STRICT, WITHOUT ROWID;

-- migration 22: earlier versions of pages
-- `first_at` is when this text was first read (null: unknown).
ALTER TABLE pages ADD COLUMN first_at INTEGER;
CREATE TABLE page_versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  page INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  title TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  read_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  text BLOB NOT NULL
) STRICT;
CREATE INDEX page_versions_by_page ON page_versions (page);
CREATE INDEX page_versions_by_owner ON page_versions (owner, id, bytes);
CREATE TRIGGER page_versions_gone AFTER DELETE ON pages BEGIN
  DELETE FROM page_versions WHERE page = old.id;
END;

-- migration 23: collections of uploaded files
ALTER TABLE documents ADD COLUMN collection TEXT NOT NULL DEFAULT 'default';
DROP INDEX kb_entries_by_collection;
CREATE INDEX kb_entries_by_collection ON kb_entries (owner, collection, at, trash, passages, bytes, file)
  WHERE collection <> 'default';

-- migration 24: runs of crawls
ALTER TABLE crawls ADD COLUMN runner TEXT;
ALTER TABLE crawls ADD COLUMN beat_at INTEGER;
ALTER TABLE crawls ADD COLUMN stop INTEGER NOT NULL DEFAULT 0;
ALTER TABLE crawls ADD COLUMN ended_at INTEGER;
ALTER TABLE crawls ADD COLUMN outcome TEXT;

-- migration 25: what probes of monitors decide
-- Adds what a monitor's probes expect, as JSON, and to each result the problems that are not yet confirmed.
ALTER TABLE monitors ADD COLUMN probing TEXT NOT NULL DEFAULT '{}';
ALTER TABLE monitor_results ADD COLUMN suspects TEXT NOT NULL DEFAULT '{}';

-- migration 26: compliance attestations
CREATE TABLE compliance_attestations (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  scope TEXT NOT NULL,
  standard TEXT NOT NULL,
  control TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (owner, scope, standard, control)
) STRICT;

-- migration 27: history of monitors
-- Adds totals per hour and day: milliseconds of uptime and of downtime, and response times in buckets.
ALTER TABLE monitor_days ADD COLUMN up_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE monitor_days ADD COLUMN down_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE monitor_days ADD COLUMN times BLOB;
UPDATE monitor_days SET
  up_ms = ups * (SELECT interval_ms FROM monitors WHERE id = monitor),
  down_ms = (looks - ups) * (SELECT interval_ms FROM monitors WHERE id = monitor);
CREATE TABLE monitor_hours (
  monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target TEXT NOT NULL,
  hour INTEGER NOT NULL,
  looks INTEGER NOT NULL,
  up_ms INTEGER NOT NULL,
  down_ms INTEGER NOT NULL,
  times BLOB NOT NULL,
  PRIMARY KEY (monitor, target, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE monitor_incidents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  target TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  to_at INTEGER,
  why TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX monitor_incidents_open ON monitor_incidents (monitor, target) WHERE to_at IS NULL;
CREATE INDEX monitor_incidents_by_time ON monitor_incidents (monitor, from_at);

-- migration 28: status pages
CREATE TABLE monitor_pages (
  owner TEXT PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  addresses INTEGER NOT NULL,
  salt TEXT NOT NULL
) STRICT;

-- migration 29: heartbeats of monitors
CREATE TABLE monitor_beats (
  monitor INTEGER PRIMARY KEY REFERENCES monitors (id) ON DELETE CASCADE,
  hash TEXT NOT NULL UNIQUE,
  at INTEGER
) STRICT;

-- migration 30: signals of jobs
ALTER TABLE monitor_beats ADD COLUMN failed_at INTEGER;
ALTER TABLE monitor_beats ADD COLUMN began_at INTEGER;
ALTER TABLE monitor_beats ADD COLUMN took_ms INTEGER;

-- migration 31: scan terms
-- Input with which another process can run a scan. Null if only `runner` can run it.
ALTER TABLE scans ADD COLUMN terms TEXT

-- migration 32: compliance terms
-- Input with which another process can run a check. Null if only `runner` can run it.
ALTER TABLE compliance_jobs ADD COLUMN terms TEXT

-- migration 33: forms of the words of the knowledge base
-- `form` is the form of an owner's words. Passages from number `reformed` on are to be renewed.
ALTER TABLE kb_owners ADD COLUMN form INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kb_owners ADD COLUMN reformed INTEGER NOT NULL DEFAULT 1;
CREATE INDEX kb_owners_by_form ON kb_owners (form);

-- migration 34: forms of the words of pages
-- `form` is the form of a page's words. The index finds pages to renew.
ALTER TABLE pages ADD COLUMN form INTEGER NOT NULL DEFAULT 0;
CREATE INDEX pages_by_form ON pages (id) WHERE form < 1;

-- migration 35: ends of what texts say
-- When the text ceases to hold, in microseconds since 1970. 0 if that is not known.
ALTER TABLE kb_entries ADD COLUMN valid_until INTEGER NOT NULL DEFAULT 0;

-- migration 36: apps that users signed in to
-- A grant ends when it is deleted, and its tokens with it. A token's text is not stored, only its hash.
CREATE TABLE access_grants (
  id TEXT PRIMARY KEY,
  user TEXT NOT NULL,
  key_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX access_grants_by_user ON access_grants (user, used_at);
CREATE INDEX access_grants_by_end ON access_grants (expires_at);
CREATE TABLE access_tokens (
  hash TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES access_grants (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id, kind, expires_at);
CREATE INDEX access_tokens_by_end ON access_tokens (expires_at);

-- migration 37: watched pages
-- State of a watched page, as JSON: what was there, and which changes are not sure yet.
ALTER TABLE monitor_results ADD COLUMN watched TEXT;

-- migration 38: tasks of MCP clients
-- State of a slow tool call, as JSON: its status, progress, questions and result.
CREATE TABLE mcp_tasks (
  owner TEXT NOT NULL,
  id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  task TEXT NOT NULL,
  PRIMARY KEY (owner, id)
) STRICT;
CREATE INDEX mcp_tasks_by_end ON mcp_tasks (expires_at);
