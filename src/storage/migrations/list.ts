import { ACCESS } from './access.ts';
import { COMPLIANCE, COMPLIANCE_JOBS } from './compliance.ts';
import { DOCUMENT_COLLECTIONS, DOCUMENT_KINDS, DOCUMENTS, PASS_ENDS } from './documents.ts';
import {
  KNOWLEDGE_BASE,
  KNOWLEDGE_CHANGES,
  KNOWLEDGE_COLLECTIONS,
  KNOWLEDGE_LANGUAGES,
  KNOWLEDGE_REMOVALS,
  KNOWLEDGE_TRASH,
} from './knowledge.ts';
import { KNOWLEDGE_FOLDERS } from './knowledge-folders.ts';
import type { Migration } from './migration.ts';
import { MONITOR_LINES, MONITOR_PROBING, MONITOR_SIGHT, MONITORS } from './monitor.ts';
import { CRAWL_RUNS, CRAWLS, ENGINE_SUSPENSIONS, PAGE_VERSIONS, PAGES, PAGES_BY_OWNER } from './search.ts';
import { SCANS } from './security.ts';

/** Every step, in order; a step that has landed is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  PAGES,
  PAGES_BY_OWNER,
  ENGINE_SUSPENSIONS,
  CRAWLS,
  KNOWLEDGE_BASE,
  DOCUMENTS,
  ACCESS,
  KNOWLEDGE_CHANGES,
  SCANS,
  PASS_ENDS,
  MONITORS,
  COMPLIANCE,
  MONITOR_SIGHT,
  MONITOR_LINES,
  COMPLIANCE_JOBS,
  KNOWLEDGE_TRASH,
  KNOWLEDGE_REMOVALS,
  KNOWLEDGE_COLLECTIONS,
  KNOWLEDGE_LANGUAGES,
  DOCUMENT_KINDS,
  KNOWLEDGE_FOLDERS,
  PAGE_VERSIONS,
  DOCUMENT_COLLECTIONS,
  CRAWL_RUNS,
  MONITOR_PROBING,
];
