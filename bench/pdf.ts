import { parseArgs } from 'node:util';
import { createFileReader } from '../src/browse/reading/file-reader.ts';
import { createReaderPool } from '../src/browse/reading/reader-pool.ts';
import { makePdf } from '../test/helpers/pdf.ts';
import { median, printTable, whole } from './figures.ts';
import { syntheticTexts } from './local-texts.ts';
import { runOrder } from './pdf-order.ts';

/**
 * Pages a second of the reader of uploaded files (in its worker: places of letters, columns, tables, headings, running
 * heads) beside bare unpdf's `extractText` (letters in the order they were drawn) on the same files, in turn. With a folder of PDF
 * files: the order in which their columns are read, beside Poppler's.
 */

const SIZES = [10, 100, 1000];
/** Lines of a page, and characters of one. */
const LINES = 45;
const LINE = 85;

/** `npm run bench -- pdf [folder]`; the folder's files stay where they are. `--pages <n>`: one file of so many pages; `--rounds <n>`: 5 without. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { pages: { type: 'string' }, rounds: { type: 'string', default: '5' } },
  });
  const [folder] = positionals;
  const { extractText, getDocumentProxy } = await import('unpdf');
  const desk = createReaderPool();
  const reader = createFileReader(desk);
  if (folder !== undefined) {
    await runOrder(folder, reader);
    await desk.close();
    return;
  }
  const never = new AbortController().signal;
  const bare = async (bytes: Uint8Array) => {
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    await extractText(document, { mergePages: false });
    await document.loadingTask.destroy();
  };
  const rows: string[][] = [];
  for (const pages of values.pages === undefined ? SIZES : [Number(values.pages)]) {
    const pdf = makePdf(Array.from({ length: pages }, pageMaker()));
    const rates: { bare: number; magpie: number }[] = [];
    for (let round = 0; round <= Number(values.rounds); round++) {
      const seconds = {
        bare: await secondsOf(() => bare(pdf)),
        magpie: await secondsOf(() =>
          reader.read({ file: new Uint8Array(pdf), name: 'bench', signal: never }),
        ),
      };
      // The first round loads the library, and starts the worker.
      if (round > 0) rates.push({ bare: pages / seconds.bare, magpie: pages / seconds.magpie });
    }
    const [unpdf, magpie] = [
      median(rates.map((rate) => rate.bare)),
      median(rates.map((rate) => rate.magpie)),
    ];
    rows.push([
      whole(pages),
      `${whole(pdf.length / 1000)} kB`,
      whole(magpie),
      whole(unpdf),
      (magpie / unpdf).toFixed(2),
    ]);
  }
  await desk.close();
  printTable(['pages', 'file', 'Magpie, pages/s', 'bare unpdf, pages/s', 'share'], rows);
}

function pageMaker(): () => string {
  const texts = syntheticTexts();
  let words = '';
  return () => {
    const lines: string[] = [];
    while (lines.length < LINES) {
      if (words.length < LINE) words += ` ${texts.page().text}`;
      const end = words.lastIndexOf(' ', LINE);
      lines.push(words.slice(0, end).trim());
      words = words.slice(end);
    }
    return lines.join('\n');
  };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
