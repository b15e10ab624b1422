import { setImmediate } from 'node:timers/promises';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import { runStepSync } from '../../../storage/any-database.ts';
import { type DataProblem, MAX_PROBLEM_IDS } from '../../../storage/data-problem.ts';
import { isDamage, type TaskControl } from '../../../storage/salvage.ts';
import { raw } from '../../../storage/sql-template.ts';
import type { Statements } from '../../../storage/sqlite.ts';
import { computeTextDigest } from '../../entries/new-entry.ts';
import { countRemoval, readOwner } from '../entries/owners.ts';
import {
  buildEntryId,
  deleteRow,
  type EntryRow,
  insertRow,
  LANGUAGE_UNKNOWN,
  REMOVING_FILE_NAME,
  TRASH_STATE_DELETING,
  TRASH_STATE_KEPT,
  UNFINISHED_FILE_NAMES,
  updateEntryRow,
} from '../entries/rows.ts';
import { computePassageKeyBase } from '../passages/indexed-passage.ts';
import { dropPassages } from '../passages/passages.ts';
import type { UnindexedPassage } from '../passages/word-index.ts';

export interface EntryCheck {
  readonly sql: Statements;
  readonly mend: boolean;
  readonly recover: boolean;
  readonly watch: TaskControl;
  step(work: () => void): void;
  report(problem: DataProblem): void;
  reindex(owner: number, name?: string): void;
}

interface PassageRow extends UnindexedPassage {
  readonly entry: number;
  readonly ordinal: number;
  readonly page: number | null;
}

interface Orphan extends Pick<PassageRow, 'id' | 'entry' | 'page' | 'ordinal'> {
  readonly owner: number;
  readonly rowless: number;
}

const ROWS_A_STEP = 500;
const PLACE = '(p.id & 2147483647)';
const ORPHANS = `SELECT p.id, p.id >> 31 AS owner, p.entry, p.page, p.ordinal, e.at IS NULL AS rowless
  FROM kb_passages p LEFT JOIN kb_entries e ON e.owner = p.id >> 31 AND e.at = p.entry
  WHERE e.at IS NULL OR ${PLACE} < e.first OR ${PLACE} >= e.first + e.passages`;

export function checkOrphans(check: EntryCheck): void {
  const { sql, mend, recover, report, step } = check;
  const orphans = sql.all<Orphan>(ORPHANS);
  if (orphans.length === 0) return;
  const lone = recover ? orphans.filter(({ rowless, page }) => rowless === 0 || page !== null) : orphans;
  if (!recover) report({ part: 'entries', problem: `passages that belong to no entry: ${orphans.length}` });
  if (!mend) return;
  step(() => {
    for (const { id, owner, page } of lone) {
      runStepSync(sql, (on) =>
        dropPassages(on, owner, { first: id - computePassageKeyBase(owner), passages: 1 }),
      );
      if (page !== null) check.reindex(owner);
    }
    if (recover)
      recoverRows(
        check,
        orphans.filter((one) => !lone.includes(one)),
      );
  });
}

function recoverRows(check: EntryCheck, orphans: readonly Orphan[]): void {
  const { sql } = check;
  const entries = Map.groupBy(orphans, ({ owner, entry }) => `${owner}-${entry}`);
  const ids: string[] = [];
  for (const [first, ...others] of entries.values()) {
    if (!first) continue;
    const { owner, entry: at, id, ordinal } = first;
    const begin = id - ordinal;
    const passages = (others.at(-1) ?? first).id - begin + 1;
    const found = readPassages(sql, begin, passages);
    const row: EntryRow = {
      ...{
        owner,
        at,
        updated: at,
        first: begin - computePassageKeyBase(owner),
        passages,
        source: '',
        tags: '',
        file: null,
        trash: TRASH_STATE_KEPT,
        collection: DEFAULT_COLLECTION,
        own_key: '',
        version_of: null,
        valid_until: 0,
        nonenglish: LANGUAGE_UNKNOWN,
      },
      ...measure(found),
      title: ordinal === 0 ? (found[0]?.title ?? '') : '',
      digest: computeTextDigest(textOf(found)),
    };
    if (hasText(sql, row)) runStepSync(sql, (on) => dropPassages(on, owner, row));
    else runStepSync(sql, (on) => insertRow(on, row));
    ids.push(buildEntryId(nameOf(sql, owner), at));
  }
  if (ids.length === 0) return;
  check.report({
    part: 'entries',
    problem: `entries that have lost title, source and tags, and whose texts are kept (also those that lay in the trash): ${ids.length}`,
    ids: ids.slice(0, MAX_PROBLEM_IDS),
    lost: true,
  });
}

