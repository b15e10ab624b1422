import { randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  type CountedPassage,
  computePassageKeyBase,
  indexPassage,
} from '../src/knowledge/stores/passages/indexed-passage.ts';
import { hashOwnerWord } from '../src/knowledge/stores/postgres/words.ts';
import { passageTexts, vectorsOf } from './kb-data.ts';

/**
 * Rows of users as inserts and the embedding queue leave them, written in bulk past both: an entry a passage, texts of 80 made-up words and made-up
 * vectors. Each user has other words' numbers; texts come again after the first POOL. The index of words is made once at the end.
 */

const POOL = 10_000;
const ROWS = 500;
const MODEL = 'stand-in';

interface Piece {
  readonly passage: CountedPassage;
  readonly vector: string;
}

function makePool(count: number): Piece[] {
  const [next, vector] = [passageTexts(), vectorsOf(5)];
  return Array.from({ length: count }, () => {
    const text = next();
    const numbers = Array.from(vector(), (one) => one.toFixed(5));
    return { passage: indexPassage({ title: '', text }), vector: `[${numbers.join(',')}]` };
  });
}

/** Users `<prefix>-<from>` to before `<prefix>-<to>`, each with so many passages. */
export async function fillUsers(
  url: string,
  prefix: string,
  { from, to, each }: { readonly from: number; readonly to: number; readonly each: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET synchronous_commit = off');
    await client.query('DROP INDEX IF EXISTS kb_words_by_term');
    const model = await ensureModel(client);
    const pool = makePool(Math.min(POOL, (to - from) * each));
    let at = 0;
    for (let user = from; user < to; user++) {
      const { rows } = await client.query(
        `INSERT INTO kb_owners (name, last, next, records, passages, bytes, searched, words)
         VALUES ($1, $2, $3 + 1, $3, $3, $3 * 500, $3, $3 * 80) RETURNING id`,
        [`${prefix}-${user}`, each, each],
      );
      const owner = Number(rows[0]?.id);
      for (let first = 1; first <= each; first += ROWS) {
        const pieces = Array.from(
          { length: Math.min(ROWS, each + 1 - first) },
          () => pool[at++ % pool.length],
        );
        await writeRows(
          client,
          { owner, model, first },
          pieces.filter((one) => one !== undefined),
        );
      }
      await client.query('INSERT INTO kb_embedded (model, owner, below) VALUES ($1, $2, $3)', [
        model,
        owner,
        each + 1,
      ]);
    }
    await client.query("SET maintenance_work_mem = '512MB'");
    await client.query('CREATE INDEX kb_words_by_term ON kb_words USING gin (terms) WITH (fastupdate = off)');
    for (const table of ['kb_owners', 'kb_entries', 'kb_passages', 'kb_words', 'kb_halfvecs'])
      await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}

async function ensureModel(client: pg.Client): Promise<number> {
  await client.query(
    `INSERT INTO kb_models (id, name, used_at) SELECT coalesce(max(id), 0) + 1, $1, 0 FROM kb_models
     WHERE NOT EXISTS (SELECT 1 FROM kb_models WHERE name = $1) HAVING NOT EXISTS (SELECT 1 FROM kb_models WHERE name = $1)`,
    [MODEL],
  );
  return Number((await client.query('SELECT id FROM kb_models WHERE name = $1', [MODEL])).rows[0]?.id);
}

/** Places from `first` on; an entry's time is its passage's place. */
const WRITES: readonly string[] = [
  `INSERT INTO kb_entries (owner, at, updated, first, passages, bytes, words, title, source, tags, digest, nonenglish)
   SELECT $1, n, n, n, 1, octet_length(text), 80, '', '', '', digest, 0
   FROM unnest($3::text[], $4::bytea[]) WITH ORDINALITY AS t (text, digest, o), LATERAL (SELECT $2::bigint + o - 1 AS n) AS place`,
  `INSERT INTO kb_passages (owner, id, entry, ordinal, words, title, text)
   SELECT $1, $2::bigint + o - 1, $3::bigint + o - 1, 0, 80, left(text, 120), text FROM unnest($4::text[]) WITH ORDINALITY AS t (text, o)`,
  `INSERT INTO kb_words (owner, id, length, terms, times)
   SELECT $1, $2::bigint + o - 1, length, terms::bigint[], times::smallint[]
   FROM unnest($3::smallint[], $4::text[], $5::text[]) WITH ORDINALITY AS t (length, terms, times, o)`,
  `INSERT INTO kb_halfvecs (owner, id, vector) SELECT $1, $2::bigint + o - 1, vector::halfvec
   FROM unnest($3::text[]) WITH ORDINALITY AS t (vector, o)`,
];

async function writeRows(
  client: pg.Client,
  { owner, model, first }: { readonly owner: number; readonly model: number; readonly first: number },
  pieces: readonly Piece[],
): Promise<void> {
  const id = computePassageKeyBase(owner) + first;
  const texts = pieces.map(({ passage }) => passage.text);
  const values: unknown[][] = [
    [owner, first, texts, pieces.map(() => randomBytes(16))],
    [owner, id, first, texts],
    [
      owner,
      id,
      pieces.map(({ passage }) => passage.length),
      pieces.map(
        ({ passage }) => `{${[...passage.times.keys()].map((word) => hashOwnerWord(owner, word)).join(',')}}`,
      ),
      pieces.map(({ passage }) => `{${[...passage.times.values()].join(',')}}`),
    ],
    [owner, String((BigInt(model) << 55n) + BigInt(id)), pieces.map(({ vector }) => vector)],
  ];
  await client.query('BEGIN');
  for (const [at, text] of WRITES.entries())
    await client.query({ name: `fill${at}`, text, values: values[at] ?? [] });
  await client.query('COMMIT');
}
