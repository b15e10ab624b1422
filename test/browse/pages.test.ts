import { readFileSync } from 'node:fs';
import { load } from 'cheerio';
import { afterAll, expect, test } from 'vitest';
import { createBrowse } from '../../src/browse/browse.ts';
import type { Page } from '../../src/browse/reading/page.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';
import { EXPECTED_PAGES, type ExpectedPage } from './pages/expected.ts';

const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'test' });
const browse = createBrowse({ fetch, maxBytes: 1_000_000, timeoutMs: 10_000, readers: sharedReaders() });
afterAll(() => Promise.all([browse.close(), fetch.close()]));

const bytesOf = (name: string) => readFileSync(new URL(`../fixtures/pages/${name}.html`, import.meta.url));

/** What Markdown may write in several ways (bullets, escapes, padding, kinds of line break) in one way. */
const plain = (markdown: string) =>
  markdown
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/\\(?=[^\w\s]|$)/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/^[*+] /, '- '),
    )
    .filter((line) => line !== '')
    .join('\n');

const timesIn = (text: string, part: string) => text.split(part).length - 1;

/** What is wrong with a page as read, a line each; empty when all is well. */
function faults(page: Page, want: ExpectedPage): string[] {
  const text = plain(page.markdown);
  const has = (part: string) =>
    part.startsWith('```') ? page.markdown.includes(part) : text.includes(plain(part));
  const facts = [
    ['title', page.title.includes(want.title), want.title, page.title],
    ['author', page.author?.includes(want.author ?? ''), want.author, page.author],
    ['published', page.published?.startsWith(want.published ?? ''), want.published, page.published],
    ['language', page.language?.toLowerCase() === want.language?.toLowerCase(), want.language, page.language],
    ['canonical', page.canonical === want.canonical, want.canonical, page.canonical],
    ['site', page.site === want.site, want.site, page.site],
  ] as const;
  return [
    ...facts
      .filter(([, fits, wanted]) => wanted !== undefined && !fits)
      .map(([name, , wanted, got]) => `${name}: ${wanted}, not ${got}`),
    ...want.must.filter((part) => !has(part)).map((part) => `missing: ${part}`),
    ...want.mustNot.filter((part) => page.markdown.includes(part)).map((part) => `left over: ${part}`),
    ...(want.once ?? [])
      .filter((part) => timesIn(text, part) !== 1)
      .map((part) => `${timesIn(text, part)} times, not once: ${part}`),
    ...outOfOrder(text, want.order).map((part) => `not in its place: ${part}`),
  ];
}

/** The parts that are not found after the part before them. */
function outOfOrder(text: string, order: readonly string[]): string[] {
  let from = 0;
  return order.filter((part) => {
    const at = text.indexOf(plain(part), from);
    if (at >= 0) from = at + 1;
    return at < 0;
  });
}

test.each(EXPECTED_PAGES.map((want) => [want.name, want] as const))(
  '%s is read in full',
  async (name, want) => {
    const { url, contentType = 'text/html; charset=utf-8' } = want;
    const page = await browse.readBytes(
      { url, contentType, body: bytesOf(name) },
      new AbortController().signal,
    );
    const found = faults(page, want);
    expect(found, found.join('\n')).toEqual([]);
  },
);

test.each(EXPECTED_PAGES.map((want) => [want.name, want] as const))(
  'the source of %s contains the text that must be left out',
  (name, { mustNot }) => {
    const bytes = bytesOf(name);
    const charset = /charset=["']?([\w-]+)/i.exec(bytes.toString('latin1'))?.[1] ?? 'utf-8';
    const source = new TextDecoder(charset).decode(bytes);
    const text = source + load(source).root().text();
    expect(mustNot.filter((part) => !text.includes(part))).toEqual([]);
  },
);
