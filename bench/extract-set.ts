import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { visibleText } from './extract-score.ts';
import { isSet, readSet, type SetPage, type SetScore, scoreSetPage } from './extract-set-score.ts';
import { printTable, whole } from './figures.ts';
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
  for (const [name, title] of Object.entries(NAMES)) {
    const found = name === 'trafilatura' ? askTrafilatura(folder) : await askTool(name, folder, tools);
    if (found) print(title, pages, found);
  }
}

async function askTool(name: string, folder: string, { begin, ask }: Tools): Promise<Found> {
  const child = await begin(name, folder);
  const { texts, seconds } = await ask<Found>(child, 'texts');
  child.kill();
  return { texts: texts.map(visibleText), seconds };
}

function askTrafilatura(folder: string): Found | undefined {
  const python = peersPython(['trafilatura']);
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
    ['', 'pages', 'F1', 'precision', 'recall', 'nearly empty', 'with', 'without'],
    groups.map(({ kind, of }) => {
      const mean = (key: keyof SetScore) => of.reduce((sum, one) => sum + one[key], 0) / of.length;
      const share = (key: keyof SetScore) => `${(100 * mean(key)).toFixed(1)}%`;
      const figures = (['f1', 'precision', 'recall'] as const).map((key) => mean(key).toFixed(3));
      return [kind, `${of.length}`, ...figures, share('empty'), share('with'), share('without')];
    }),
  );
}
