import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countOccurrences, extractSearchWords } from '../../src/knowledge/ranking/search-words.ts';
import type { EntryStore } from '../../src/knowledge/store.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { insertWords } from '../../src/knowledge/stores/passages/word-index.ts';
import { replaceWords } from '../../src/knowledge/stores/postgres/words.ts';
import type { PageStore } from '../../src/search/page-store.ts';
import { decompressText, prefixTermsWithOwner, termsToIndex } from '../../src/search/stores/page-text.ts';
import { encodePageWords } from '../../src/search/stores/postgres/page-words.ts';
import type { AnyDatabase } from '../../src/storage/any-database.ts';
import { addEntry } from '../helpers/entry-stores.ts';

/** Notes whose words have another form than earlier versions gave them, each with a question that finds it by the new form. */
const NOTES: readonly (readonly [text: string, question: string])[] = [
  ['Die Häuser am Hafen werden im Frühling von den Leuten verkauft', 'Haus'],
  ['Лодки стоят у старого причала', 'лодка'],
  ['Les chevaux mangent dans les prés avec les vaches', 'cheval'],
  ['Le biciclette sono nel cortile della scuola', 'bicicletta'],
  ['As crianças brincavam no jardim com os vizinhos', 'criança'],
  ['The crane 🏗️ is painted in the yard', '🏗️'],
  ['The survey is due on 14 March 2026', '2026-03-14'],
  ['The old mill costs 1,250,000 this year', '1250000'],
  ['The C++ compiler has a new name', 'C++'],
  ['The Wi-Fi has a new password', 'wifi'],
];
const ENGLISH = ['The gutters are cleaned every autumn', 'Milk and flour are on the list'];
const OWNERS = ['ann', 'bob', 'carl'];

export interface RenewalPlace {
  open(): Promise<AnyDatabase>;
  remove(): Promise<void>;
}

interface Passage {
  readonly owner: number;
  readonly id: number;
  readonly words: number;
  readonly text: string;
}

/** Gives all passages the words that Magpie gave them before it had stemmers of other languages, emoji and days. */
async function age(db: AnyDatabase): Promise<void> {
  const PASSAGES = 'SELECT id, words, text FROM kb_passages WHERE id >= ? AND id < ?';
  await db.write(function* (sql) {
    const owners = yield* sql.all<{ id: number }>('SELECT id FROM kb_owners ORDER BY id');
    for (const { id: owner } of owners) {
      const [from, to] = [owner * 2 ** 31, (owner + 1) * 2 ** 31];
      for (const { id, words, text } of yield* sql.all<Passage>(PASSAGES, from, to)) {
        const all = extractSearchWords(text);
        const old = all.filter((word) => /^[\p{L}\p{M}\d]+$/u.test(word) && !/^(?:1250000|wifi)$/.test(word));
        const times = countOccurrences(old);
        if (sql.dialect === 'postgres') yield* replaceWords(sql, owner, [{ id, times }]);
        else {
          yield* sql.run('DELETE FROM kb_words WHERE rowid = ?', id * 256 + words);
          yield* insertWords(sql, owner, { id, words }, times);
        }
      }
    }
    yield* sql.run('UPDATE kb_owners SET form = 0, reformed = 1');
  });
}

