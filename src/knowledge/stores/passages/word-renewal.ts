import { runInTimeSlices } from '../../../lib/concurrency/time-slices.ts';
import type { AnyDatabase, Sql, StepGenerator } from '../../../storage/any-database.ts';
import type { RunLongWork } from '../../../storage/postgres/long-work.ts';
import { renewStepByStep } from '../../../storage/renewal.ts';
import { findNumbers } from '../../ranking/numbers.ts';
import { findCompounds } from '../../ranking/search-words.ts';
import type { EntryStore } from '../../store.ts';
import { fromPassages } from '../entries/owner-sql.ts';
import { lockOwner, type OwnerRow } from '../entries/owners.ts';
import { replaceWords } from '../postgres/words.ts';
import {
  type CountedPassage,
  computePassageKeyBase,
  indexPassage,
  WORD_RULES_VERSION,
} from './indexed-passage.ts';
import { findLastIndexedKey, insertWords, type UnindexedPassage } from './word-index.ts';

/** Passages per step. A step makes other calls wait for some milliseconds. */
const PASSAGES_AT_ONCE = 24;
/** ASCII texts and words but numbers with groups and compounds need no renewal, because all versions of the word rules treat them alike. */
const [SAME_TEXT, SAME_WORD] = [/^[\n\t\x20-\x7e]*$/, /^[a-z\d]+$/];

type RenewedPassage = UnindexedPassage & Pick<CountedPassage, 'times'>;

/** Renews words that an older version indexed. The progress is stored, so any process can continue. */
export function createWordRenewal(
  { db }: { readonly db: AnyDatabase },
  runLong?: RunLongWork,
): Pick<EntryStore, 'renewWords'> {
  const findOutdated = () =>
    db.read(
      (sql) => sql.get<OwnerRow>`SELECT * FROM kb_owners WHERE form < ${WORD_RULES_VERSION}
        ORDER BY form, id LIMIT 1`,
    );

  const renew = (row: OwnerRow) => renewSome(db, row);
  return {
    renewWords: (signal) =>
      renewStepByStep('words of the knowledge base', findOutdated, renew, signal, runLong),
  };
}

async function renewSome(db: AnyDatabase, { id: owner, reformed }: OwnerRow): Promise<number> {
  const from = computePassageKeyBase(owner) + reformed;
  const end = computePassageKeyBase(owner + 1);
  const rows = await db.read(
    (sql) => sql.all<UnindexedPassage>`SELECT id, words, title, text
      ${fromPassages(sql, owner, from, end)} ORDER BY id LIMIT ${PASSAGES_AT_ONCE}`,
  );
  const renewed = await runInTimeSlices(indexEach(rows));
  const isEnd = rows.length < PASSAGES_AT_ONCE;
  const next = isEnd ? 1 : (rows.at(-1)?.id ?? from) - computePassageKeyBase(owner) + 1;
  return db.writeReplaceable(function* (sql) {
    yield* lockOwner(sql, owner);
    const state = yield* sql.get<Pick<OwnerRow, 'form' | 'reformed'>>`SELECT form, reformed FROM kb_owners
      WHERE id = ${owner}`;
    if (!state || state.form >= WORD_RULES_VERSION || state.reformed !== reformed) return 0;
    const count =
      sql.dialect === 'postgres'
        ? yield* replaceWords(sql, owner, renewed)
        : yield* rewrite(sql, owner, renewed);
    yield* sql.send`UPDATE kb_owners SET form = ${isEnd ? WORD_RULES_VERSION : state.form}, reformed = ${next}
      WHERE id = ${owner}`;
    return count;
  });
}

function* indexEach(rows: readonly UnindexedPassage[]): Generator<undefined, RenewedPassage[]> {
  const renewed: RenewedPassage[] = [];
  for (const row of rows) {
    const { times } = indexPassage({ title: row.title, text: row.text });
    const said = `${row.title}\n${row.text}`;
    const isSame =
      SAME_TEXT.test(said) &&
      findNumbers(said).length + findCompounds(said).length === 0 &&
      [...times.keys()].every((word) => SAME_WORD.test(word));
    if (!isSame) renewed.push({ ...row, times });
    yield;
  }
  return renewed;
}

/** Replaces the indexed words of passages in SQLite. Skips passages not indexed yet or removed meanwhile. */
function* rewrite(sql: Sql, owner: number, renewed: readonly RenewedPassage[]): StepGenerator<number> {
  const last = yield* findLastIndexedKey(sql, owner);
  let count = 0;
  for (const { id, words, times } of renewed) {
    if (id > last || (yield* sql.run`DELETE FROM kb_words WHERE rowid = ((${id} << 8) | ${words})`) === 0)
      continue;
    yield* insertWords(sql, owner, { id, words }, times);
    count++;
  }
  return count;
}
