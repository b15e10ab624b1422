import { AppError } from '../../../errors.ts';
import { type Answer, type Dialect, NOTHING, type Sql, type Steps } from '../../../storage/any-database.ts';
import { legalOwner } from '../../../storage/owner.ts';
import { needsMultilingual } from '../../embedding/languages.ts';

/** An owner's row of counters. It stays when everything else of the owner goes, so that no number and no id comes again. */
export interface OwnerRow {
  readonly id: number;
  /** Latest time given to an entry, microseconds. */
  readonly last: number;
  readonly next: number;
  readonly removals: number;
  /** How often entries came back from the trash. */
  readonly restores: number;
  /** The microsecond at which entries were last moved to the trash. */
  readonly trashed: number;
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  /** Passages of entries and files, and their words: what BM25 weighs with. */
  readonly searched: number;
  readonly words: number;
  /** Of `searched`, those that are not in English. */
  readonly nonenglish: number;
  /** Weight of questions that were not in English, as of the microsecond `asked_at`. */
  readonly asked: number;
  readonly asked_at: number;
  /** 1 where the owner's model is the multilingual one. */
  readonly multilingual: number;
}

/** What is added to an owner's counters. */
export type CountsChange = Partial<
  Pick<OwnerRow, 'records' | 'passages' | 'bytes' | 'searched' | 'words' | 'nonenglish'>
>;

/** Keys are (owner << 31) + passage, and numbers are exact up to 2^53. */
const MAX_OWNERS = 2 ** 22 - 1;

const BY_NAME = 'SELECT * FROM kb_owners WHERE name = ?';

/** AppError `bad_request` for a name that no owner can have. */
export function* findOwner(sql: Sql, name: string): Steps<OwnerRow | undefined> {
  return yield* sql.get<OwnerRow>(BY_NAME, legalOwner(name));
}

export function* readOwner(sql: Sql, id: number): Steps<OwnerRow> {
  const row = yield* sql.get<OwnerRow>('SELECT * FROM kb_owners WHERE id = ?', id);
  if (row) return row;
  throw new AppError(
    'unavailable',
    'the database has lost an owner: stop Magpie, and run `magpie kb check --mend`; what it cannot mend comes from a backup',
  );
}

const HOLD = {
  id: 'SELECT 1 FROM kb_owners WHERE id = ? FOR NO KEY UPDATE',
  name: 'SELECT 1 FROM kb_owners WHERE name = ? FOR NO KEY UPDATE',
};

/**
 * Keeps other steps from changing this owner until this one ends: numbers, counters and texts are read before they are written. Those of
 * other owners go on. Nothing on SQLite, which has one writer at a time. FOR NO KEY UPDATE lets rows refer to the owner meanwhile.
 */
export function holdOwner(sql: Sql, owner: string | number): Answer<void> {
  if (sql.dialect === 'sqlite') return NOTHING;
  return sql.send(typeof owner === 'string' ? HOLD.name : HOLD.id, owner);
}

/** The same for several owners, in the order of their numbers, so that no two steps wait for each other. */
export function* holdOwners(sql: Sql, owners: Iterable<number>): Steps<void> {
  if (sql.dialect === 'sqlite') return;
  const ids = [...new Set(owners)].sort((a, b) => a - b);
  yield* sql.sendEach(
    HOLD.id,
    ids.map((id) => [id]),
  );
}

/** The same for those that are there of several names. */
export function* holdNamed(sql: Sql, names: readonly string[]): Steps<void> {
  const lists = sql.dialect === 'sqlite' ? [] : Array.from(new Set(names), (name) => [name]);
  // The one owner of a step is held as it is read (`ensureOwner`).
  if (lists.length < 2) return;
  const found = yield* sql.allEach<{ id: number }>('SELECT id FROM kb_owners WHERE name = ?', lists);
  yield* holdOwners(
    sql,
    found.flat().map(({ id }) => id),
  );
}

const ENSURED: Readonly<Record<Dialect, string>> = {
  sqlite: BY_NAME,
  postgres: `${BY_NAME} FOR NO KEY UPDATE`,
};

/** The owner, made where it is new, and held; within a transaction. */
export function* ensureOwner(sql: Sql, name: string): Steps<OwnerRow> {
  const find = () => sql.get<OwnerRow>(ENSURED[sql.dialect], legalOwner(name));
  const known = yield* find();
  if (known) return known;
  // Another step may make it at the same time.
  yield* sql.send('INSERT INTO kb_owners (name) VALUES (?) ON CONFLICT (name) DO NOTHING', name);
  const made = yield* find();
  if (made && made.id <= MAX_OWNERS) return made;
  throw new AppError('unavailable', `the database has ${MAX_OWNERS} owners, the maximum`);
}

export function* addToCounts(
  sql: Sql,
  id: number,
  { records = 0, passages = 0, bytes = 0, searched = 0, words = 0, nonenglish = 0 }: CountsChange,
): Steps<void> {
  const row = yield* sql.get<Asking>(
    `UPDATE kb_owners SET records = records + ?, passages = passages + ?, bytes = bytes + ?,
       searched = searched + ?, words = words + ?, nonenglish = nonenglish + ? WHERE id = ?
     RETURNING id, searched, nonenglish, asked, multilingual`,
    records,
    passages,
    bytes,
    searched,
    words,
    nonenglish,
    id,
  );
  if (row) yield* settleModel(sql, row);
}

/** What decides which model is the owner's. */
type Asking = Pick<OwnerRow, 'id' | 'searched' | 'nonenglish' | 'asked' | 'multilingual'>;

/** Keeps which model the owner's counters ask for; within the transaction that has changed them. */
export function* settleModel(
  sql: Sql,
  { id, searched, nonenglish, asked, multilingual }: Asking,
): Steps<void> {
  const needed = Number(
    needsMultilingual({ passages: searched, nonenglish, asked, multilingual: multilingual === 1 }),
  );
  if (needed !== multilingual)
    yield* sql.send('UPDATE kb_owners SET multilingual = ? WHERE id = ?', needed, id);
}

/** Says that passages of the owner have gone. */
export function* countRemoval(sql: Sql, owner: number): Steps<void> {
  yield* sql.send('UPDATE kb_owners SET removals = removals + 1 WHERE id = ?', owner);
}
