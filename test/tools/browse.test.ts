import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchBody, SearchItem } from '../../src/flows/searching/search-body.ts';
import { countWords } from '../../src/lib/text/text.ts';
import { renderBody } from '../../tools/schemas/web.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** A handbook of four chapters, with an author, many links, and a menu. */
function handbook(): string {
  const chapter = (number: number) => {
    const paragraphs = Array.from(
      { length: 14 },
      (_, i) =>
        `<p>Paragraph ${i} of chapter ${number} on <a href="/mill/${number}-${i}">mill ${i}</a> tells what the people ` +
        `of this coast did with the sea and the stone, and how in ${1800 + number * 14 + i} they mended the wheel. ` +
        `${'All of it was written down by the keeper of the books. '.repeat(5)}</p>`,
    );
    return `<h2 id="c${number}">Chapter ${number} of tides</h2>${paragraphs.join('')}<h3>Notes</h3><p>The notes of chapter ${number} end here, with thanks to those who helped.</p>`;
  };
  return `<!doctype html><html lang="en"><head><title>A handbook of mills</title><meta name="author" content="Ada Coe">
<meta property="article:published_time" content="2026-03-01"></head><body>
<nav>${Array.from({ length: 70 }, (_, i) => `<a href="/menu/${i}">Menu ${i}</a>`).join(' ')}</nav>
<article><h1>A handbook of mills</h1>${[1, 2, 3, 4].map(chapter).join('')}</article></body></html>`;
}

const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;

/** Pages that have nothing to read, or lead to one that does. */
const ODD: Readonly<Record<string, string>> = {
  '/nothing': '',
  '/signs': '<title>Signs</title><p>— … —</p><p>* * *</p>',
  '/signs-below': `<h1>Mills</h1><p>${'Of mills and men. '.repeat(30)}</p><h2>Signs</h2><p>— * —</p>`,
  '/pictures': '<title>Pictures</title><img src="/a.png"><img src="/b.png">',
  '/frames': '<title>Frames</title><frameset><frame src="/handbook"></frameset>',
  '/scripts': '<title>Scripts</title><div id="root"></div><script src="/app.js"></script>',
  '/blank': '<title>Blank</title><p> </p>',
  '/moved': refresh('0; url=/handbook'),
  '/moved-for-some': `<noscript>${refresh('1; url=/handbook')}</noscript><script src="/app.js"></script>`,
  '/news': `${refresh('300; url=/handbook')}<title>News</title><p>${'Of the day. '.repeat(30)}</p>`,
  '/inside': refresh('0; url=http://169.254.169.254/latest/'),
};

const folder = temporaryFolder();
let server: Server;
let address: string;
let magpie: Running;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(ODD[request.url ?? ''] ?? handbook());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  address = `http://${host}/handbook`;
  magpie = await startMagpie({ ...environment(folder.path), MAGPIE_ALLOW_HOSTS: host });
});

afterAll(async () => {
  await magpie.stop();
  server.close();
  server.closeAllConnections();
  folder.remove();
});

async function browse(parameters: Record<string, string> = {}, path = '/browse') {
  const url = new URL(path, magpie.url);
  for (const [name, value] of Object.entries({
    q: address,
    percentile: '1',
    numofpages: '1',
    ...parameters,
  })) {
    url.searchParams.set(name, value);
  }
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as SearchBody & { error?: string } };
}

const first = ({ results }: SearchBody): SearchItem => results[0] ?? { title: '', link: '' };

