import { badRequestError } from '../../../errors.ts';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import type { Sql, SqlAnswer, SqlValue, StepGenerator } from '../../../storage/any-database.ts';
import { fragment, joinFragments, raw, type SqlFragment } from '../../../storage/sql-template.ts';
import { listTagSpellings } from '../../entries/tags.ts';
import type { ChunkedEntry } from '../../store.ts';
import type { EntryFilter, KnowledgeEntry } from '../../types.ts';
import { countNonEnglish, type JudgedPassage } from '../passages/indexed-passage.ts';
import { dropPassages, type PassageRun, readJoinedText, readJoinedTexts } from '../passages/passages.ts';
import type { OwnerCountsChange } from './owners.ts';

export interface EntryRow extends PassageRun {
  readonly owner: number;
  readonly at: number;
  readonly updated: number;
  readonly bytes: number;
  readonly words: number;
  readonly nonenglish: number;
  readonly title: string;
  readonly source: string;
  readonly tags: string;
  readonly digest: Uint8Array | null;
  /** Name of the file. '' during the upload, ' ' during the removal, null for entries. */
  readonly file: string | null;
  /** 0: kept. -1: restored, but vectors may be missing. 1: being deleted. Other values: time of the removal. */
  readonly trash: number;
  readonly collection: string;
  readonly own_key: string;
  /** For a replaced text, the creation time of its entry, which identifies the entry. Otherwise null. */
  readonly version_of: number | null;
  readonly valid_until: number;
}

export const LANGUAGE_UNKNOWN = -1;
export const TRASH_STATE_KEPT = 0;
export const TRASH_STATE_RESTORED = -1;
export const TRASH_STATE_DELETING = 1;
export const UPLOADING_FILE_NAME = '';
export const REMOVING_FILE_NAME = ' ';
export const UNFINISHED_FILE_NAMES: readonly string[] = [UPLOADING_FILE_NAME, REMOVING_FILE_NAME];
export const IS_LIVE_ROW_SQL = "e.trash <= 0 AND (e.digest IS NOT NULL OR e.file NOT IN ('', ' '))";
export const FROM_KEPT_ENTRIES_SQL = 'FROM kb_entries WHERE owner = ? AND digest IS NOT NULL AND trash <= 0';
/** Table with an index hint, because SQLite would otherwise read all rows of the owner. */
export const ENTRIES_BY_FILE_SQL = 'kb_entries INDEXED BY kb_entries_by_file';
export const ENTRIES_BY_DIGEST_SQL = 'kb_entries INDEXED BY kb_entries_by_digest';
export const ENTRIES_BY_TRASH_SQL = 'kb_entries INDEXED BY kb_entries_by_trash';

/** Returns an SQL condition for a collection. The `<>` lets SQLite use a partial index by collection. */
export function buildCollectionCondition(name: string | undefined): SqlFragment {
  if (name === undefined) return raw('');
  const others = name === DEFAULT_COLLECTION ? '' : ` AND collection <> '${DEFAULT_COLLECTION}'`;
  return raw(` AND collection = ?${others}`, name);
}

export function buildFilterCondition({
  tags = [],
  source,
  since,
  until,
  collection,
}: EntryFilter): SqlFragment {
  const sources = typeof source === 'string' ? [source] : source;
  const matching = sources?.map((one) => {
    const prefix = one.slice(0, -1);
    if (!one.endsWith('*')) return fragment`source = ${one}`;
    return fragment`substr(source, 1, length(${prefix})) = ${prefix}`;
  });
  const conditions = [
    ...tags.map((tag) =>
      anyOf(listTagSpellings(tag).map((one) => fragment`instr(tags, ${`\n${one}\n`}) > 0`)),
    ),
    ...(matching ? [anyOf(matching)] : []),
    ...(since === undefined ? [] : [fragment`at >= ${since}`]),
    ...(until === undefined ? [] : [fragment`at < ${until}`]),
  ];
  const all = conditions.map((one) => fragment` AND ${one}`);
  return joinFragments([buildCollectionCondition(collection), ...all], '');
}

function anyOf(conditions: readonly SqlFragment[]): SqlFragment {
  return conditions.length === 0 ? raw('FALSE') : fragment`(${joinFragments(conditions, ' OR ')})`;
}

/** Puts line feeds around each tag, so that SQL can search for a complete tag. */
export function packTags(tags: readonly string[]): string {
  return tags.length === 0 ? '' : `\n${tags.join('\n')}\n`;
}

export const unpackTags = (tags: string): string[] => tags.split('\n').filter(Boolean);

const COLUMNS =
  'owner at updated first passages bytes words nonenglish title source tags digest file trash collection own_key version_of valid_until'.split(
    ' ',
  ) as (keyof EntryRow)[];
