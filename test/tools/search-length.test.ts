import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchBody, SearchItem } from '../../src/flows/searching/search-body.ts';
import { countWords } from '../../src/lib/text/text.ts';
import { renderBody } from '../../tools/schemas/web.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';

/** How long a search's answer is, and what is left of a page that is longer. */

const folder = temporaryFolder();
let server: Server;
let magpie: Running;
let env: Record<string, string>;
let origin: string;

/** Words of the whole answer by default, as docs/search-answers.md says. */
const ANSWER_WORDS = 4000;

const paragraph = (at: number, about: string) =>
  `In year ${at} of ${about} the keeper wrote that the water stood ${at * 7} inches below mark ${at * 3}, and that ${about} went on. `.repeat(
    2,
  );
const chapters = (about: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `<h2>Chapter ${at} of ${about}</h2><p>${paragraph(at, about)}</p>`,
  );
/** The answer stands in the middle of 12,000 words. */
const ANSWER = 'A quagga wheel is mended with bog oak, since bog oak swells in brine.';
const LONG = [
  ...chapters('mills', 160),
  `<h2>Quagga repairs</h2><p>${ANSWER}</p>`,
  ...chapters('ferries', 160),
];
/** The same in one paragraph of a plain text. */
const FILL = Array.from({ length: 160 }, (_, at) => paragraph(at, 'tolls')).join('');

const PAGES: Readonly<Record<string, string>> = {
  long: LONG.join(''),
  other: chapters('wheel lore', 300).join(''),
  brief: '<p>The quagga wheel was mended with bog oak by Ada Lake, who kept the mill by the sea.</p>',
  third: chapters('harbours', 200).join(''),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname === '/search') {
      const pages = (searchParams.get('q') ?? '').split(' ').filter((word) => word.startsWith('p-'));
      const results = pages.map((page) => ({
        url: `${origin}/${page.slice(2)}`,
        title: `Page ${page}`,
        content: 'a quagga wheel that was mended, the mills, and a zebroid pump',
      }));
      return response.end(JSON.stringify({ results }));
    }
    const name = pathname.slice(1);
    if (name === 'plain') {
      response.setHeader('content-type', 'text/plain');
      return response.end(`${FILL}${ANSWER} ${FILL}`);
    }
    if (name === 'wall') {
      response.setHeader('content-type', 'text/html');
      return response.end(
        `<title>W</title><p>quagga ${'x'.repeat(300_000)}</p><p>${'wheel.'.repeat(50_000)}</p>`,
      );
    }
    response.setHeader('content-type', 'text/html');
    response.end(`<title>On ${name}</title><article><h1>On ${name}</h1>${PAGES[name] ?? ''}</article>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
  env = { ...environment(folder.path), MAGPIE_SEARXNG_URL: origin, MAGPIE_ALLOW_HOSTS: host };
  magpie = await startMagpie(env);
  // The pages of a search have some seconds together: a reader's start is not of them.
  await call('/browse', { q: `${origin}/warm`, percentile: '1', numofpages: '1' });
});

afterAll(async () => {
  await magpie.stop();
  server.close();
  server.closeAllConnections();
  folder.remove();
});

async function call(path: string, parameters: Record<string, string>): Promise<SearchBody> {
  const response = await fetch(`${magpie.url}${path}?${new URLSearchParams(parameters)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchBody;
}

const QUESTION = 'what is a quagga wheel mended with?';
const search = (pages: string, more: Record<string, string> = {}) =>
  call('/search', { q: `${QUESTION} ${pages}`, percentile: '3', numofpages: '3', ...more });

/** Words of all that the results say, and of it as a model reads it. */
const wordsOf = ({ results }: SearchBody) =>
  results
    .flatMap(({ title, summary, snippet, full_content, highlights = [] }) => [
      ...[title, summary, snippet, full_content],
      ...highlights.flatMap(({ text, section }) => [text, section]),
    ])
    .reduce((sum, text = '') => sum + countWords(text), 0);
const found = ({ results }: SearchBody, name: string): SearchItem => {
  const item = results.find(({ link }) => link.endsWith(`/${name}`));
  if (!item) throw new Error(`${name} is not among the results`);
  return item;
};

describe('an answer from pages that exceed its length', () => {
  test('is bounded, keeps the relevant text from any place, and says what is left out and how to read it', async () => {
    const body = await search('p-long p-other p-third');
    expect(wordsOf(body)).toBeLessThanOrEqual(ANSWER_WORDS);
    expect(countWords(renderBody(body, 'model'))).toBeLessThanOrEqual(ANSWER_WORDS + 200);
    const { full_content, shortened = '' } = found(body, 'long');
    expect(full_content).toContain(`## Quagga repairs\n\n${ANSWER}`);
    expect(shortened).toMatch(
      /^[\d,]+ of 1\d,\d{3} words, the passages nearest to the question: read the rest with browse, in parts, with section "Quagga repairs" what/,
    );
    expect(renderBody(body, 'model')).toContain(`\nShortened: ${shortened}\n`);
    expect(body.rules).toContain('inputwindowwords takes more words for all');
    const section = /section "([^"]+)"/.exec(shortened)?.[1] ?? '';
    const link = found(body, 'long').link;
    const read = await call('/browse', { q: link, percentile: '1', numofpages: '1', section });
    expect(read.results[0]?.full_content).toContain(ANSWER);
  });

  test('contains little of a page with few relevant words, even where words remain', async () => {
    const body = await search('p-other p-brief');
    expect(found(body, 'brief').full_content).toContain('mended with bog oak by Ada Lake');
    expect(found(body, 'brief')).not.toHaveProperty('shortened');
    expect(countWords(found(body, 'other').full_content ?? '')).toBeLessThan(600);
    expect(countWords(found(body, 'other').full_content ?? '')).toBeGreaterThan(20);
  });

  test('is no longer for twice the percentile and numofpages, and a higher percentile keeps a subset', async () => {
    const [first, ...others] = await Promise.all(
      [3, 6, 50, 90, 100].map((percentile) =>
        search('p-long p-other p-third p-brief', { percentile: `${percentile}`, numofpages: '3' }),
      ),
    );
    if (!first) throw new Error('no answer');
    let before = first;
    for (const body of others) {
      for (const { link, full_content = '' } of body.results) {
        const larger = before.results.find((item) => item.link === link)?.full_content ?? '';
        for (const block of full_content.split('\n\n')) expect(larger).toContain(block);
      }
      before = body;
    }
    const doubled = await search('p-long p-other p-third p-brief', { percentile: '6', numofpages: '6' });
    expect(wordsOf(doubled)).toBeLessThanOrEqual(ANSWER_WORDS);
  });

  test('has more or fewer words with inputwindowwords, and is as long as requested with searchgiant', async () => {
    const more = await search('p-long', { inputwindowwords: '30000' });
    expect(found(more, 'long')).not.toHaveProperty('shortened');
    expect(countWords(found(more, 'long').full_content ?? '')).toBeGreaterThan(10_000);
    const fewer = await search('p-long p-other', { inputwindowwords: '300' });
    expect(wordsOf(fewer)).toBeLessThanOrEqual(300);
    expect(JSON.stringify(fewer.results)).toContain('bog oak');
    // A small answer says what answers once, and whole, with the words that it was given.
    for (const words of [150, 300, 600]) {
      const small = await search('p-long p-other p-third', { inputwindowwords: `${words}` });
      expect(wordsOf(small)).toBeLessThanOrEqual(words);
      expect(wordsOf(small)).toBeGreaterThan(words * 0.6);
      expect(found(small, 'long').full_content).toContain(ANSWER);
    }
    const giant = {
      q: `${QUESTION} p-long p-other`,
      percentile: '1',
      numofpages: '10',
      inputwindowwords: '20000',
    };
    expect(wordsOf(await call('/searchgiant', giant))).toBeGreaterThan(12_000);
  });

  test('is bounded for hybrid too', async () => {
    const asked = { q: `${QUESTION} p-long p-other p-third`, percentile: '3', numofpages: '3' };
    expect(wordsOf(await call('/hybrid', asked))).toBeLessThanOrEqual(ANSWER_WORDS);
  });
});

