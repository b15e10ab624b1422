import { createPageReader } from '../src/browse/reading/page-reader.ts';
import { createReaderPool } from '../src/browse/reading/reader-pool.ts';
import { splitBlocks } from '../src/browse/reducing/blocks.ts';
import { shareWordBudget } from '../src/browse/reducing/budget.ts';
import { buildPageDigest } from '../src/browse/reducing/digest.ts';
import { keepWithinWords } from '../src/browse/reducing/keep-within-words.ts';
import { summarize } from '../src/browse/reducing/summarize.ts';
import { countWords, takeWords } from '../src/lib/text/text.ts';
import { reduceToPercentile } from '../test/helpers/reduce-to-percentile.ts';
import { ARTICLES, dataFolder } from './data.ts';
import { median, printTable, whole } from './figures.ts';
import { type AskedPage, askedPages, holds, type Question } from './reduce-data.ts';

type Cut = (page: AskedPage, question: Question) => string;

const CEILING = 300;
const SUMMARY = 80;
/** Articles that make one long page, and words that a search may give its text. */
const TOGETHER = 12;
const BUDGETS = [150, 300, 600, 1000, 1500, 2500];

/** What is kept of the answers when pages are cut down, and how fast. `-- reduce [folder of the articles]` */
export async function run([given]: readonly string[]): Promise<void> {
  const folder = dataFolder(ARTICLES, given);
  if (folder === undefined) return;
  const pages = await askedPages(folder);
  const questions = pages.reduce((sum, page) => sum + page.questions.length, 0);
  process.stdout.write(
    `\n## reduce: ${questions} questions on ${pages.length} pages, share of answers kept\n\n`,
  );
  printTable(['', 'tune', 'test', 'truncated', 'random blocks'], answerRows(pages));
  const read = await extracted(pages);
  process.stdout.write('\nOn the Markdown that our own extraction makes of the HTML:\n\n');
  printTable(['', 'tune', 'test', 'truncated', 'random blocks'], answerRows(read));
  process.stdout.write(
    `\nOn long pages, each ${TOGETHER} articles one after the other, cut to a search's words for one text:\n\n`,
  );
  printTable(['words', 'tune', 'test', 'truncated'], budgetRows(read));
  process.stdout.write('\n');
  printTable(['', 'MB/s'], speedRows(pages));
}

function answerRows(pages: readonly AskedPage[]): string[][] {
  const row = (name: string, cut: Cut): string[] => {
    const lengths = (page: AskedPage, question: Question) => countWords(cut(page, question));
    return [
      name,
      share(pages, 'tune', cut),
      share(pages, 'test', cut),
      share(pages, undefined, (page, question) => takeWords(page.text, lengths(page, question))),
      share(pages, undefined, (page, question) => randomBlocks(page, lengths(page, question))),
    ];
  };
  return [
    ...[50, 80, 95].map((percentile) =>
      row(`percentile ${percentile}`, ({ text, title }, { question }) =>
        reduceToPercentile(text, { query: question, title, percentile }),
      ),
    ),
    ...[50, 80].map((percentile) =>
      row(`percentile ${percentile}, question unknown`, ({ text, title }) =>
        reduceToPercentile(text, { query: '', title, percentile }),
      ),
    ),
    row(
      `a ceiling of ${CEILING} words`,
      ({ text, title }, { question: query }) =>
        shareWordBudget([{ text, weight: 1, focus: { query, title } }], CEILING)[0] ?? '',
    ),
    row(`the summary (${SUMMARY} words)`, ({ text }, { question }) => summarize(text, question, SUMMARY)),
  ];
}

/** What is kept of answers in a long page, by how many words a search gives its text. */
function budgetRows(pages: readonly AskedPage[]): string[][] {
  const kept = new Map(BUDGETS.map((words) => [words, { tune: [0, 0], test: [0, 0], truncated: [0, 0] }]));
  const count = (pair: number[] = [0, 0], hit = false) =>
    pair.splice(0, 2, (pair[0] ?? 0) + (hit ? 1 : 0), (pair[1] ?? 0) + 1);
  for (let from = 0; from < pages.length; from += TOGETHER) {
    const some = pages.slice(from, from + TOGETHER);
    const long = some.map(({ title, text }) => `# ${title}\n\n${text}`).join('\n\n');
    for (const { half, questions } of some) {
      for (const question of questions) {
        const wanted = { query: question.question, title: '', phrases: [], blockChars: 20_000 };
        const { text, ranking } = buildPageDigest(long, wanted).kept ?? { text: '', ranking: undefined };
        for (const [words, rows] of kept) {
          const cut = ranking ? keepWithinWords(text, ranking, 3, words).text : '';
          count(rows[half], holds(cut, question));
          count(rows.truncated, holds(takeWords(long, words), question));
        }
      }
    }
  }
  const figure = ([hits = 0, all = 0]: readonly number[]) => (hits / all).toFixed(3);
  return [...kept].map(([words, { tune, test, truncated }]) => [
    whole(words),
    figure(tune),
    figure(test),
    figure(truncated),
  ]);
}

function share(pages: readonly AskedPage[], half: AskedPage['half'] | undefined, cut: Cut): string {
  const hits = pages
    .filter((page) => half === undefined || page.half === half)
    .flatMap((page) => page.questions.map((question) => holds(cut(page, question), question)));
  return (hits.filter(Boolean).length / hits.length).toFixed(3);
}

/** Blocks in an order that has nothing to do with the question, until the words are used up. */
function randomBlocks({ text, id }: AskedPage, words: number): string {
  let state = Number.parseInt(id.slice(0, 8), 16);
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const blocks = splitBlocks(text).map((block) => ({ block, at: random() }));
  blocks.sort((a, b) => a.at - b.at);
  return takeWords(blocks.map(({ block }) => block.text).join('\n\n'), words);
}

/** The same pages with the text that our readers find; those of which nothing is found are left out. */
async function extracted(pages: readonly AskedPage[]): Promise<AskedPage[]> {
  const desk = createReaderPool();
  const reader = createPageReader(desk);
  try {
    return await Promise.all(
      pages.map(async (page) => {
        const { url, contentType } = { url: 'https://example.com/', contentType: 'text/html; charset=utf-8' };
        const raw = { url, contentType, body: Buffer.from(page.html) };
        const { title, markdown } = (await reader.readPage(raw, AbortSignal.timeout(60_000))).page;
        return { ...page, title, text: markdown };
      }),
    );
  } finally {
    await desk.close();
  }
}

/** Speed on long pages; taking a text apart at its white space and joining it is the least that any pass costs. */
function speedRows(pages: readonly AskedPage[]): string[][] {
  const text = pages.map((page) => `# ${page.title}\n\n${page.text}`).join('\n\n');
  const bytes = Buffer.byteLength(text);
  const speed = (pass: () => unknown): string => {
    const times = Array.from({ length: 7 }, () => {
      const start = performance.now();
      pass();
      return performance.now() - start;
    });
    return whole((bytes / 1e6 / median(times)) * 1000);
  };
  const question = { query: 'Why do farmers have to wait before burning fields?', title: '', percentile: 50 };
  return [
    ['split and join (the limit)', speed(() => text.split(/\s+/).join(' '))],
    [`reduce, one page of ${whole(bytes / 1000)} kB`, speed(() => reduceToPercentile(text, question))],
    ['summarize', speed(() => summarize(text, question.query, SUMMARY))],
  ];
}
