import { expect, test } from 'vitest';
import { createFileReader } from '../../src/browse/reading/file-reader.ts';
import { createReaderPool } from '../../src/browse/reading/reader-pool.ts';
import { docx } from '../helpers/archives.ts';
import { makePdf } from '../helpers/pdf.ts';
import { processesOf } from '../helpers/resident.ts';

/** Alone in its process: the readers are those that this process has started. */

/** A line of text in a document. */
const LINE = '<w:p><w:r><w:t>Words of the mill and of the tides.</w:t></w:r></w:p>';

test.runIf(process.platform === 'linux')('the memory for large files is freed at once', async () => {
  const desk = createReaderPool({ memoryBytes: 1_000_000_000 });
  const reader = createFileReader(desk);
  const never = new AbortController().signal;
  const others = new Set(processesOf(process.pid).map(({ pid }) => pid));
  const readers = () => processesOf(process.pid).filter(({ pid }) => !others.has(pid));
  const read = (name: string, file: Uint8Array) => reader.read({ name, file, signal: never });

  await read('small.pdf', new Uint8Array(makePdf(['A small file.'])));
  const [kept] = readers();
  // It stays for the next file, also one of many pages.
  await read('book.pdf', new Uint8Array(makePdf(Array.from({ length: 30 }, (_, at) => `Page ${at}`))));
  expect(readers().map(({ pid }) => pid)).toEqual([kept?.pid]);

  // Unpacks to some hundred times its bytes, and is read.
  const bombs = [1, 2].map(() => read('bomb.docx', docx(LINE.repeat(25_000))));
  for (const { pages } of await Promise.all(bombs)) expect(pages.join('')).toContain('Words of the mill');
  await expect.poll(() => readers().filter(({ bytes }) => bytes > 350e6)).toEqual([]);
  // One that needs about all that a reader has: it may be read or not, and ends with its reader.
  await Promise.allSettled([read('larger.docx', docx(LINE.repeat(150_000)))]);
  await expect.poll(() => readers().filter(({ bytes }) => bytes > 350e6)).toEqual([]);
  expect((await read('next.docx', docx(LINE))).pages).toHaveLength(1);
  await desk.close();
  await expect.poll(readers).toEqual([]);
});