const INSERT = `INSERT INTO kb_entries (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

export function insertRow(sql: Sql, row: EntryRow): SqlAnswer<void> {
  return sql.send(INSERT, ...COLUMNS.map((name) => row[name]));
}

export function updateEntryRow(
  sql: Sql,
  { owner, at }: Pick<EntryRow, 'owner' | 'at'>,
  changes: Partial<EntryRow>,
): SqlAnswer<void> {
  const set = Object.keys(changes).map((name) => `${name} = ?`);
  const values = Object.values(changes) as SqlValue[];
  return sql.send(`UPDATE kb_entries SET ${set.join(', ')} WHERE owner = ? AND at = ?`, ...values, owner, at);
}

/** Deletes a row and its passages in a transaction. The caller must update the owner's counters. */
export function* deleteRow(sql: Sql, row: EntryRow): StepGenerator<void> {
  yield* dropPassages(sql, row.owner, row);
  yield* sql.send`DELETE FROM kb_entries WHERE owner = ${row.owner} AND at = ${row.at}`;
}

export function* readEntry(sql: Sql, owner: string, row: EntryRow): StepGenerator<KnowledgeEntry> {
  return toEntry(owner, row, yield* readJoinedText(sql, row.owner, row));
}

export function* readEntries(
  sql: Sql,
  owner: string,
  rows: readonly EntryRow[],
): StepGenerator<KnowledgeEntry[]> {
  const texts = yield* readJoinedTexts(sql, rows[0]?.owner ?? 0, rows);
  return rows.map((row, at) => toEntry(owner, row, texts[at] ?? ''));
}

function toEntry(owner: string, row: EntryRow, text: string): KnowledgeEntry {
  return {
    id: buildEntryId(owner, row.at),
    text,
    title: row.title,
    source: row.source,
    tags: unpackTags(row.tags),
    collection: row.collection,
    key: row.own_key,
    ...(row.valid_until !== 0 && { validUntil: row.valid_until }),
    createdAt: row.at,
    updatedAt: row.updated,
  };
}

export function* readEntryRowsByIdTimes(
  sql: Sql,
  owner: number,
  times: readonly (number | null)[],
): StepGenerator<EntryRow[]> {
  const select = `SELECT * ${FROM_KEPT_ENTRIES_SQL} AND at = ?`;
  return (yield* sql.allEach<EntryRow>(times.map((at) => raw(select, owner, at)))).flat();
}

export const buildEntryId = (owner: string, at: number): string => `${owner}-${at}`;

export function parseEntryIdTime(owner: string, id: string): number | null {
  const digits = id.startsWith(`${owner}-`) ? id.slice(owner.length + 1) : '';
  return /^(?:0|[1-9]\d{0,15})$/.test(digits) ? Number(digits) : null;
}

export const encodeCursor = (at: number): string => Buffer.from(String(at)).toString('base64url');

export function decodeCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw badRequestError(
    `cursor is ${JSON.stringify(cursor.slice(0, 80))}: it takes the next of an earlier answer; leave it out to begin again`,
  );
}

export function newEntryRow(
  owner: number,
  at: number,
  updated: number,
  first: number,
  entry: Omit<ChunkedEntry, 'digest' | 'passages'> & Pick<EntryRow, 'digest'>,
  passages: readonly JudgedPassage[],
): EntryRow {
  return {
    owner,
    at,
    updated,
    first,
    passages: passages.length,
    bytes: passages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    words: passages.reduce((sum, { length }) => sum + length, 0),
    nonenglish: countNonEnglish(passages),
    title: entry.title,
    source: entry.source,
    tags: packTags(entry.tags),
    digest: entry.digest,
    file: null,
    trash: TRASH_STATE_KEPT,
    collection: entry.collection,
    own_key: entry.key,
    version_of: null,
    valid_until: entry.validUntil ?? 0,
  };
}

export function sumEntryRows(rows: readonly EntryRow[], sign: 1 | -1): Required<OwnerCountsChange> {
  const sum = (of: (row: EntryRow) => number) => sign * rows.reduce((total, row) => total + of(row), 0);
  const passages = sum((row) => row.passages);
  return {
    records: sign * rows.length,
    passages,
    bytes: sum(({ bytes }) => bytes),
    searched: passages,
    words: sum(({ words }) => words),
    nonenglish: sum(countKnownNonEnglish),
  };
}

export function countKnownNonEnglish({ nonenglish }: Pick<EntryRow, 'nonenglish'>): number {
  return Math.max(0, nonenglish);
}

export function takeRowsUpToPassages<Row extends Pick<EntryRow, 'passages'>>(
  rows: readonly Row[],
  most: number,
): Row[] {
  return takeUpTo(rows, most, ({ passages }) => passages);
}

export function takeUpTo<Row>(rows: readonly Row[], most: number, sizeOf: (row: Row) => number): Row[] {
  let total = 0;
  const beyond = rows.findIndex((row, at) => {
    total += sizeOf(row);
    return at > 0 && total > most;
  });
  return rows.slice(0, beyond < 0 ? rows.length : beyond);
}
