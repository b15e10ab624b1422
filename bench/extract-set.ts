import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { visibleText } from './extract-score.ts';
import { isSet, readSet, type SetPage, type SetScore, scoreSetPage } from './extract-set-score.ts';
import { median, printTable, whole } from './figures.ts';
import { peersPython } from './peers.ts';

/** What an extractor found on each page, and the processor seconds of that. */
interface Found {
  readonly texts: readonly string[];
  readonly seconds: number;
}

interface Tools {
  begin(name: string, folder: string): Promise<ChildProcess>;
  ask<T>(child: ChildProcess, question: string): Promise<T>;
}

const NAMES: Readonly<Record<string, string>> = {
  ours: 'Magpie',
  'readability+jsdom': 'readability on jsdom',
  trafilatura: 'trafilatura',
};
const KINDS = ['article', 'documentation', 'service', 'forum', 'product', 'collection', 'listing'];
const SCRIPT = fileURLToPath(new URL('./extract-peers.py', import.meta.url));

/**
 * Extraction by kind of page: F1 of words against texts that people marked, as WCXB's evaluate.py counts them; beside readability and
 * trafilatura on the same pages.
 */
export async function runSet(folder: string, tools: Tools): Promise<void> {
  if (!isSet(folder)) {
    process.stdout.write(`\n${JSON.stringify(folder)} has no ground-truth/ and html/\n`);
    return;
  }
  const pages = readSet(folder);
  process.stdout.write(`\n## extract --set: ${pages.length} pages, score of words\n\n`);
  const rates = new Map<string, number>();
  for (const [name, title] of Object.entries(NAMES)) {
    const found =
      name === 'trafilatura' ? askTrafilatura(folder) : await askTool(name, folder, pages.length, tools);
    if (!found) continue;
    print(title, pages, found);
    rates.set(title, pages.length / found.seconds);
  }
  const [own = 1] = rates.values();
  process.stdout.write('\n');
  printTable(
    ['', 'pages a processor second', 'ours by its'],
    [...rates].map(([title, rate]) => [title, rate.toFixed(1), (own / rate).toFixed(1)]),
  );
}

/** Pages that one process of a tool reads; jsdom keeps some 8 MB of each, and ran out of memory at 4 GB. */
const PAGES_A_PROCESS: Readonly<Record<string, number>> = { 'readability+jsdom': 200 };

async function askTool(name: string, folder: string, count: number, tools: Tools): Promise<Found> {
  const texts: string[] = [];
  let seconds = 0;
  const step = PAGES_A_PROCESS[name] ?? count;
  for (let from = 0; from < count; from += step) {
    const child = await tools.begin(name, folder);
    const found = await tools.ask<Found>(child, `texts ${from} ${from + step}`);
    child.kill();
    texts.push(...found.texts.map(visibleText));
    seconds += found.seconds;
  }
  return { texts, seconds };
}

function askTrafilatura(folder: string): Found | undefined {
  const python = peersPython(['trafilatura', 'lxml_html_clean']);
  if (python === undefined) return undefined;
  const output = mkdtempSync(join(tmpdir(), 'magpie-extract-'));
  try {
    const file = join(output, 'found.json');
    execFileSync(python, [SCRIPT, folder, file], { stdio: ['ignore', 'ignore', 'ignore'] });
    return JSON.parse(readFileSync(file, 'utf8')) as Found;
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function print(title: string, pages: readonly SetPage[], { texts, seconds }: Found): void {
  const scores = pages.map((page, i) => ({ kind: page.kind, ...scoreSetPage(page, texts[i] ?? '') }));
  const groups = [...KINDS, 'all'].map((kind) => ({
    kind,
    of: scores.filter((one) => kind === 'all' || one.kind === kind),
  }));
  process.stdout.write(`\n${title}, ${whole(pages.length / seconds)} pages a processor second\n\n`);
  printTable(
    ['', 'pages', 'F1', 'median', 'precision', 'recall', 'nearly empty', 'with', 'without'],
    groups.map(({ kind, of }) => {
      const mean = (key: keyof SetScore) => of.reduce((sum, one) => sum + one[key], 0) / of.length;
      const share = (key: keyof SetScore) => `${(100 * mean(key)).toFixed(1)}%`;
      const figures = (['f1', 'precision', 'recall'] as const).map((key) => mean(key).toFixed(3));
      figures.splice(1, 0, median(of.map(({ f1 }) => f1)).toFixed(3));
      return [kind, `${of.length}`, ...figures, share('empty'), share('with'), share('without')];
    }),
  );
}
