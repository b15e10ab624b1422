import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import type { PassageMatch } from '../../src/knowledge/types.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

/** A question right after an insert, and what the ten places of an answer go to. */

const { signal } = new AbortController();
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(
  embedder = createWordEmbedder({ synonyms: { bird: 'magpi', pet: 'dog' } }),
  options: { readonly awaitedMs?: number } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-fresh-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openTestDatabase({ folder });
  const log = { warn() {}, info() {} };
  const store = createEntryStore(db);
  const knowledge = createKnowledge({ store, embedder, openIndex: openGrowingIndex, log, ...options });
  closers.push(async () => {
    await knowledge.close();
    db.close();
  });
  const keep = (text: string, owner = 'ann') => knowledge.insertEntry(owner, { text }, signal);
  const ask = (q: string, options = {}) => knowledge.findPassages('ann', q, options, signal);
  return { knowledge, embedder, keep, ask };
}

/** Makes passages wait until it is opened; questions get their vectors at once. `onBatch` hears of each batch of passages. */
function withGate(
  embedder: ReturnType<typeof createWordEmbedder>,
  onBatch: (texts: readonly string[]) => void = () => {},
) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { embed } = embedder;
  embedder.embed = async (texts, kind, until) => {
    if (kind === 'passage') {
      onBatch(texts);
      const ended = new Promise((_, reject) =>
        until.addEventListener('abort', () => reject(until.reason), { once: true }),
      );
      await Promise.race([promise, ended]);
    }
    return embed.call(embedder, texts, kind, until);
  };
  return resolve;
}

const textsOf = (matches: readonly PassageMatch[]) => matches.map(({ passage }) => passage.text);
const filesOf = (matches: readonly PassageMatch[]) => matches.map(({ passage }) => passage.of);

describe('a question right after an insert', () => {
  test('finds the new entry by its meaning', async () => {
    const { knowledge, keep, ask } = await open();
    await keep('The kettle boils at noon.');
    await keep('Magpies hoard.');
    expect(textsOf(await ask('bird'))[0]).toBe('Magpies hoard.');
    expect(await knowledge.countPending('ann', 10)).toBe(0);
    await keep('The dog sleeps.');
    expect(textsOf(await ask('pet'))[0]).toBe('The dog sleeps.');
  });

  test('is served before waiting passages of other owners', async () => {
    const embedder = createWordEmbedder({ synonyms: { bird: 'magpi' } });
    const batches: string[] = [];
    const release = withGate(embedder, (texts) => batches.push(texts.join(' ')));
    const { knowledge, keep, ask } = await open(embedder);
    await Promise.all(Array.from({ length: 1000 }, (_, i) => keep(`number ${i}`, `other${i % 2}`)));
    await keep('Magpies hoard.');
    const asked = ask('bird');
    // By then the question waits for its owner's passage, behind the batch that is under way.
    setTimeout(release, 500);
    expect(textsOf(await asked)).toEqual(['Magpies hoard.']);
    await expect.poll(() => knowledge.countPending('other0', 2000)).toBe(0);
    await expect.poll(() => knowledge.countPending('other1', 2000)).toBe(0);
    const at = batches.findIndex((texts) => texts.includes('Magpies'));
    expect(at).toBeGreaterThanOrEqual(0);
    expect(at).toBeLessThan(batches.length / 2);
  });

  test('does not wait for many passages, and finds them by their words', async () => {
    const embedder = createWordEmbedder({ synonyms: { bird: 'magpi' } });
    const release = withGate(embedder);
    const { knowledge, keep, ask } = await open(embedder);
    await Promise.all(Array.from({ length: 65 }, (_, i) => keep(`Magpies hoard item ${i}.`)));
    expect(await ask('bird')).toEqual([]);
    expect(await ask('hoarding')).toHaveLength(10);
    expect(await knowledge.countPending('ann', 1000)).toBe(65);
    release();
  });

  test('waits once, not at each question, for an embedder that never answers', async () => {
    const embedder = createWordEmbedder();
    withGate(embedder);
    const { keep, ask } = await open(embedder, { awaitedMs: 400 });
    await keep('Magpies hoard.');
    const order: string[] = [];
    const later = new Promise((resolve) => setTimeout(resolve, 100)).then(() => order.push('a moment'));
    await Promise.all([ask('hoarding').then(() => order.push('first')), later]);
    for (const q of ['hoards', 'hoarded', 'hoard']) {
      expect(textsOf(await ask(q))).toEqual(['Magpies hoard.']);
    }
    order.push('more');
    expect(order).toEqual(['a moment', 'first', 'more']);
  });

  test('shows the entry with its words even if ten embedded entries have them too', async () => {
    const embedder = createWordEmbedder();
    const { knowledge, keep, ask } = await open(embedder, { awaitedMs: 100 });
    for (let i = 0; i < 40; i++) await keep(`The herons wade ${i}; herons wade and herons wade again.`);
    await knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal);
    const release = withGate(embedder);
    await keep('In a longer note about many other things of that week, a heron is named once, near its end.');
    expect(textsOf(await ask('herons wade'))).toContainEqual(expect.stringContaining('In a longer note'));
    expect(await ask('herons wade')).toHaveLength(10);
    release();
  });
});