describe('a page in several parts', () => {
  test('says which parts it contains and how the next part is requested', async () => {
    const one = await browse();
    expect(one.body.rules).toMatch(/^This is part 1 of \d: call again with paging 2 for the next/);
    const two = await browse({ numofpages: '2' });
    expect(two.body.rules).toMatch(/^These are parts 1 to 2 of \d: call again with paging 3 for the next/);
    const all = await browse({ numofpages: '10' });
    expect(all.body.rules).toMatch(/^These are parts 1 to (\d) of \1, the last\. Save the previous/);
  });

  test('is returned with its outline and the facts of the page on the first part only', async () => {
    const { body } = await browse({ numofpages: '10' });
    const { outline = [], author, published, language } = first(body);
    expect(outline.filter(({ level }) => level === 2).map(({ title }) => title)).toEqual(
      [1, 2, 3, 4].map((number) => `Chapter ${number} of tides`),
    );
    for (const { title, part, level } of outline) {
      if (level === 2) expect(body.results[part - 1]?.full_content).toContain(`## ${title}`);
    }
    expect({ author, published, language }).toEqual({
      author: 'Ada Coe',
      published: expect.stringMatching(/^2026-03-01/),
      language: 'en',
    });
    expect(body.results.slice(1).some(({ outline }) => outline)).toBe(false);
    expect(first((await browse({ paging: '2' })).body).outline).toBeUndefined();
  });

  test('is returned by section, with each heading, number or fragment alone', async () => {
    const number = first((await browse()).body).outline?.find(({ title }) =>
      title.startsWith('Chapter 3'),
    )?.number;
    for (const section of ['chapter 3', String(number), '#chapter-3-of-tides']) {
      const { body } = await browse({ section });
      const item = first(body);
      expect(item.section).toBe('Chapter 3 of tides');
      expect(item.full_content).toMatch(/^## Chapter 3 of tides\n/);
      expect(item.full_content).toContain('### Notes');
      expect(item.full_content).not.toContain('chapter 4');
    }
  });

  test('is never returned for a near match, or the first of several matches, without a remark', async () => {
    expect((await browse({ section: '#chapter-3-of-tides' })).body.rules).not.toContain('heading');
    expect((await browse({ section: 'Chapter 3' })).body.rules).toMatch(
      /^No heading is exactly "Chapter 3": what this section is called stands beside its text\. Save/,
    );
    expect((await browse({ section: 'notes' })).body.rules).toMatch(
      /^4 headings fit, and this is number 2: for another ask by its number, 4, 6, 8\. Save/,
    );
    for (const section of ['chapter 40', 'chapter 5', 'section 2']) {
      expect((await browse({ section })).status).toBe(404);
    }
  });

  test('answers 404 for a missing section and names the nearest', async () => {
    const { status, body } = await browse({ section: 'chapter on windmills' });
    expect(status).toBe(404);
    expect(body.error).toMatch(/"chapter on windmills".*"Chapter 1 of tides"/);
  });

  test('is returned whole for a fragment, and the answer says that the section can be requested', async () => {
    const { body } = await browse({ q: `${address}#chapter-2-of-tides` });
    expect(first(body).full_content).toContain('## Chapter 1 of tides');
    expect(body.rules).toContain('names the section "Chapter 2 of tides"');
    expect((await browse()).body.rules).not.toContain('names the section');
  });
});

describe('a page without readable text says so, with the reason', () => {
  test.each([
    ['/nothing', 'is empty: the site sent nothing; try another page'],
    ['/pictures', 'has no text: it shows nothing but pictures or video; try another page'],
    ['/scripts', 'says nothing without running its scripts'],
    ['/blank', 'has no text; try another page'],
  ])('%s', async (path, why) => {
    const { status, body } = await browse({ q: new URL(path, address).href });
    expect(status).toBe(502);
    expect(body.error).toContain(`Error fetching content: ${new URL(path, address).href} ${why}`);
  });

  test('but names the pages in its frames', async () => {
    const { status, body } = await browse({ q: new URL('/frames', address).href });
    expect(status).toBe(200);
    expect(first(body).full_content).toContain(new URL('/handbook', address).href);
  });

  test('contains no part for signs alone', async () => {
    const page = await browse({ q: new URL('/signs', address).href });
    expect(page.status).toBe(200);
    expect(page.body.results).toEqual([]);
    expect(page.body.rules).toMatch(
      /^This page has no readable text: it has neither letters nor digits\. Save [^.]*\.$/,
    );
    const q = new URL('/signs-below', address).href;
    expect((await browse({ q, section: 'Signs' })).body.results).toHaveLength(1);
  });
});

describe('an immediate page refresh is followed', () => {
  test.each(['/moved', '/moved-for-some'])('%s', async (path) => {
    const { body } = await browse({ q: new URL(path, address).href });
    expect(first(body)).toMatchObject({ title: 'A handbook of mills', link: address });
  });

  test('except after a long delay or to a private address', async () => {
    expect(first((await browse({ q: new URL('/news', address).href })).body).title).toBe('News');
    const { status, body } = await browse({ q: new URL('/inside', address).href });
    expect(status).toBe(403);
    expect(body.error).toContain('169.254.169.254 is not a public address');
  });
});

describe('links', () => {
  test('are returned on request, those of the text first, at most 100 with the total count', async () => {
    expect(first((await browse()).body).links).toBeUndefined();
    const { links = [], linkCount = 0 } = first((await browse({ links: 'true' })).body);
    expect(links).toHaveLength(100);
    expect(linkCount).toBe(56 + 70);
    expect(links[0]).toEqual({ title: 'mill 0', url: new URL('/mill/1-0', address).href });
    expect(links.at(-1)?.url).toContain('/menu/');
  });

  test('of a section are returned alone', async () => {
    const { links = [] } = first((await browse({ links: 'true', section: 'chapter 2' })).body);
    expect(links).toHaveLength(14);
    expect(links.every(({ url }) => url.includes('/mill/2-'))).toBe(true);
  });
});

describe('addresses of links', () => {
  const numbersIn = (text = '') => [...text.matchAll(/\]\[(\d+)\]/g)].map(([, number]) => number);
  const listIn = (text = '') => [...text.matchAll(/^\[(\d+)\]: (\S+)$/gm)].map(([, number]) => number);

  test('are inline by default', async () => {
    const plain = first((await browse()).body).full_content;
    expect(plain).toContain(`[mill 0](${new URL('/mill/1-0', address).href})`);
    expect(first((await browse({ addresses: 'inline' })).body).full_content).toBe(plain);
  });

  test('are listed below their part with numbers shared by the whole page', async () => {
    const { results } = (await browse({ addresses: 'list', numofpages: '10' })).body;
    expect(results.length).toBeGreaterThan(1);
    for (const { full_content, summary } of results) {
      expect(listIn(full_content)).toEqual(numbersIn(full_content));
      expect(full_content).not.toContain('](');
      expect(summary).not.toMatch(/\]\[\d/);
    }
    expect(results.flatMap(({ full_content }) => numbersIn(full_content))).toEqual(
      Array.from({ length: 56 }, (_, i) => String(i + 1)),
    );
    expect(results[0]?.full_content).toMatch(
      /on \[mill 0\]\[1\] tells[\s\S]*\n\n\[1\]: http\S+\/mill\/1-0\n\[2\]: /,
    );
    const second = first((await browse({ addresses: 'list', paging: '2' })).body).full_content;
    expect(second).toBe(results[1]?.full_content);
  });

  test('are left out with none', async () => {
    const { full_content } = first((await browse({ addresses: 'none' })).body);
    expect(full_content).toContain('on mill 0 tells');
    expect(full_content).not.toContain('http');
  });

  test('count as words in a list', async () => {
    const parameters = { addresses: 'list', numofpages: '10', inputwindowwords: '400' };
    const { results } = (await browse(parameters, '/browsegiant')).body;
    const words = results.flatMap(({ title, summary = '', full_content = '' }) => [
      title,
      summary,
      full_content,
    ]);
    expect(words.reduce((sum, text) => sum + countWords(text), 0)).toBeLessThanOrEqual(400);
    const { full_content } = results[0] as SearchItem;
    expect(numbersIn(full_content).length).toBeGreaterThan(0);
    expect(listIn(full_content)).toEqual(numbersIn(full_content));
  });

  test('are refused for any other value', async () => {
    const { status, body } = await browse({ addresses: 'below' });
    expect(status).toBe(400);
    expect(body.error).toBe('addresses is "below": it takes one of inline, list, none');
  });
});

