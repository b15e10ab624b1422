import { afterAll, expect, test } from 'vitest';
import { createFileReader, DEFAULT_FILE_BOUNDS } from '../../src/browse/reading/file-reader.ts';
import { createReaderPool } from '../../src/browse/reading/reader-pool.ts';
import { createDocumentReader } from '../../src/documents/reading.ts';
import { makePdf } from '../helpers/pdf.ts';

/** Long files are read in turns, and small files of others have theirs in between. */

const desk = createReaderPool();
afterAll(() => desk.close());
const never = new AbortController().signal;
const page = (at: number) => `# Mill ${at}\n${`Words of page ${at}, of wind and tides.\n`.repeat(40)}`;
const book = new Uint8Array(makePdf(Array.from({ length: 60 }, (_, at) => page(at + 1))));
const small = new Uint8Array(makePdf(['A small file.']));

test('a file read in slices gives the same text as a file read at once', async () => {
  const whole = await createFileReader(desk).read({ file: book.slice(), name: 'a.pdf', signal: never });
  const sliced = createFileReader(desk, DEFAULT_FILE_BOUNDS, 10);
  let turns = 1;
  let found = await sliced.readOn({ file: book.slice(), name: 'a.pdf', signal: never });
  for (; !('pages' in found); turns++) {
    found = await sliced.readOn({ file: book.slice(), name: 'a.pdf', signal: never }, found.soFar);
  }
  expect(turns).toBeGreaterThan(3);
  expect(found).toEqual(whole);
});

test('a file whose text exceeds every limit is refused before it is read to the end', async () => {
  const bounds = { ...DEFAULT_FILE_BOUNDS, characters: 40_000 };
  const reader = createFileReader(desk, bounds, 10);
  let [turns, soFar] = [0, undefined as Parameters<typeof reader.readOn>[1]];
  const readAll = async () => {
    for (; ; turns++) {
      const found = await reader.readOn({ file: book.slice(), name: 'a.pdf', signal: never }, soFar);
      if ('pages' in found) return;
      ({ soFar } = found);
    }
  };
  await expect(readAll()).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/^"a\.pdf" has too much text, in \d+ of its 60 pages alone: split it$/),
  });
  expect(turns).toBeGreaterThan(0);
  expect(soFar?.slices.at(-1)?.done).toBeLessThan(50);
});

test('small files of one user are read before the long files of other users, even when these occupy all places', async () => {
  const reader = createFileReader(desk, DEFAULT_FILE_BOUNDS, 10);
  const ended: string[] = [];
  const turns = new Map<string, number>();
  const readers = createDocumentReader({
    async readPages(file, soFar?: Parameters<typeof reader.readOn>[1]) {
      turns.set(file.name, (turns.get(file.name) ?? 0) + 1);
      return reader.readOn(file, soFar);
    },
    textsAtOnce: 2,
  });
  const read = async (owner: string, name: string, bytes: Uint8Array) => {
    await readers.readFile({ owner, name, signal: never }, async () => bytes.slice());
    ended.push(name);
  };
  const long = [read('ada', 'one.pdf', book), read('bob', 'two.pdf', book)];
  await expect.poll(() => turns.size).toBe(2);
  await Promise.all([read('cem', 'three.pdf', small), read('dora', 'four.pdf', small)]);
  expect(ended.sort()).toEqual(['four.pdf', 'three.pdf']);
  await Promise.all(long);
  expect(turns.get('three.pdf')).toBe(1);
  expect(turns.get('one.pdf')).toBeGreaterThan(3);
});

test('a page that occupies its reader for long does not delay files of other users', async () => {
  // Half a million text operators on one page, which no slice divides.
  const flood = new Uint8Array(makePdf([`${'(a) Tj '.repeat(10)}\n`, 'x\n'.repeat(150_000)]));
  const reader = createFileReader(desk);
  const ended: string[] = [];
  const readers = createDocumentReader({ readPages: reader.readOn });
  const stop = new AbortController();
  const read = async (owner: string, name: string, bytes: Uint8Array) => {
    await readers.readFile({ owner, name, signal: stop.signal }, async () => bytes.slice());
    ended.push(name);
  };
  const slow = read('ada', 'flood.pdf', flood);
  await expect.poll(() => readers.listReading('ada')[0]?.stage).toBe('text');
  await read('bob', 'small.pdf', small);
  expect(ended).toEqual(['small.pdf']);
  stop.abort();
  await expect(slow).rejects.toMatchObject({ name: 'AbortError' });
});