describe('the ten places of an answer', () => {
  const page = (n: number) => `Page ${n}. ${`Pumps are cleaned with water and oil. `.repeat(30)}`;

  test('go to three passages of a long file where other entries fit', async () => {
    const { knowledge, keep, ask } = await open();
    await knowledge.putDocument(
      'ann',
      { name: 'manual.pdf' },
      Array.from({ length: 40 }, (_, i) => page(i)),
      signal,
    );
    for (let i = 0; i < 8; i++) await keep(`Note ${i}: the pumps were cleaned with oil by hand.`);
    await keep('The dog sleeps.');
    await knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal);
    const matches = await ask('how are pumps cleaned with oil');
    expect(matches).toHaveLength(10);
    expect(filesOf(matches).filter((of) => of === 'doc://manual.pdf').length).toBeLessThanOrEqual(3);
    expect(textsOf(matches)).not.toContain('The dog sleeps.');
    expect(matches.map(({ score }) => score)).toEqual(
      matches.map(({ score }) => score).sort((a, b) => b - a),
    );
  });

  test('go to the file alone where no other entry fits or exists', async () => {
    const { knowledge, keep, ask } = await open();
    await knowledge.putDocument(
      'ann',
      { name: 'manual.pdf' },
      Array.from({ length: 40 }, (_, i) => page(i)),
      signal,
    );
    await knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal);
    expect(new Set(filesOf(await ask('how are pumps cleaned')))).toEqual(new Set(['doc://manual.pdf']));
    expect(await ask('how are pumps cleaned')).toHaveLength(10);
    for (let i = 0; i < 12; i++) await keep(`Birthday ${i}: cake, candles, presents.`);
    await knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal);
    const files = filesOf(await ask('how are pumps cleaned'));
    expect(files.filter((of) => of === 'doc://manual.pdf').length).toBeGreaterThanOrEqual(9);
  });

  test('are marked weak where they do not match the question', async () => {
    const { knowledge, keep, ask } = await open();
    await knowledge.putDocument(
      'ann',
      { name: 'manual.pdf' },
      Array.from({ length: 12 }, (_, i) => page(i)),
      signal,
    );
    await keep('The dentist expects me on Tuesday.');
    await knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal);
    const matches = await ask('dentist on Tuesday');
    expect(matches[0]).toMatchObject({ passage: { text: 'The dentist expects me on Tuesday.' } });
    expect(matches[0]?.weak).toBeUndefined();
    expect(matches.length).toBeGreaterThan(5);
    for (const { weak } of matches.slice(1)) expect(weak).toBe(true);
  });
});
