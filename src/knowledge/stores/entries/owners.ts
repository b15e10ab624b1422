import { unavailableError } from '../../../errors.ts';
import {
  type Dialect,
  NO_ANSWER,
  type Sql,
  type SqlAnswer,
  type StepGenerator,
} from '../../../storage/any-database.ts';
import { checkOwnerName } from '../../../storage/owner.ts';
import { fragment } from '../../../storage/sql-template.ts';
import { needsMultilingual } from '../../embedding/languages.ts';
import { WORD_RULES_VERSION } from '../passages/indexed-passage.ts';

/** An owner's counters. The row stays when the owner's data is removed, so that no number is reused. */
export interface OwnerRow {
  readonly id: number;
  readonly last: number;
  readonly next: number;
  readonly removals: number;
  readonly restores: number;
  readonly trashed: number;
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  readonly searched: number;
  readonly words: number;
  readonly nonenglish: number;
  /** Sum of the weights of non-English questions, as of `asked_at` (microseconds since 1970). */
  readonly asked: number;
  readonly asked_at: number;
  readonly multilingual: number;
  /** Version of the index's word rules. Passages with numbers below `reformed` are already renewed. */
  readonly form: number;
  readonly reformed: number;
}

export type OwnerCountsChange = Partial<
  Pick<OwnerRow, 'records' | 'passages' | 'bytes' | 'searched' | 'words' | 'nonenglish'>
>;

/** A passage's key is (owner << 31) + passage number, which must be below 2^53 to be exact in JavaScript. */
const MAX_OWNERS = 2 ** 22 - 1;
const BY_NAME = 'SELECT * FROM kb_owners WHERE name = ?';

export function* findOwner(sql: Sql, name: string): StepGenerator<OwnerRow | undefined> {
  return yield* sql.get<OwnerRow>(BY_NAME, checkOwnerName(name));
}

export function* readOwner(sql: Sql, id: number): StepGenerator<OwnerRow> {
  const row = yield* sql.get<OwnerRow>`SELECT * FROM kb_owners WHERE id = ${id}`;
  if (row) return row;
  throw unavailableError(
    'the database has lost an owner: stop Magpie, and run `magpie kb check --mend`; what it cannot mend comes from a backup',
  );
}

const HOLD = {
  id: 'SELECT 1 FROM kb_owners WHERE id = ? FOR NO KEY UPDATE',
  name: 'SELECT 1 FROM kb_owners WHERE name = ? FOR NO KEY UPDATE',
};

/** Locks the owner until the step ends. SQLite has one writer and needs no lock. */
export function lockOwner(sql: Sql, owner: string | number): SqlAnswer<void> {
  if (sql.dialect === 'sqlite') return NO_ANSWER;
  return sql.send(typeof owner === 'string' ? HOLD.name : HOLD.id, owner);
}

/** Locks owners in the order of their numbers, so that two steps cannot deadlock. */
export function* lockOwners(sql: Sql, owners: Iterable<number>): StepGenerator<void> {
  if (sql.dialect === 'sqlite') return;
  const ids = [...new Set(owners)].sort((a, b) => a - b);
  yield* sql.sendEach(
    HOLD.id,
    ids.map((id) => [id]),
  );
}

export function* lockOwnersByName(sql: Sql, names: readonly string[]): StepGenerator<void> {
  const finds = Array.from(new Set(names), (name) => fragment`SELECT id FROM kb_owners WHERE name = ${name}`);
  if (sql.dialect === 'sqlite' || finds.length < 2) return;
  const found = yield* sql.allEach<{ id: number }>(finds);
  yield* lockOwners(
    sql,
    found.flat().map(({ id }) => id),
  );
}

const ENSURED: Readonly<Record<Dialect, string>> = {
  sqlite: BY_NAME,
  postgres: `${BY_NAME} FOR NO KEY UPDATE`,
};

/** Finds or creates an owner and locks it. Must run inside a transaction. */
export function* ensureOwner(sql: Sql, name: string): StepGenerator<OwnerRow> {
  const find = () => sql.get<OwnerRow>(ENSURED[sql.dialect], checkOwnerName(name));
  const known = yield* find();
  if (known) return known;
  yield* sql.send`INSERT INTO kb_owners (name, form) VALUES (${name}, ${WORD_RULES_VERSION})
    ON CONFLICT (name) DO NOTHING`;
  const made = yield* find();
  if (made && made.id <= MAX_OWNERS) return made;
  throw unavailableError(`the database has ${MAX_OWNERS} owners, the maximum`);
}

export function* addToOwnerCounts(
  sql: Sql,
  id: number,
  { records = 0, passages = 0, bytes = 0, searched = 0, words = 0, nonenglish = 0 }: OwnerCountsChange,
): StepGenerator<void> {
  const row = yield* sql.get<OwnerDemand>`UPDATE kb_owners
    SET records = records + ${records}, passages = passages + ${passages}, bytes = bytes + ${bytes},
      searched = searched + ${searched}, words = words + ${words}, nonenglish = nonenglish + ${nonenglish}
      WHERE id = ${id}
    RETURNING id, searched, nonenglish, asked, multilingual`;
  if (row) yield* updateOwnerModel(sql, row);
}

type OwnerDemand = Pick<OwnerRow, 'id' | 'searched' | 'nonenglish' | 'asked' | 'multilingual'>;

/** Stores which model the owner needs. Must run in the transaction that changed the owner's counters. */
export function* updateOwnerModel(
  sql: Sql,
  { id, searched, nonenglish, asked, multilingual }: OwnerDemand,
): StepGenerator<void> {
  const needed = Number(
    needsMultilingual({ passages: searched, nonenglish, asked, multilingual: multilingual === 1 }),
  );
  if (needed !== multilingual)
    yield* sql.send`UPDATE kb_owners SET multilingual = ${needed} WHERE id = ${id}`;
}

export function* countRemoval(sql: Sql, owner: number): StepGenerator<void> {
  yield* sql.send`UPDATE kb_owners SET removals = removals + 1 WHERE id = ${owner}`;
}
