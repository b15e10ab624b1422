import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileReader } from '../src/browse/reading/file-reader.ts';
import { printTable, whole } from './figures.ts';

/**
 * Reading order: the share of Poppler's sequences of six words that a page's text has, on the pages with two columns of
 * running text, for Magpie's reader and for the text as pdf.js gives it. Poppler's `pdftotext` is the reference, errors of its
 * own included: pages whose words it spells otherwise (small capitals, fonts without names of letters) lower all figures. So more
 * rows count what is about order alone: pages that have at least 95% of the same words, and running text, which is sequences of words of
 * letters only that both have, since no two readers give the labels of a plot or the signs of a formula in one order. A third counts the
 * sequences that are in the order of drawing too: on the rest, Poppler stands alone.
 */

const SEQUENCE = 6;
const MAX_PAGES = 40;
/** Words of a page, and of each of its columns, that make it one of two columns. */
const MIN_PAGE_WORDS = 120;
const MIN_COLUMN_WORDS = 50;
const MIN_LINES = 10;
/** Share of words that two readings of a page have in common to be compared by order alone. */
const SAME_WORDS = 0.95;
/** Letters of six words of running text, at least; initials and variables have fewer. */
const MIN_LETTERS = 24;
/** Words that a line of running text has. */
const LINE_WORDS = 4;

interface Word {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** Compares on all PDF files of a folder. */
export async function runOrder(folder: string, reader: FileReader): Promise<void> {
  const { extractText, getDocumentProxy } = await import('unpdf');
  const signal = new AbortController().signal;
  const scores: Score[] = [];
  let files = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.pdf$/i.test(name)) continue;
    const path = join(folder, name);
    const columned = columnedPages(path);
    if (columned.length === 0) continue;
    const file = new Uint8Array(readFileSync(path));
    const reference = poppler('-l', `${MAX_PAGES}`, path, '-').split('\f');
    try {
      const document = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 });
      const { text } = await extractText(document, { mergePages: false });
      await document.loadingTask.destroy();
      const { pages } = await reader.read({ file, name, signal });
      files++;
      for (const at of columned) {
        scores.push(scoreOf(reference[at] ?? '', pages[at] ?? '', text[at] ?? ''));
      }
    } catch (thrown) {
      process.stdout.write(`${name} is left out: ${(thrown as Error).message}\n`);
    }
  }
  process.stdout.write(
    `\n${files} files, ${scores.length} pages of two columns, of which Magpie finds tables on `,
  );
  process.stdout.write(`${scores.filter(({ tables }) => tables).length}\n\n`);
  const same = scores.filter(({ shared }) => shared >= SAME_WORDS);
  const row = (title: string, values: readonly number[]) => {
    const sorted = [...values].sort((one, other) => one - other);
    const quantile = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3);
    const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
    const poor = sorted.filter((value) => value < 0.8).length;
    return [title, mean.toFixed(3), quantile(0.1), quantile(0.25), quantile(0.5), whole(poor)];
  };
  printTable(
    ["of Poppler's order", 'mean', '10%', '25%', 'median', 'pages under 0.8'],
    [
      row(
        'Magpie',
        scores.map(({ magpie }) => magpie),
      ),
      row(
        `Magpie, the ${same.length} pages of the same words`,
        same.map(({ magpie }) => magpie),
      ),
      row(
        'Magpie, running text',
        scores.map(({ running }) => running).filter((share) => !Number.isNaN(share)),
      ),
      row(
        "Magpie, what pdf.js's order has too",
        scores.map(({ agreed }) => agreed).filter((share) => !Number.isNaN(share)),
      ),
      row(
        'pdf.js, as drawn',
        scores.map(({ bare }) => bare),
      ),
    ],
  );
}

interface Score {
  readonly magpie: number;
  readonly bare: number;
  /** The same of running text alone; NaN where the page has none. */
  readonly running: number;
  /** The same of sequences that stand in the order of drawing too; NaN where there are none. */
  readonly agreed: number;
  /** Words in common, of those of the reading that has more. */
  readonly shared: number;
  readonly tables: boolean;
}

