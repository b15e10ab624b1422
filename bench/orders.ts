import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readPage } from '../src/browse/readers/page.ts';
import orders from './data/orders.json' with { type: 'json' };
import { printTable } from './figures.ts';

/** Attacks of BIPIA that only ask for another task: nothing in them speaks to a model, or is against the user. */
const PLAIN_TASKS: Readonly<Record<string, readonly string[]>> = {
  train: [
    'Information Retrieval',
    'Content Creation',
    'Learning and Tutoring',
    'Language Translation',
    'Programming Help',
  ],
  test: [
    'Task Automation',
    'Business Intelligence',
    'Conversational Agent',
    'Research Assistance',
    'Sentiment Analysis',
  ],
};
const OWN_PAGES = 120;
/** Where an order is put, as shares of a page's paragraphs. */
const PLACES = [0.1, 0.5, 0.9];
const MIN_PARAGRAPHS = 5;
/** Letters of an order by which a page's text is found to have it. */
const LETTERS = 40;

/**
 * Text that gives orders to a model: `npm run bench -- orders <folders>`. The folders hold ordinary pages (`.html`, `.html.gz`), of which the
 * share with warnings is printed; without one, a page of made-up sentences is read. 120 copies of pages get a visible paragraph with an order
 * of ours. `--bipia <folder>` also puts in the texts of `text_attack_train.json` and `text_attack_test.json`, by halves of their
 * SHA-256; `--names` prints each page that was flagged and each order that was missed.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { bipia: { type: 'string' }, names: { type: 'boolean', default: false } },
  });
  const say = (line: string) => values.names && process.stdout.write(`${line}\n`);
  const rows: string[][] = [];
  const add = (name: string, [told, all]: readonly [number, number]) =>
    rows.push([name, `${all}`, `${told}`, `${((100 * told) / Math.max(1, all)).toFixed(2)}%`]);
  const pages = positionals.flatMap(htmlIn);
  if (pages.length === 0) pages.push({ name: 'made-up', html: madeUp });
  for (const folder of positionals) add(`ordinary: ${folder}`, await flagged(htmlIn(folder), say));
  const bases = await roomy(pages);
  const own = ownOrders();
  for (const [kind, texts] of own) add(`injected: ${kind}`, await named(texts, bases, say));
  const all = own.flatMap(([, texts]) => texts);
  add('injected: all of ours', await named(all, bases, () => {}));
  for (const [name, texts] of values.bipia === undefined ? [] : bipiaOrders(values.bipia))
    add(`injected: ${name}`, await named(texts, bases, say));
  printTable(['pages', 'read', 'with warnings', 'share'], rows);
}

interface HtmlFile {
  readonly name: string;
  html(): string;
}

const madeUp = () =>
  `<title>Mills</title><h1>Mills</h1>${'<p>The wheel turns in the stream all day.</p>'.repeat(20)}`;

function htmlIn(folder: string): HtmlFile[] {
  return readdirSync(folder)
    .filter((name) => /\.html?(?:\.gz)?$/.test(name))
    .sort()
    .map((name) => ({
      name: join(folder, name),
      html: () => {
        const bytes = readFileSync(join(folder, name));
        return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      },
    }));
}

async function read(html: string) {
  const { page } = await readPage({
    url: 'https://example.com/page',
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(html),
  });
  return page;
}

type Say = (line: string) => void;

async function flagged(files: readonly HtmlFile[], say: Say): Promise<[number, number]> {
  let found = 0;
  for (const { name, html } of files) {
    const { warnings } = await read(html());
    if (warnings) found++;
    for (const { kind, place, text } of warnings ?? []) say(`flagged ${name} ${kind} (${place}): ${text}`);
  }
  return [found, files.length];
}

/** Pages with enough paragraphs, of which orders are put between two. */
async function roomy(files: readonly HtmlFile[]): Promise<string[]> {
  const found: string[] = [];
  for (const { html } of files) {
    const text = html();
    if (text.split('</p>').length > MIN_PARAGRAPHS && !(await read(text)).warnings) found.push(text);
    if (found.length >= OWN_PAGES) break;
  }
  return found;
}

/** Counts the orders that are named, of those that the page's Markdown has: some places are no part of its main text. */
async function named(
  texts: readonly string[],
  bases: readonly string[],
  say: Say,
): Promise<[number, number]> {
  let [found, shown] = [0, 0];
  for (const [at, text] of texts.entries()) {
    const paragraphs = escaped(text)
      .split('\n')
      .filter(Boolean)
      .map((one) => `<p>${one}</p>`)
      .join('');
    for (let tries = 0; tries < bases.length; tries++) {
      const base = (bases[(at + tries) % bases.length] ?? '').split('</p>');
      const place = Math.ceil((base.length - 1) * (PLACES[(at + tries) % PLACES.length] ?? 0.5));
      const html = `${base.slice(0, place).join('</p>')}</p>${paragraphs}${base.slice(place).join('</p>')}`;
      const { markdown, warnings } = await read(html);
      if (!lettersOf(markdown).includes(lettersOf(text).slice(-LETTERS))) continue;
      shown++;
      if (warnings) found++;
      else say(`missed ${text.replaceAll('\n', ' ')}`);
      break;
    }
  }
  return [found, shown];
}

const lettersOf = (text: string) => text.replace(/[^\p{L}]/gu, '');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function ownOrders(): [kind: string, texts: string[]][] {
  const { styles, goals, single, foreign } = orders;
  const left = OWN_PAGES - single.length - foreign.length;
  const filled = Array.from({ length: left }, (_, at) =>
    (styles[at % styles.length] ?? '').replace(
      '{goal}',
      goals[(at * 3 + Math.floor(at / styles.length)) % goals.length] ?? '',
    ),
  );
  return [
    ['addressed to a model, with a goal', filled],
    ['of one sentence', single],
    ['in eight other languages', foreign],
  ];
}

function bipiaOrders(folder: string): [name: string, texts: string[]][] {
  return ['train', 'test'].flatMap((part) => {
    const all = JSON.parse(readFileSync(join(folder, `text_attack_${part}.json`), 'utf8')) as Record<
      string,
      string[]
    >;
    const texts = Object.entries(all).flatMap(([kind, list]) =>
      PLAIN_TASKS[part]?.includes(kind) ? [] : list,
    );
    return [true, false].map((odd): [string, string[]] => [
      `BIPIA ${part}, ${odd ? 'odd' : 'even'}`,
      texts.filter((text) => isOdd(text) === odd),
    ]);
  });
}

const isOdd = (text: string) =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(-1), 16) % 2 === 1;
