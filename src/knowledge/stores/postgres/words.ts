import { hash } from 'node:crypto';
import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import { fragment } from '../../../storage/sql-template.ts';
import { type CountedPassage, computePassageKeyBase } from '../passages/indexed-passage.ts';
import type { WordPostings } from '../passages/postings.ts';
import type { WordIndex } from '../passages/word-index.ts';

const MAX_TIMES = 10;
/** Highest stored number of words of a passage. SQLite's index has the same limit. */
const MAX_LENGTH = 255;

export const POSTGRES_WORDS: WordIndex = {
  *noteWritten(sql, owner, first, passages) {
    yield* sql.sendEach(
      'INSERT INTO kb_words (owner, id, length, terms, times) VALUES (?, ?, ?, CAST(? AS bigint[]), CAST(? AS smallint[]))',
      passages.map(({ length, times }, at) => [
        owner,
        computePassageKeyBase(owner) + first + at,
        Math.min(length, MAX_LENGTH),
        ...encodeTimes(owner, times),
      ]),
    );
  },
  // biome-ignore lint/correctness/useYield: a step that asks nothing.
  *readWaiting() {
    return { passages: [] };
  },
  // biome-ignore lint/correctness/useYield: a step that asks nothing.
  *listRecent() {
    return [];
  },
  catchUp: async () => ({ passages: [] }),
  catchUpAll: async () => {},
};

export function* replaceWords(
  sql: Sql,
  owner: number,
  passages: readonly (Pick<CountedPassage, 'times'> & { readonly id: number })[],
): StepGenerator<number> {
  const found = yield* sql.allEach(
    passages.map(({ id, times }) => {
      const [terms, counts] = encodeTimes(owner, times);
      return fragment`UPDATE kb_words SET terms = CAST(${terms} AS bigint[]), times = CAST(${counts} AS smallint[])
        WHERE owner = ${owner} AND id = ${id} RETURNING 1`;
    }),
  );
  return found.flat().length;
}

function encodeTimes(owner: number, times: CountedPassage['times']): [terms: string, times: string] {
  return [
    `{${[...times.keys()].map((word) => hashOwnerWord(owner, word)).join(',')}}`,
    `{${[...times.values()].map((count) => Math.min(count, MAX_TIMES)).join(',')}}`,
  ];
}

export function* readNumberedPostings(
  sql: Sql,
  owner: number,
  words: readonly string[],
  from: number,
  most: number,
): StepGenerator<WordPostings[]> {
  const base = computePassageKeyBase(owner);
  const found = yield* sql.allEach<{ list: string | null; times: number }>(
    words.map((word) => {
      const term = String(hashOwnerWord(owner, word));
      return fragment`
        SELECT string_agg(repeat((((id - ${base}) << 8) | length) || ',', n), '' ORDER BY id) AS list,
          coalesce(sum(n), 0) AS times
        FROM (
          SELECT id, length, times[array_position(terms, CAST(${term} AS bigint))] AS n FROM kb_words
          WHERE owner = ${owner} AND terms @> ARRAY[CAST(${term} AS bigint)] AND id >= ${base + from}
          ORDER BY id LIMIT ${most}
        ) AS found`;
    }),
  );
  return words.map((word, at) => {
    const { list, times = 0 } = found[at]?.[0] ?? { list: null };
    return { word, list: (list ?? '').slice(0, -1), times, full: times >= most };
  });
}

/** Returns 64 bits of a hash. Parsing hexadecimal digits is faster than reading bytes. */
export function hashOwnerWord(owner: number, word: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash('sha1', `${owner} ${word}`, 'hex').slice(0, 16)}`));
}