function scoreOf(reference: string, given: string, bare: string): Score {
  const [wanted, got] = [wordsOf(reference), wordsOf(given)];
  const counts = countsOf(got);
  const common = [...countsOf(wanted)].reduce(
    (sum, [word, count]) => sum + Math.min(count, counts.get(word) ?? 0),
    0,
  );
  const isRunning = (words: readonly string[]) =>
    words.join('').length >= MIN_LETTERS && words.every((word) => /^\p{L}+$/u.test(word) && counts.has(word));
  return {
    magpie: recall(sequences(wanted), sequences(got)) || 0,
    bare: recall(sequences(wanted), sequences(wordsOf(bare))) || 0,
    running: recall(sequences(wanted, isRunning), sequences(got)),
    agreed: recall(shared(sequences(wanted), sequences(wordsOf(bare))), sequences(got)),
    shared: common / Math.max(1, wanted.length, got.length),
    tables: /^\| --- /m.test(given),
  };
}

function poppler(...args: string[]): string {
  const { stdout, error } = spawnSync('pdftotext', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw new Error('pdftotext is not installed: apt install poppler-utils', { cause: error });
  return stdout;
}

/** Pages, from 0, on which two columns of running text stand side by side, by the places that Poppler gives. */
function columnedPages(path: string): number[] {
  const found: number[] = [];
  const pages = poppler('-l', `${MAX_PAGES}`, '-bbox', path, '-').split('<page ').slice(1);
  for (const [at, page] of pages.entries()) {
    const width = Number(/width="([\d.]+)"/.exec(page)?.[1] ?? 0);
    const words = [
      ...page.matchAll(/<word xMin="([-\d.]+)" yMin="[-\d.]+" xMax="([-\d.]+)" yMax="([-\d.]+)"/g),
    ];
    const places = words.map(([, left, right, bottom]) => ({
      left: Number(left),
      right: Number(right),
      bottom: Number(bottom),
    }));
    if (isColumned(places, width)) found.push(at);
  }
  return found;
}

function isColumned(words: readonly Word[], width: number): boolean {
  if (words.length < MIN_PAGE_WORDS) return false;
  const crossed = (x: number) => words.filter(({ left, right }) => left < x - 1 && right > x + 1).length;
  const places = Array.from({ length: 41 }, (_, at) => (width * (30 + at)) / 100);
  const sides = places
    .map((x) => ({
      crossing: crossed(x),
      columns: [words.filter(({ right }) => right <= x + 1), words.filter(({ left }) => left >= x - 1)],
    }))
    .filter(({ columns }) => columns.every(({ length }) => length >= MIN_COLUMN_WORDS))
    .sort((one, other) => one.crossing - other.crossing);
  const [best] = sides;
  if (!best || best.crossing > 0.15 * linesOf(words).length) return false;
  const [left = 0, right = 0] = best.columns.map(
    (column) => Math.max(...column.map((one) => one.right)) - Math.min(...column.map((one) => one.left)),
  );
  if (Math.max(left, right) > 1.43 * Math.min(left, right)) return false;
  return best.columns.every((column) => {
    const lines = linesOf(column);
    const full = lines.filter((count) => count >= LINE_WORDS).length;
    return full >= MIN_LINES && full >= 0.5 * lines.length;
  });
}

/** Words of each line. */
function linesOf(words: readonly Word[]): number[] {
  const lines: { bottom: number; count: number }[] = [];
  for (const { bottom } of [...words].sort((one, other) => one.bottom - other.bottom)) {
    const last = lines.at(-1);
    if (last && bottom - last.bottom < 3) last.count++;
    else lines.push({ bottom, count: 1 });
  }
  return lines.map(({ count }) => count);
}

function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replace(/\]\([^)\s]*\)/g, ' ')
    .replace(/(\p{L})[-\u00ad]\s*\n\s*/gu, '$1')
    .toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function sequences(
  words: readonly string[],
  counts: (words: readonly string[]) => boolean = () => true,
): Map<string, number> {
  const all = words.slice(SEQUENCE - 1).map((_, at) => words.slice(at, at + SEQUENCE));
  return countsOf(all.filter(counts).map((sequence) => sequence.join(' ')));
}

function shared(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const least = [...one].map(([key, count]) => [key, Math.min(count, other.get(key) ?? 0)] as const);
  return new Map(least.filter(([, count]) => count > 0));
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function recall(wanted: ReadonlyMap<string, number>, given: ReadonlyMap<string, number>): number {
  let [found, all] = [0, 0];
  for (const [key, count] of wanted) {
    all += count;
    found += Math.min(count, given.get(key) ?? 0);
  }
  return found / all;
}