export function describeWordRenewal(name: string, make: () => Promise<RenewalPlace>): void {
  describe(`the renewal of words on ${name}`, () => {
    let place: RenewalPlace;
    let db: AnyDatabase;
    let store: EntryStore;
    const never = new AbortController().signal;

    beforeEach(async () => {
      place = await make();
      db = await place.open();
      store = createEntryStore(db);
    });
    afterEach(() => place.remove());

    /** Saves the notes for each owner, each `copies` times with another ending. */
    async function fill(copies: number): Promise<void> {
      for (const owner of OWNERS) {
        for (let copy = 0; copy < copies; copy++) {
          for (const text of [...NOTES.map(([note]) => note), ...ENGLISH])
            await addEntry(store, owner, `${text} ${copy}${owner}`);
        }
        await find(owner, 'autumn');
      }
    }
    async function find(owner: string, question: string, of = store): Promise<readonly number[]> {
      const { scored } = await of.findByWords(owner, question, 100);
      return scored.map(({ place: at }) => at).sort((a, b) => a - b);
    }
    const findAll = (of = store) =>
      Promise.all(OWNERS.flatMap((owner) => NOTES.map(([, question]) => find(owner, question, of))));

    test('notes of an earlier version are found by their new words, and others keep theirs', async () => {
      await fill(8);
      const wanted = await findAll();
      expect(wanted.map(({ length }) => length)).toEqual(wanted.map(() => 8));
      await age(db);
      expect((await findAll()).filter(({ length }) => length === 0).length).toBeGreaterThan(
        OWNERS.length * 3,
      );
      const english = await find('ann', 'gutters');
      expect(await store.renewWords(never)).toBe(OWNERS.length * 8 * NOTES.length);
      expect(await findAll()).toEqual(wanted);
      expect(await find('ann', 'gutters')).toEqual(english);
      expect(await store.renewWords(never)).toBe(0);
      await addEntry(store, 'dora', 'Die Häuser werden von den Leuten verkauft');
      expect(await store.renewWords(never)).toBe(0);
    });

    test('a renewal that is stopped at any step continues, also in another process and beside it', async () => {
      await fill(8);
      const wanted = await findAll();
      await age(db);
      let count = 0;
      for (let more = true; more; ) {
        const stop = new AbortController();
        let steps = 0;
        const stopping: AnyDatabase = {
          ...db,
          writeReplaceable(work) {
            if (++steps === 2) stop.abort();
            return db.writeReplaceable(work);
          },
        };
        const done = await createEntryStore(stopping).renewWords(stop.signal);
        expect(done).toBeLessThanOrEqual(48);
        count += done;
        more = steps > 0;
      }
      expect(count).toBe(OWNERS.length * 8 * NOTES.length);
      expect(await findAll()).toEqual(wanted);
      await age(db);
      const other = createEntryStore(await place.open());
      const [one, two] = await Promise.all([store.renewWords(never), other.renewWords(never)]);
      expect(one + two).toBe(count);
      expect(await findAll(other)).toEqual(wanted);
    });

    test('entries that come and go meanwhile are found and gone, and what is in the trash has its new words too', async () => {
      await fill(8);
      await age(db);
      const [, question] = NOTES[0] ?? ['', ''];
      const entries = await store.listEntries('ann', 100, 'oldest');
      const german = entries.entries.filter(({ text }) => text.startsWith('Die Häuser'));
      const [removed, trashed] = german;
      const renewing = store.renewWords(never);
      await store.removeEntry('ann', removed?.id ?? '');
      const { batch = '' } = await store.moveToTrash('ann', trashed?.id ?? '');
      await addEntry(store, 'ann', 'Die Häuser am See werden von den Leuten verkauft');
      await renewing;
      expect(await find('ann', question)).toHaveLength(german.length - 1);
      await store.restoreFromTrash('ann', { batch });
      expect(await find('ann', question)).toHaveLength(german.length);
    });
  });
}

const PAGES: readonly (readonly [text: string, question: string])[] = [
  ['Die Häuser am Hafen werden im Frühling von den Leuten verkauft', 'Haus'],
  ['Лодки стоят у старого причала в городе', 'лодка'],
  ['Les chevaux mangent dans les prés avec les vaches', 'cheval'],
  ['The gutters are cleaned every autumn', 'gutters'],
];

interface OldPage {
  readonly id: number;
  readonly owner: string;
  readonly number: number;
  readonly title: string;
  readonly text: Uint8Array;
}