test.each([30, 200, 1500])(
  'a limit of %i words includes outline and links [parameter.inputwindowwords]',
  async (most) => {
    const { body } = await browse(
      { links: 'true', numofpages: '10', inputwindowwords: String(most) },
      '/browsegiant',
    );
    const said = body.results.flatMap((item) => [
      item.title,
      item.summary,
      item.full_content,
      item.section,
      item.author,
      item.site,
      ...(item.outline ?? []).map(({ title }) => title),
      ...(item.links ?? []).flatMap(({ title, url }) => [title, url]),
    ]);
    const words = said.reduce((sum, text) => sum + countWords(text ?? ''), 0);
    expect(words).toBeLessThanOrEqual(most);
    expect(words).toBeGreaterThan(most * 0.6);
  },
);

test('the text output has separate lines for facts, section, outline by parts and links', async () => {
  const whole = renderBody((await browse({ links: 'true' })).body, 'person');
  expect(whole).toMatch(/\nby Ada Coe · 2026-03-01/);
  expect(whole).toMatch(/\nPart 1: .*Chapter 1 of tides · .*\nPart 2: /);
  expect(whole).toMatch(/\n\n100 of 126 links:\n- mill 0: http/);
  const section = renderBody((await browse({ section: 'chapter 4' })).body, 'model');
  expect(section).toContain('\nSection: Chapter 4 of tides\n');
});