type State = 'sound' | 'incomplete' | 'altered' | 'miscounted';

export async function checkEntries(check: EntryCheck): Promise<void> {
  const { sql, watch, step } = check;
  const found: Record<Exclude<State, 'sound'> | 'files', string[]> = {
    incomplete: [],
    altered: [],
    miscounted: [],
    files: [],
  };
  let count = 0;
  for (const { id, name } of sql.all<{ id: number; name: string }>('SELECT id, name FROM kb_owners')) {
    for (let after = -1; ; ) {
      const rows = readRows(check, id, name, after);
      const last = rows.at(-1);
      if (!last) break;
      after = last.at;
      step(() => {
        for (const row of rows) {
          const state = checkRow(check, row);
          if (state === 'sound') continue;
          if (row.digest === null) found.files.push(`doc://${row.file}`);
          else found[state].push(buildEntryId(name, row.at));
        }
      });
      count += rows.length;
      watch.progress(`${count} entries and parts of files read`);
      await setImmediate();
      watch.signal.throwIfAborted();
    }
  }
  reportEntries(check, found);
}

function readRows({ sql, report }: EntryCheck, owner: number, name: string, after: number): EntryRow[] {
  try {
    return sql.all`SELECT * FROM kb_entries WHERE owner = ${owner} AND at > ${after} ORDER BY at
      LIMIT ${ROWS_A_STEP}`;
  } catch (error) {
    if (!isDamage(error)) throw error;
    report({ part: 'entries', problem: `not all entries of ${name} can be read` });
    return [];
  }
}

function checkRow(check: EntryCheck, row: EntryRow): State {
  const { sql, mend } = check;
  if (row.trash === TRASH_STATE_DELETING || UNFINISHED_FILE_NAMES.includes(row.file ?? 'an entry'))
    return 'sound';
  const base = computePassageKeyBase(row.owner) + row.first;
  const found = readPassages(sql, base, row.passages).filter(({ entry }) => entry === row.at);
  const state = stateOf(row, found);
  if (state === 'sound' || !mend) return state;
  if (row.digest === null) {
    runStepSync(sql, (on) => updateEntryRow(on, row, { file: REMOVING_FILE_NAME }));
    check.reindex(row.owner, row.file ?? '');
  } else if (state === 'incomplete') {
    keepRest(sql, row, found);
  } else {
    const { bytes, words } = measure(found);
    // Each digest is unique. If another entry has the digest of this text, this entry keeps its old digest.
    const digest = hasText(sql, { ...row, digest: computeTextDigest(textOf(found)) })
      ? row.digest
      : computeTextDigest(textOf(found));
    runStepSync(sql, (on) => updateEntryRow(on, row, { bytes, words, digest }));
    runStepSync(sql, (on) => countRemoval(on, row.owner));
  }
  return state;
}

function stateOf(row: EntryRow, found: readonly PassageRow[]): State {
  if (found.length < row.passages) return 'incomplete';
  if (row.digest && Buffer.compare(computeTextDigest(textOf(found)), row.digest) !== 0) return 'altered';
  const { bytes, words } = measure(found);
  return bytes === row.bytes && words === row.words ? 'sound' : 'miscounted';
}