/** Gives all pages the words that Magpie gave them before it had stemmers of other languages. */
async function agePages(db: AnyDatabase): Promise<void> {
  await db.write(function* (sql) {
    const isPostgres = sql.dialect === 'postgres';
    const rows = yield* sql.all<OldPage>(
      isPostgres
        ? 'SELECT id, owner, 0 AS number, title, text FROM pages'
        : 'SELECT p.id, o.name AS owner, o.id AS number, p.title, p.text FROM pages p JOIN page_owners o ON o.id = p.owner',
    );
    for (const { id, owner, number, title, text } of rows) {
      const [titleTerms, textTerms] = [termsToIndex(title), termsToIndex(decompressText(text))];
      if (isPostgres) {
        const { terms, counts } = encodePageWords(owner, { titleTerms, textTerms } as never);
        yield* sql.run(
          'UPDATE pages SET form = 0, terms = CAST(? AS bigint[]), counts = CAST(? AS smallint[]) WHERE owner = ? AND id = ?',
          ...[terms, counts, owner, id],
        );
      } else {
        yield* sql.run('DELETE FROM pages_fts WHERE rowid = ?', id);
        yield* sql.run(
          'INSERT INTO pages_fts (rowid, title, text) VALUES (?, ?, ?)',
          ...[id, prefixTermsWithOwner(number, titleTerms), prefixTermsWithOwner(number, textTerms)],
        );
      }
    }
    if (!isPostgres) yield* sql.run('UPDATE pages SET form = 0');
  });
}

export function describePageRenewal(
  name: string,
  make: () => Promise<RenewalPlace>,
  openStore: (db: AnyDatabase) => PageStore,
): void {
  describe(`the renewal of the words of pages on ${name}`, () => {
    let place: RenewalPlace;
    let db: AnyDatabase;
    let store: PageStore;
    const never = new AbortController().signal;

    beforeEach(async () => {
      place = await make();
      db = await place.open();
      store = openStore(db);
      for (const owner of OWNERS) {
        const pages = PAGES.map(([text], at) => ({
          url: `https://a.example/${at}`,
          title: `${at}`,
          text,
          readAt: at,
        }));
        await store.savePages(owner, pages);
      }
    });
    afterEach(() => place.remove());

    const findAll = (of = store) =>
      Promise.all(
        OWNERS.flatMap((owner) =>
          PAGES.map(async ([, question]) =>
            (await of.searchPages(owner, question, 10)).map(({ url }) => url),
          ),
        ),
      );

    test('pages of an earlier version are found by their new words, in whatever steps and processes', async () => {
      const wanted = await findAll();
      expect(wanted.map(({ length }) => length)).toEqual(wanted.map(() => 1));
      expect(await store.renewWords(never)).toBe(0);
      await agePages(db);
      expect((await findAll()).filter(({ length }) => length === 0).length).toBeGreaterThan(OWNERS.length);
      expect(await store.renewWords(AbortSignal.abort())).toBe(0);
      const other = openStore(await place.open());
      const [one, two] = await Promise.all([store.renewWords(never), other.renewWords(never)]);
      expect(one + two).toBe(OWNERS.length * PAGES.length);
      expect(await findAll()).toEqual(wanted);
      expect(await findAll(other)).toEqual(wanted);
      expect(await store.renewWords(never)).toBe(0);
      await store.savePages('ann', [
        { url: 'https://a.example/0', title: '0', text: 'Das Haus am See', readAt: 9 },
      ]);
      expect(await store.renewWords(never)).toBe(0);
    });

    test('a page that is damaged keeps the words that it has, and others get theirs', async () => {
      await agePages(db);
      await db.write((sql) =>
        sql.run("UPDATE pages SET text = ? WHERE url = 'https://a.example/3'", Buffer.from('x')),
      );
      expect(await store.renewWords(never)).toBe(OWNERS.length * (PAGES.length - 1));
      expect(await store.renewWords(never)).toBe(0);
    });
  });
}
