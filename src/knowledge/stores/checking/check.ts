import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { runStepSync } from '../../../storage/any-database.ts';
import type { DataProblem } from '../../../storage/data-problem.ts';
import { isDamage, type RowKeyHint, type TaskControl } from '../../../storage/salvage.ts';
import { raw } from '../../../storage/sql-template.ts';
import { inStatementTransaction, type Statements } from '../../../storage/sqlite.ts';
import { TRASH_STATE_RESTORED, updateEntryRow } from '../entries/rows.ts';
import { computePassageKeyBase, indexPassage } from '../passages/indexed-passage.ts';
import { findLastIndexedKey, insertWords } from '../passages/word-index.ts';
import {
  checkEntries,
  checkOrphans,
  type EntryCheck,
  recoveredName,
  reportMissingEntries,
} from './check-entries.ts';

const [, LOST_ENTRIES = '', LOST_PASSAGES = '', DAMAGED = '', STRAY = '', UNEQUAL = '', TRUE_COUNTS = ''] =
  readFileSync(new URL('./check.sql', import.meta.url), 'utf8').split(/^-- part .*\n/m);

export const ENTRY_KEYS: readonly RowKeyHint[] = [
  { table: 'kb_entries', sql: LOST_ENTRIES },
  { table: 'kb_passages', sql: LOST_PASSAGES },
];
export const ENTRY_TABLES: readonly string[] =
  'kb_owners kb_entries kb_passages kb_models kb_embedded kb_vectors kb_changes'.split(' ');

export interface CheckOptions {
  /** True to repair damage. Nothing else may use the database during a repair. */
  readonly mend: boolean;
  readonly recover?: boolean;
}

/** Checks the knowledge base's tables. Skips unreadable data: the check of the database file reports it. */
export async function checkKnowledge(
  sql: Statements,
  { mend, recover = false }: CheckOptions,
  watch: TaskControl,
) {
  const problems: DataProblem[] = [];
  const files: { owner: number; name?: string }[] = [];
  const check: EntryCheck = {
    ...{ sql, mend, recover, watch },
    step: (work) => (mend ? inStatementTransaction(sql, work) : work()),
    report: (problem) => void problems.push(problem),
    reindex: (owner, name) => void files.push({ owner, ...(name !== undefined && { name }) }),
  };
  watch.progress('checking the index of words');
  const sound = recover || isWordIndexSound(check);
  if (!sound)
    check.report({ part: 'words', problem: 'the index of words is damaged, or does not fit the texts' });
  if (mend && !sound) emptyWordIndex(check);
  if (mend) nameOwners(check);
  await readable(() => checkOrphans(check));
  if (mend) nameOwners(check);
  if (recover) reportMissingEntries(check);
  await readable(() => checkEntries(check));
  watch.progress('checking vectors');
  await readable(() => checkVectors(check));
  if (mend && (recover || !sound)) await fillWordIndex(check);
  await readable(() => checkCounters(check));
  const names = new Map(readOwners(sql).map(({ id, name }) => [id, name]));
  return {
    problems,
    files: files.map(({ owner, name }) => ({ owner: names.get(owner) ?? recoveredName(owner), name })),
  };
}

