import { afterEach, beforeEach } from 'vitest';
import { chunkEntry, normalizeEntry } from '../../src/knowledge/entries/new-entry.ts';
import type { EntryStore } from '../../src/knowledge/store.ts';
import type { NewEntry } from '../../src/knowledge/types.ts';

/** What the contract suites of EntryStore begin with. */

const WINDOW = 256;

export const prepared = (entry: NewEntry) => chunkEntry(normalizeEntry(entry), WINDOW);

/** A text of about this many passages. */
export const longText = (passages: number, word = 'magpie') =>
  Array.from({ length: passages }, (_, i) => `# Part ${i}\n\n${`${word} ${i} `.repeat(60)}\n\n`).join('');

/** A process that has the store open; `drop` is its end by a kill. */
export interface EntryStoreOpener {
  readonly store: EntryStore;
  drop(): Promise<void>;
}

/** Microseconds since 1970 of all openers. */
export interface StoreClock {
  now: number;
}

/** Makes a store that is empty at first, and gives what opens it. */
export type EmptyStoreMaker = (
  clock: StoreClock,
) => Promise<{ open(): Promise<EntryStoreOpener>; remove(): Promise<void> }>;

/** An empty store before each test, handed to `begin` with its clock; the function opens it once more. */
export function openEachTime(
  makeEmpty: EmptyStoreMaker,
  begin: (store: EntryStore, clock: StoreClock) => void,
): () => Promise<EntryStoreOpener> {
  let empty: Awaited<ReturnType<EmptyStoreMaker>>;
  const openers: EntryStoreOpener[] = [];
  const open = async () => {
    const opener = await empty.open();
    openers.push(opener);
    return opener;
  };
  beforeEach(async () => {
    const clock = { now: 1_000_000 };
    empty = await makeEmpty(clock);
    begin((await open()).store, clock);
  });
  afterEach(async () => {
    for (const opener of openers.splice(0)) await opener.drop();
    await empty.remove();
  });
  return open;
}

/** Inserts one entry; a text stands for an entry of that text. */
export async function addEntry(into: EntryStore, owner: string, entry: NewEntry | string) {
  const given = typeof entry === 'string' ? { text: entry } : entry;
  const [one] = await into.insertEntries([{ owner, entry: await prepared(given) }]);
  if (!one) throw new Error('nothing was added');
  return one;
}
