import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { StoredPage } from '../src/search/page-store.ts';
import { createSqlitePageStore } from '../src/search/stores/pages.ts';
import { loadSqlite } from '../src/storage/load-sqlite.ts';
import { openDatabase } from '../src/storage/sqlite.ts';
import { ARTICLES, dataFolder } from './data.ts';
import { median, printTable, whole } from './figures.ts';
import { articleTexts, numbers, syntheticTexts, type Texts } from './local-texts.ts';

/**
 * The local index: pages a second indexed, and milliseconds of a query, beside plain FTS5 with the same
 * tokenizer (text in a table, all words of the question joined by OR, bm25). Both are fed the same pages in
 * turns of 1,000, and asked the same questions in turn; both commit every 100 pages with synchronous=FULL.
 */

const TURN = 1000;
const BATCH = 100;
const QUESTIONS = 100;
const REPEATS = 15;

/** One side of the comparison. */
interface Index {
  put(pages: readonly StoredPage[]): Promise<void>;
  ask(words: readonly string[]): Promise<number>;
  megabytes(): number;
  close(): void;
}

/**
 * `npm run bench -- local [folder]`; the folder is scrapinghub's article benchmark, or holds it in articles/dev. `--pages <n>`: with so many
 * pages alone, and not with 10,000 and 100,000.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { pages: { type: 'string' } },
  });
  const folder = dataFolder(ARTICLES, positionals[0]);
  const sizes = values.pages === undefined ? [10_000, 100_000] : [Number(values.pages)];
  process.stdout.write(
    `\n## local: ${QUESTIONS} questions of 2 to 6 words out of a page; ms are p50 / p99, ratios are of medians\n\n`,
  );
  const rows: string[][] = [];
  const real = folder === undefined ? undefined : articleTexts(folder);
  if (real) rows.push(await measure(real, sizes[0] ?? 0));
  for (const size of sizes) rows.push(await measure(syntheticTexts(), size));
  printTable(
    [
      'pages',
      'texts',
      'pages/s',
      'FTS5',
      'ratio',
      'MB on disk',
      'FTS5',
      'question, ms',
      'FTS5',
      'ratio',
      'four commonest words, ms',
      'FTS5',
      'ratio',
    ],
    rows,
  );
}

async function measure(texts: Texts, size: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const [ours, plain] = [await openMagpie(folder), openPlain(folder)];
  const rates: [number[], number[]] = [[], []];
  const questions: string[][] = [];
  const random = numbers(77);
  try {
    for (let at = 0; at < size; at += TURN) {
      const pages = Array.from({ length: TURN }, (_, index) => ({
        ...texts.page(),
        url: `https://site${(at + index) % 50}.example/page/${at + index}`,
        readAt: at + index,
      }));
      questions.push(
        ...Array.from({ length: Math.ceil((QUESTIONS * TURN) / size) }, () => ask(pages, random)),
      );
      rates[0].push((TURN / (await timed(() => putAll(ours, pages)))) * 1000);
      rates[1].push((TURN / (await timed(() => putAll(plain, pages)))) * 1000);
    }
    const asked = questions.slice(0, QUESTIONS);
    const [mine, theirs] = await times(ours, plain, asked);
    const [mineWorst, theirsWorst] = await times(
      ours,
      plain,
      Array.from({ length: REPEATS }, () => texts.commonest),
    );
    const [a, b] = rates.map(median) as [number, number];
    return [
      whole(size),
      texts.name,
      whole(a),
      whole(b),
      (a / b).toFixed(2),
      whole(ours.megabytes()),
      whole(plain.megabytes()),
      ...compared(mine, theirs),
      ...compared(mineWorst, theirsWorst),
    ];
  } finally {
    ours.close();
    plain.close();
    rmSync(folder, { recursive: true });
  }
}

/** 2 to 6 words that stand together in a page: as common and as rare as words are. */
function ask(pages: readonly StoredPage[], random: () => number): string[] {
  const words = (pages[Math.floor(random() * pages.length)]?.text ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const from = Math.floor(random() * (words.length - 6));
  return words.slice(from, from + 2 + Math.floor(random() * 5));
}

async function putAll(index: Index, pages: readonly StoredPage[]): Promise<void> {
  for (let at = 0; at < pages.length; at += BATCH) await index.put(pages.slice(at, at + BATCH));
}

async function times(
  ours: Index,
  plain: Index,
  questions: readonly (readonly string[])[],
): Promise<[number[], number[]]> {
  const all: [number[], number[]] = [[], []];
  for (const question of questions) {
    all[0].push(await timed(() => ours.ask(question)));
    all[1].push(await timed(() => plain.ask(question)));
  }
  return all;
}

function compared(mine: readonly number[], theirs: readonly number[]): string[] {
  const show = (values: readonly number[]) =>
    `${median(values).toFixed(1)} / ${percentile99(values).toFixed(1)}`;
  return [show(mine), show(theirs), (median(mine) / median(theirs)).toFixed(2)];
}

function percentile99(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function openMagpie(parent: string): Promise<Index> {
  const folder = join(parent, 'magpie');
  const db = await openDatabase({ folder });
  const store = createSqlitePageStore(db, { maxPages: 1_000_000, maxBytes: 1e12 });
  return {
    put: (pages) => store.savePages('bench', pages),
    ask: async (words) => (await store.searchPages('bench', words.join(' '), 10)).length,
    megabytes: () => statSync(join(folder, 'magpie.sqlite')).size / 1e6,
    close: () => db.close(),
  };
}

function openPlain(parent: string): Index {
  const { DatabaseSync } = loadSqlite();
  const file = join(parent, 'plain.sqlite');
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT UNIQUE, title TEXT, text TEXT);
    CREATE VIRTUAL TABLE found USING fts5 (
      title, text, content = 'pages', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2')`);
  const page = db.prepare('INSERT INTO pages (url, title, text) VALUES (?, ?, ?)');
  const words = db.prepare('INSERT INTO found (rowid, title, text) VALUES (?, ?, ?)');
  const query = db.prepare(`SELECT url, p.title, snippet(found, 1, '', '', '…', 40) AS snippet
    FROM found JOIN pages AS p ON p.id = found.rowid WHERE found MATCH ? ORDER BY rank LIMIT 10`);
  return {
    async put(pages) {
      db.exec('BEGIN');
      for (const { url, title, text } of pages) {
        words.run(page.run(url, title, text).lastInsertRowid, title, text);
      }
      db.exec('COMMIT');
    },
    ask: async (asked) => query.all(asked.map((word) => `"${word}"`).join(' OR ')).length,
    megabytes: () => statSync(file).size / 1e6,
    close: () => db.close(),
  };
}