function readOwners(sql: Statements): { id: number; name: string }[] {
  try {
    return sql.all('SELECT id, name FROM kb_owners');
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}

async function readable(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function nameOwners({ sql, report, step }: EntryCheck): void {
  step(() => {
    const lost = sql.all<{ owner: number }>`SELECT DISTINCT owner FROM kb_entries
      WHERE owner NOT IN (SELECT id FROM kb_owners)`;
    for (const { owner } of lost) {
      sql.run`INSERT INTO kb_owners (id, name) VALUES (${owner}, ${recoveredName(owner)})`;
      report({
        part: 'entries',
        problem: `the name of a user is lost: the entries are now those of ${recoveredName(owner)} (MAGPIE_USER)`,
        lost: true,
      });
    }
    sql.run`UPDATE kb_owners SET next = max(kb_owners.next, c.next) FROM (
      SELECT owner, max(first + passages) AS next FROM kb_entries GROUP BY owner) c
      WHERE c.owner = kb_owners.id`;
  });
}

const PASSAGES_A_STEP = 1000;

function isWordIndexSound({ sql }: EntryCheck): boolean {
  try {
    const lines = sql.all<Record<string, string>>('PRAGMA integrity_check(kb_words)');
    if (lines.some((line) => Object.values(line)[0] !== 'ok')) return false;
    const extra = sql.get`SELECT 1 FROM kb_words_docsize d WHERE NOT EXISTS (
      SELECT 1 FROM kb_passages p WHERE p.id = d.id >> 8 AND p.words = (d.id & 255)) LIMIT 1`;
    if (extra) return false;
    const owners = sql.all<{ id: number }>('SELECT id FROM kb_owners');
    return owners.every(({ id }) => {
      const missing = sql.get`SELECT 1 FROM kb_passages p WHERE id >= ${computePassageKeyBase(id)}
        AND id <= ${runStepSync(sql, (on) => findLastIndexedKey(on, id))} AND NOT EXISTS (
        SELECT 1 FROM kb_words_docsize d WHERE d.id = ((p.id << 8) | p.words)) LIMIT 1`;
      return missing === undefined;
    });
  } catch {
    return false;
  }
}

function emptyWordIndex({ sql, step }: EntryCheck): void {
  step(() => {
    const made = sql.get<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = 'kb_words'");
    sql.run('DROP TABLE kb_words');
    sql.run(made?.sql ?? '');
    sql.run("INSERT INTO kb_words (kb_words, rank) VALUES ('deletemerge', 0)");
  });
}

async function fillWordIndex({ sql, watch, step }: EntryCheck): Promise<void> {
  let count = 0;
  for (let after = -1; ; ) {
    const rows = sql.all<{ id: number; owner: number; words: number; title: string; text: string }>`SELECT id,
      id >> 31 AS owner, words, title, text FROM kb_passages WHERE id > ${after} ORDER BY id
      LIMIT ${PASSAGES_A_STEP}`;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    step(() => {
      for (const row of rows)
        runStepSync(sql, (on) => insertWords(on, row.owner, row, indexPassage(row).times));
    });
    count += rows.length;
    watch.progress(`${count} passages indexed by their words`);
    await setImmediate();
    watch.signal.throwIfAborted();
  }
}

interface VectorPlace {
  readonly owner: number;
  readonly passage: number;
}

function checkVectors(check: EntryCheck): void {
  const { sql, mend, recover, report, step } = check;
  const damaged = sql.all<VectorPlace>`SELECT (v.id >> 31) & ((1 << 24) - 1) AS owner,
    v.id & ((1 << 55) - 1) AS passage FROM ${raw(DAMAGED)}`;
  if (damaged.length > 0) {
    report({ part: 'vectors', problem: `vectors of a wrong size: ${damaged.length}` });
    if (mend) {
      step(() => {
        sql.run(`DELETE FROM kb_vectors WHERE id IN (SELECT v.id FROM ${DAMAGED})`);
        embedAgain(check, damaged);
      });
    }
  }
  const stray = sql.get<{ n: number }>(`SELECT count(*) AS n FROM kb_vectors WHERE ${STRAY}`)?.n ?? 0;
  if (stray > 0) {
    if (!recover) report({ part: 'vectors', problem: `vectors that belong to no passage: ${stray}` });
    if (mend) step(() => sql.run(`DELETE FROM kb_vectors WHERE ${STRAY}`));
  }
  if (!recover) return;
  step(() => {
    sql.run`DELETE FROM kb_embedded WHERE model NOT IN (SELECT id FROM kb_models) OR owner NOT IN (SELECT id
      FROM kb_owners)`;
    embedAgain(check, sql.all<VectorPlace>(UNEQUAL));
  });
}

/** Marks entries as restored, so that the next start computes their missing vectors. */
function embedAgain({ sql, reindex }: EntryCheck, places: readonly VectorPlace[]): void {
  for (const { owner, passage } of places) {
    const row = sql.get<{ at: number; file: string | null; trash: number }>`SELECT at, file, trash
      FROM kb_entries WHERE owner = ${owner} AND at = (SELECT entry FROM kb_passages WHERE id = ${passage})`;
    if (!row) continue;
    if (row.file !== null) reindex(owner, row.file);
    else if (row.trash === 0) {
      runStepSync(sql, (on) => updateEntryRow(on, { owner, at: row.at }, { trash: TRASH_STATE_RESTORED }));
    }
  }
}

const COUNTED = ['records', 'passages', 'bytes', 'searched', 'words', 'nonenglish'] as const;
/** Counters that must be at least the highest value among the owner's entries, including the trash. */
const REACHED = ['last', 'next', 'trashed'] as const;
const WRONG = [
  ...COUNTED.map((name) => `o.${name} <> coalesce(c.${name}, 0)`),
  ...REACHED.map((name) => `o.${name} < coalesce(c.${name}, 0)`),
  'EXISTS (SELECT 1 FROM kb_embedded m WHERE m.owner = o.id AND m.below > max(o.next, coalesce(c.next, 1)))',
].join(' OR ');

function checkCounters(check: EntryCheck): void {
  const { sql, mend, recover, report } = check;
  const wrong = sql.all<{ name: string }>`SELECT o.name FROM kb_owners o
    LEFT JOIN (${raw(TRUE_COUNTS)}) c ON c.owner = o.id WHERE ${raw(WRONG)}`;
  if (wrong.length === 0) return;
  if (!recover) {
    const names = wrong.map(({ name }) => name).slice(0, 20);
    report({ part: 'counters', problem: `the counters of ${names.join(', ')} are wrong` });
  }
  if (mend) setCounters(check);
}

function setCounters({ sql, step }: EntryCheck): void {
  const counted = COUNTED.map((name) => `${name} = coalesce(c.${name}, 0)`);
  const reached = REACHED.map((name) => `${name} = max(o.${name}, coalesce(c.${name}, 0))`);
  step(() => {
    sql.run`UPDATE kb_owners AS o SET ${raw([...counted, ...reached].join(', '))}, removals = removals + 1
      FROM (SELECT k.id AS number, t.* FROM kb_owners k LEFT JOIN (${raw(TRUE_COUNTS)}) t ON t.owner = k.id) c
      WHERE c.number = o.id`;
    sql.run`UPDATE kb_embedded
      SET below = min(below, (SELECT next FROM kb_owners WHERE id = kb_embedded.owner))`;
  });
}
