import { POSTGRES_ACCESS } from './access.ts';
import { POSTGRES_COMPLIANCE } from './compliance.ts';
import { POSTGRES_DOCUMENTS } from './documents.ts';
import { POSTGRES_EVENTS } from './events.ts';
import { POSTGRES_GRAPHS } from './graphs.ts';
import { POSTGRES_HALFVECS } from './halfvecs.ts';
import { POSTGRES_CHECK_TERMS, POSTGRES_JOBS } from './jobs.ts';
import { POSTGRES_KNOWLEDGE, POSTGRES_WORD_FORMS } from './knowledge.ts';
import type { PostgresMigration } from './migration.ts';
import { POSTGRES_MONITORS } from './monitor.ts';
import { POSTGRES_NODE_MAIL } from './node-mail.ts';
import { POSTGRES_RATES } from './rates.ts';
import { POSTGRES_CRAWL_JOBS, POSTGRES_PAGE_WORD_FORMS, POSTGRES_PAGES, POSTGRES_SEARCH } from './search.ts';
import { POSTGRES_SCANS } from './security.ts';
import { POSTGRES_SESSIONS } from './sessions.ts';

const FIRST: PostgresMigration = {
  id: 1,
  name: 'migrations',
  oldest: 1,
  sql: `
    CREATE TABLE magpie_migrations (
      id bigint PRIMARY KEY,
      name text NOT NULL,
      oldest bigint NOT NULL,
      at bigint NOT NULL
    );
    CREATE TABLE magpie_secrets (name text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);
  `,
};

export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [
  FIRST,
  POSTGRES_ACCESS,
  POSTGRES_MONITORS,
  POSTGRES_COMPLIANCE,
  POSTGRES_SCANS,
  POSTGRES_DOCUMENTS,
  POSTGRES_SEARCH,
  POSTGRES_PAGES,
  POSTGRES_KNOWLEDGE,
  POSTGRES_SESSIONS,
  POSTGRES_HALFVECS,
  POSTGRES_NODE_MAIL,
  POSTGRES_RATES,
  POSTGRES_JOBS,
  POSTGRES_GRAPHS,
  POSTGRES_EVENTS,
  POSTGRES_CHECK_TERMS,
  POSTGRES_CRAWL_JOBS,
  POSTGRES_WORD_FORMS,
  POSTGRES_PAGE_WORD_FORMS,
];
