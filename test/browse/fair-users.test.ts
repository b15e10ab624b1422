import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowse } from '../../src/browse/browse.ts';
import { createFileReader } from '../../src/browse/reading/file-reader.ts';
import { countConcurrentPages, planReaders } from '../../src/browse/reading/reader-plan.ts';
import { createReaderPool } from '../../src/browse/reading/reader-pool.ts';
import { createDocumentReader } from '../../src/documents/reading.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { xlsx } from '../helpers/archives.ts';
import { makePdf } from '../helpers/pdf.ts';

/** A user whose files and pages hold all readers that one user may have holds up no other user. */

/** Half a million text operators on one page, which no slice divides. */
const flood = new Uint8Array(makePdf([`${'(a) Tj '.repeat(10)}\n`, 'x\n'.repeat(150_000)]));
const numbers = xlsx(
  Object.fromEntries(
    ['Mills', 'Wheels', 'Sluices'].map((name) => [
      name,
      Array.from({ length: 1500 }, (_, row) => {
        const cells = [...'ABCDEFGH'].map(
          (column, at) => `<c r="${column}${row + 1}"><v>${row * at}</v></c>`,
        );
        return `<row r="${row + 1}">${cells.join('')}</row>`;
      }).join(''),
    ]),
  ),
);

/** The bytes with some of them replaced: the same ones each time (a linear congruential generator). */
function mutated(bytes: Uint8Array, seed: number): Uint8Array {
  const out = bytes.slice();
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  // What names the files in the archive stays: else nothing of it is read.
  for (let at = 0; at < 12; at++) out[200 + random(out.length - 1200)] = random(256);
  return out;
}

/** Each cell of a corner that is far away, on many sheets. */
const corners = xlsx(
  Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`S${at}`, '<row r="10000"><c r="ZZ10000"><v>1</v></c></row>']),
  ),
);

const PAGE_BYTES = 10_000_000;
const desk = createReaderPool();
const { readers: places, texts } = planReaders();
const pages: Record<string, Uint8Array> = {
  '/flood.pdf': flood,
  '/corners.xlsx': corners,
  '/note.html': Buffer.from(
    `<title>Mills</title><article><h1>Mills</h1><p>${'Of wind and tides. '.repeat(40)}</p></article>`,
  ),
  '/table.xlsx': xlsx({ A: '<row r="1"><c r="A1"><v>7</v></c></row>' }),
};
for (let seed = 1; seed <= 6; seed++) pages[`/fuzzed${seed}.xlsx`] = mutated(numbers, seed);

const server = createServer((request, response) => {
  const body = pages[(request.url ?? '').replace(/\?.*/, '')];
  const type = request.url?.includes('.html') ? 'text/html' : 'application/octet-stream';
  response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body);
});
let origin = '';
let browse: ReturnType<typeof createBrowse>;
const files = createDocumentReader({ readPages: createFileReader(desk).readOn, textsAtOnce: texts });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
  const fetch = createGuardedFetch({ userAgent: 'Magpie/test', allowHosts: [host], perOrigin: 64 });
  browse = createBrowse({ fetch, maxBytes: PAGE_BYTES, timeoutMs: 600_000, readers: desk });
});
afterAll(async () => {
  await browse.close();
  await desk.close();
  server.closeAllConnections();
  server.close();
});

/** Work of one user; `ended` counts what has ended, well or not. */
function user(owner: string, signal: AbortSignal) {
  const done = { ended: 0, arrived: 0 };
  const counted = <T>(work: Promise<T>) => {
    const ends = () => void done.ended++;
    work.then(ends, ends);
    return work;
  };
  return {
    done,
    upload: (name: string, bytes: Uint8Array) =>
      counted(files.readFile({ owner, name, signal }, async () => bytes.slice())),
    browse: (path: string) =>
      counted(
        browse.readPage(origin + path, {
          owner,
          signal,
          onStage: (stage) => void (stage === 'waiting' && done.arrived++),
          patience: 1,
        }),
      ),
    digest: (markdown: string) =>
      counted(
        browse.digest(markdown, { query: 'who built the mill', title: '', phrases: [] }, { owner, signal }),
      ),
  };
}

test('hostile files and pages of one user delay no upload, page or search of another user', async () => {
  const tides = 'Of wind and tides.\n\n'.repeat(2000);
  // All readers and workers run before they are busy.
  const early = Array.from({ length: places }, (_, at) => user(`early ${at}`, new AbortController().signal));
  await Promise.all(early.flatMap((one, at) => [one.browse(`/note.html?${at}`), one.digest(tides)]));
  const stop = new AbortController();
  const [ada, bob] = [user('ada', stop.signal), user('bob', new AbortController().signal)];
  const hostile = ['/flood.pdf', '/corners.xlsx', ...[1, 2, 3, 4, 5, 6].map((seed) => `/fuzzed${seed}.xlsx`)];
  const long = 'The mill was built by the Lake family in 1742. \n\n'.repeat(60_000);
  const floods = Array.from({ length: 2 * places }, (_, at) => ada.browse(`/flood.pdf?${at}`));
  const work = [
    ...floods,
    ...hostile.map((path) => ada.browse(`${path}?own`)),
    ...Array.from({ length: 4 }, (_, at) => ada.upload(`flood${at}.pdf`, flood)),
    ...Array.from({ length: 8 }, () => ada.digest(long)),
  ];
  const all = Promise.allSettled(work);
  // As much of hers as may be here is here, and waits for readers.
  const here = Math.min(floods.length + hostile.length, countConcurrentPages(places, PAGE_BYTES).perOwner);
  await expect.poll(() => ada.done.arrived, { timeout: 120_000 }).toBeGreaterThanOrEqual(here);
  const before = ada.done.ended;
  const [file, note, table, found] = await Promise.all([
    bob.upload('small.pdf', new Uint8Array(makePdf(['A small file.']))),
    bob.browse('/note.html'),
    bob.browse('/table.xlsx'),
    bob.digest(`${tides}The mill was built by the Lake family.`),
  ]);
  const ended = ada.done.ended - before;
  expect(file.pages.join('')).toContain('A small file.');
  expect(note.markdown).toContain('Of wind and tides.');
  expect(table.markdown).toContain('| 7 |');
  expect(found.highlights[0]?.text).toContain('the Lake family');
  // His were read while most of hers waited.
  expect(ended).toBeLessThan(work.length / 2);
  expect(work.length - ada.done.ended).toBeGreaterThan(places);
  stop.abort();
  await all;
}, 600_000);
