import { AppError, BusyError } from '../../errors.ts';
import type { AnyDatabase, Dialect, Sql, StepGenerator } from '../../storage/any-database.ts';
import type { RunLongWork } from '../../storage/postgres/long-work.ts';
import { renewStepByStep } from '../../storage/renewal.ts';
import type { PageStore } from '../page-store.ts';
import { preparePageInPool } from './page-pool.ts';
import type { PageRow } from './page-rows.ts';
import { decompressText, PAGE_WORDS_VERSION, type PreparedPage, prefixTermsWithOwner } from './page-text.ts';
import { encodePageWords } from './postgres/page-words.ts';

interface StalePage extends Omit<PageRow, 'read_at'> {
  readonly owner: string;
  readonly number: number;
}

/** SQL that finds an outdated page. `PAGE_WORDS_VERSION` is a literal, so that the partial index is used. */
const OUTDATED: Readonly<Record<Dialect, string>> = {
  sqlite: `SELECT p.id, o.name AS owner, p.owner AS number, p.url, p.title, p.text FROM pages p JOIN page_owners o ON o.id = p.owner
    WHERE p.form < ${PAGE_WORDS_VERSION} ORDER BY p.id LIMIT 1`,
  postgres: `SELECT id, owner, 0 AS number, url, title, text FROM pages WHERE form < ${PAGE_WORDS_VERSION}
    ORDER BY owner, id LIMIT 1`,
};
const STILL_OUTDATED = 'SELECT 1 AS found FROM pages WHERE id = ? AND form < ?';

export function createPageRenewal(db: AnyDatabase, runLong?: RunLongWork): Pick<PageStore, 'renewWords'> {
  const find = () => db.read((sql) => sql.get<StalePage>(OUTDATED[sql.dialect]));
  const write = db.dialect === 'postgres' ? replaceInPostgres : replaceInSqlite;

  async function renew(page: StalePage): Promise<number> {
    const prepared = await prepare(page);
    return db.writeReplaceable(function* (sql) {
      yield* sql.lockName(`pages of ${page.owner}`);
      return yield* write(sql, page, prepared);
    });
  }

  return {
    renewWords: (signal) => renewStepByStep('words of pages', find, renew, signal, runLong),
  };
}

/** Computes a page's index words again. Returns undefined if the stored text cannot be read. */
async function prepare({ owner, url, title, text }: StalePage): Promise<PreparedPage | undefined> {
  try {
    return await preparePageInPool(owner, { url, title, text: decompressText(text), readAt: 0 });
  } catch (error) {
    if (error instanceof AppError && !(error instanceof BusyError)) return undefined;
    throw error;
  }
}

function* replaceInSqlite(sql: Sql, { id, number }: StalePage, page?: PreparedPage): StepGenerator<number> {
  if (!(yield* sql.get(STILL_OUTDATED, id, PAGE_WORDS_VERSION))) return 0;
  yield* sql.send`UPDATE pages SET form = ${PAGE_WORDS_VERSION} WHERE id = ${id}`;
  if (!page) return 0;
  yield* sql.send`DELETE FROM pages_fts WHERE rowid = ${id}`;
  yield* sql.send`INSERT INTO pages_fts (rowid, title, text)
    VALUES (${id}, ${prefixTermsWithOwner(number, page.titleTerms)},
    ${prefixTermsWithOwner(number, page.textTerms)})`;
  return 1;
}

function* replaceInPostgres(sql: Sql, { id, owner }: StalePage, page?: PreparedPage): StepGenerator<number> {
  const row = yield* sql.get<{ length: number }>`SELECT length FROM pages
    WHERE owner = ${owner} AND id = ${id} AND form < ${PAGE_WORDS_VERSION}`;
  if (!row) return 0;
  if (!page) {
    yield* sql.send`UPDATE pages SET form = ${PAGE_WORDS_VERSION} WHERE owner = ${owner} AND id = ${id}`;
    return 0;
  }
  const { terms, counts, length } = encodePageWords(owner, page);
  yield* sql.send`UPDATE pages SET terms = CAST(${terms} AS bigint[]), counts = CAST(${counts} AS smallint[]),
    length = ${length}, form = ${PAGE_WORDS_VERSION}
    WHERE owner = ${owner} AND id = ${id}`;
  yield* sql.send`UPDATE page_owners SET words = words + ${length - row.length} WHERE owner = ${owner}`;
  return 1;
}
