import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ARTICLES, dataFolder } from './data.ts';
import { readArticles, type Score } from './extract-score.ts';
import { runSet } from './extract-set.ts';
import { hasSnippets, runSnippets } from './extract-snippets.ts';
import { median, printTable, whole } from './figures.ts';

/**
 * Extraction of articles: F1 of 4-grams against texts that people marked, pages a second from HTML to
 * Markdown, peak memory. Each tool runs in a process of its own, one round over all pages in turn, since the
 * machine drifts; medians of the rounds are compared.
 */

const NAMES: Readonly<Record<string, string>> = {
  ours: 'Magpie, one thread',
  reader: "Magpie, the server's readers",
  'readability+jsdom': 'readability on jsdom',
  'readability+linkedom': 'readability on linkedom',
  defuddle: 'defuddle on linkedom',
  dump: 'Magpie, the outline alone',
};

/**
 * `npm run bench -- extract [folder]`; the folder is scrapinghub's article benchmark, or holds it in articles/dev. `--rounds <n>` of `--seconds <s>` each at least: 3 of 3 without.
 * `extract --set <folder>` reads pages of several kinds, in WCXB's layout, or the odd half of trafilatura's evaluation.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      set: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
    },
  });
  if (values.set !== undefined && hasSnippets(values.set)) return runSnippets(values.set);
  if (values.set !== undefined) return runSet(values.set, { begin, ask });
  const rounds = Number(values.rounds);
  const folder = dataFolder(ARTICLES, positionals[0]);
  if (folder === undefined) return;
  const count = readArticles(folder).length;
  process.stdout.write(`\n## extract: ${count} articles, 4-gram score, ${rounds} rounds\n\n`);
  const tools = await Promise.all(
    Object.keys(NAMES).map(async (name) => ({ name, child: await begin(name, folder), rates: [0].slice(1) })),
  );
  const scores = new Map<string, Score & { f1: number }>();
  // The pass that gives the scores warms up.
  for (const { name, child } of tools) scores.set(name, await ask(child, 'score'));
  const memory = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const { name, child, rates } of tools) {
      const { ms, megabytes } = await ask<{ ms: number; megabytes: number }>(
        child,
        `round ${values.seconds}`,
      );
      rates.push((count / ms) * 1000);
      memory.set(name, megabytes);
    }
  }
  for (const { child } of tools) child.kill();
  const base = median(tools.find(({ name }) => name === 'readability+jsdom')?.rates ?? []);
  printTable(
    ['', 'F1', 'precision', 'recall', 'pages/s', 'of readability on jsdom', 'peak MB'],
    tools.map(({ name, rates }) => {
      const { f1, precision, recall } = scores.get(name) ?? { f1: 0, precision: 0, recall: 0 };
      const rate = median(rates);
      return [
        NAMES[name] ?? name,
        ...[f1, precision, recall].map((value) => value.toFixed(4)),
        whole(rate),
        `${(rate / base).toFixed(1)}x`,
        whole(memory.get(name) ?? 0),
      ];
    }),
  );
}

async function begin(name: string, folder: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./extract-tool.ts', import.meta.url)), [name, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function ask<T>(child: ChildProcess, question: string): Promise<T> {
  const answer = once(child, 'message');
  child.send(question);
  const [first] = await answer;
  return first as T;
}