test('an endless paragraph is reduced to its answering sentences, not to its beginning', async () => {
  const body = await search('p-plain');
  expect(wordsOf(body)).toBeLessThanOrEqual(ANSWER_WORDS);
  expect(found(body, 'plain').full_content).toContain(ANSWER);
  const whole = await search('p-plain', { inputwindowwords: '60000', percentile: '1' });
  expect(found(whole, 'plain').full_content).toContain(ANSWER);
});

test('endless words count towards the length of the answer', async () => {
  const body = await search('p-wall p-brief');
  expect(JSON.stringify(body).length).toBeLessThan(ANSWER_WORDS * 12);
});

test('a PDF of the local index is bounded like a page', async () => {
  const books = join(folder.path, 'books');
  mkdirSync(books);
  const pages = Array.from(
    { length: 60 },
    (_, at) => `${paragraph(at, 'canals')}${paragraph(at + 100, 'locks')}`,
  );
  pages.splice(30, 0, 'A zebroid pump is primed with tallow.');
  writeFileSync(join(books, 'canals.pdf'), makePdf(pages.map((page) => page.replace(/(.{1,80}) /g, '$1\n'))));
  expect((await runMagpie(['index', books], env)).code).toBe(0);
  const body = await call('/search', { q: 'zebroid pump primed', percentile: '3', numofpages: '3' });
  const link = pathToFileURL(join(books, 'canals.pdf')).href;
  const item = body.results.find((one) => one.link === link);
  expect(item?.full_content).toContain('zebroid pump is primed with tallow');
  expect(item?.shortened).toContain('read the rest with browse, in parts');
  expect(wordsOf(body)).toBeLessThanOrEqual(ANSWER_WORDS);
});