describe('several pages in one call', () => {
  const other = (path: string) => new URL(path, address).href;

  test('are read in the order of their addresses, each once', async () => {
    const urls = JSON.stringify([other('/signs-below'), address, other('/news')]);
    const { status, body } = await browse({ urls });
    expect(status).toBe(200);
    expect(body.results.map(({ link }) => link)).toEqual([address, other('/signs-below'), other('/news')]);
    expect(body.rules).toContain(`${address}: This is part 1 of`);
    expect(body.rules.match(/Save the previous/g)).toHaveLength(1);
  });

  test('share the budget of words', async () => {
    const urls = JSON.stringify([other('/handbook?again')]);
    const { body } = await browse({ urls, inputwindowwords: '400', numofpages: '10' }, '/browsegiant');
    const alone = await browse({ inputwindowwords: '200', numofpages: '10' }, '/browsegiant');
    const textsOf = (link: string) =>
      body.results.flatMap((result) => (result.link === link ? [result.full_content] : []));
    expect(textsOf(address)).toEqual(alone.body.results.map(({ full_content }) => full_content));
    expect(textsOf(other('/handbook?again'))).toEqual(textsOf(address));
  });

  test('that cannot be read are named with the reason beside the others', async () => {
    const { status, body } = await browse({ urls: JSON.stringify(['http://169.254.169.254/latest/']) });
    expect(status).toBe(200);
    expect(body.results[1]).toEqual({
      title: 'http://169.254.169.254/latest/',
      link: 'http://169.254.169.254/latest/',
      error: expect.stringContaining('169.254.169.254'),
    });
    expect(body.rules).toContain('http://169.254.169.254/latest/: could not be read.');
  });

  test('fail together where none can be read', async () => {
    const { status } = await browse({
      q: 'http://169.254.169.254/a',
      urls: JSON.stringify(['http://169.254.169.254/b']),
    });
    expect(status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    [{ paging: '2' }, 'paging is for one page'],
    [{ map: 'true' }, 'map is for one page'],
    [{ since: 'last' }, 'since is for one page'],
  ])('refuse %o', async (more, error) => {
    const { status, body } = await browse({
      urls: JSON.stringify([other('/news')]),
      ...(more as Record<string, string>),
    });
    expect(status).toBe(400);
    expect(body.error).toContain(error);
  });

  test('are ten at most', async () => {
    const urls = JSON.stringify(Array.from({ length: 10 }, (_, at) => other(`/news?${at}`)));
    expect((await browse({ urls })).status).toBe(400);
  });
});