function readPassages(sql: Statements, from: number, count: number): PassageRow[] {
  const select = 'SELECT id, entry, ordinal, page, words, title, text FROM kb_passages WHERE';
  try {
    // A range query would also read the next row, which may be on a damaged page.
    if (count === 1) return sql.all`${raw(select)} id = ${from}`;
    return sql.all`${raw(select)} id >= ${from} AND id < ${from + count} ORDER BY id`;
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (count === 1) return [];
    const half = Math.floor(count / 2);
    return [...readPassages(sql, from, half), ...readPassages(sql, from + half, count - half)];
  }
}

/** Reduces an entry to its readable passages. They get new numbers, so that vectors are made again. */
function keepRest(sql: Statements, row: EntryRow, found: readonly PassageRow[]): void {
  runStepSync(sql, (on) => deleteRow(on, row));
  runStepSync(sql, (on) => countRemoval(on, row.owner));
  const rest: EntryRow = {
    ...row,
    ...measure(found),
    passages: found.length,
    nonenglish: LANGUAGE_UNKNOWN,
    digest: computeTextDigest(textOf(found)),
  };
  if (found.length === 0 || hasText(sql, rest)) return;
  const { next } = runStepSync(sql, (on) => readOwner(on, row.owner));
  runStepSync(sql, (on) => insertRow(on, { ...rest, first: next }));
  for (const [at, { page, words, title, text }] of found.entries()) {
    sql.run`INSERT INTO kb_passages (id, entry, ordinal, page, words, title, text)
      VALUES (${computePassageKeyBase(row.owner) + next + at}, ${row.at}, ${at}, ${page}, ${words}, ${title},
      ${text})`;
  }
  sql.run`UPDATE kb_owners SET next = next + ${found.length} WHERE id = ${row.owner}`;
}

function hasText(sql: Statements, { owner, at, digest, trash, collection, own_key }: EntryRow): boolean {
  if (trash > TRASH_STATE_KEPT) return false;
  const select =
    'SELECT 1 FROM kb_entries WHERE owner = ? AND digest = ? AND collection = ? AND own_key = ? AND trash <= 0 AND at <> ?';
  return sql.get(select, owner, digest, collection, own_key, at) !== undefined;
}

function measure(found: readonly PassageRow[]): { bytes: number; words: number } {
  return {
    bytes: found.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    words: found.reduce((sum, { words }) => sum + words, 0),
  };
}

const textOf = (found: readonly PassageRow[]): string => found.map(({ text }) => text).join('');

function nameOf(sql: Statements, owner: number): string {
  return (
    sql.get<{ name: string }>`SELECT name FROM kb_owners WHERE id = ${owner}`?.name ?? recoveredName(owner)
  );
}

export const recoveredName = (owner: number): string => `recovered-${owner}`;

function reportEntries({ report }: EntryCheck, found: Record<Exclude<State, 'sound'> | 'files', string[]>) {
  const problems = [
    { ids: found.incomplete, lost: true, which: 'that have lost text' },
    { ids: found.altered, lost: true, which: 'whose text is not the one that was kept' },
    { ids: found.miscounted, lost: false, which: 'with wrong counts of bytes or words' },
  ];
  for (const { ids, lost, which } of problems) {
    if (ids.length === 0) continue;
    report({
      part: 'entries',
      problem: `entries ${which}: ${ids.length}`,
      ids: ids.slice(0, MAX_PROBLEM_IDS),
      lost,
    });
  }
  const files = [...new Set(found.files)];
  if (files.length === 0) return;
  const problem = `uploaded files whose passages are damaged: ${files.length}`;
  report({ part: 'entries', problem, ids: files.slice(0, MAX_PROBLEM_IDS) });
}

export function reportMissingEntries({ sql, report }: EntryCheck): void {
  const owners = sql.all<{ name: string; missing: number }>`SELECT name, records - (SELECT count(*)
    FROM kb_entries e
    WHERE e.owner = o.id AND digest IS NOT NULL AND trash <= 0) AS missing FROM kb_owners o`;
  for (const { name, missing } of owners) {
    if (missing <= 0) continue;
    report({ part: 'entries', problem: `entries of ${name} whose ids are lost too: ${missing}`, lost: true });
  }
}
