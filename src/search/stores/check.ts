import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { TaskControl } from '../../storage/salvage.ts';
import { raw } from '../../storage/sql-template.ts';
import type { Statements } from '../../storage/sqlite.ts';
import { decompressText, extractPageTerms, prefixTermsWithOwner } from './page-text.ts';

const PAGES_A_STEP = 200;

const UNEQUAL = `SELECT EXISTS (SELECT 1 FROM pages WHERE id NOT IN (SELECT id FROM pages_fts_docsize))
  OR EXISTS (SELECT 1 FROM pages_fts_docsize WHERE id NOT IN (SELECT id FROM pages)) AS unequal`;
const COUNTS = `SELECT o.id, count(p.id) AS pages, coalesce(sum(p.bytes), 0) AS bytes
  FROM page_owners o LEFT JOIN pages p ON p.owner = o.id GROUP BY o.id`;

export function checkPages(sql: Statements): { readonly words: boolean; readonly counters: boolean } {
  const wrong = sql.get`SELECT 1 FROM page_owners o JOIN (${raw(COUNTS)}) c ON c.id = o.id
    WHERE o.pages <> c.pages OR o.bytes <> c.bytes`;
  return {
    words: !isSound(sql) || sql.get<{ unequal: number }>(UNEQUAL)?.unequal !== 0,
    counters: wrong !== undefined,
  };
}

function isSound(sql: Statements): boolean {
  try {
    const lines = sql.all<Record<string, string>>('PRAGMA integrity_check(pages_fts)');
    return lines.every((line) => Object.values(line)[0] === 'ok');
  } catch {
    return false;
  }
}

export function mendPageCounters(sql: Statements): void {
  sql.run`UPDATE page_owners SET pages = c.pages, bytes = c.bytes FROM (${raw(COUNTS)}) c
    WHERE c.id = page_owners.id`;
}

interface StoredPage {
  readonly id: number;
  readonly owner: number;
  readonly url: string;
  readonly title: string;
  readonly text: Uint8Array;
}

export async function rebuildPageWords(
  sql: Statements,
  { signal, progress }: TaskControl,
): Promise<string[]> {
  const made = sql.get<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = 'pages_fts'");
  sql.run('DROP TABLE pages_fts');
  sql.run(made?.sql ?? '');
  const lost: string[] = [];
  let count = 0;
  for (let after = 0; ; ) {
    const rows = sql.all<StoredPage>`SELECT id, owner, url, title, text FROM pages WHERE id > ${after}
      ORDER BY id LIMIT ${PAGES_A_STEP}`;
    const last = rows.at(-1);
    if (!last) return lost;
    after = last.id;
    sql.run('BEGIN');
    for (const row of rows) if (!indexPage(sql, row)) lost.push(row.url);
    sql.run('COMMIT');
    count += rows.length;
    progress(`indexing pages: ${count}`);
    await setImmediate();
    signal.throwIfAborted();
  }
}

function indexPage(
  sql: Statements,
  { id, owner, title, text }: { id: number; owner: number; title: string; text: Uint8Array },
): boolean {
  let plain: string;
  try {
    plain = decompressText(text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    sql.run`DELETE FROM pages WHERE id = ${id}`;
    return false;
  }
  const { titleTerms, textTerms } = extractPageTerms(title, plain);
  sql.run`INSERT INTO pages_fts (rowid, title, text)
    VALUES (${id}, ${prefixTermsWithOwner(owner, titleTerms)}, ${prefixTermsWithOwner(owner, textTerms)})`;
  return true;
}
