import { describe, expect, test } from 'vitest';
import { canonicalUrl, fuse } from '../../src/search/merge.ts';

describe('canonicalUrl', () => {
  test.each([
    ['HTTPS://Example.COM:443/Path?b=2&a=1#top', 'https://example.com/Path?b=2&a=1'],
    ['http://example.com:80', 'http://example.com/'],
    ['https://e.example/?utm_source=x&q=a+b%20c&fbclid=1&flag&gclid=', 'https://e.example/?q=a+b%20c&flag'],
    ['https://e.example/?UTM_Medium=x', 'https://e.example/'],
    ['https://e.example/?mc_cid=1&mc_eid=2&msclkid=3', 'https://e.example/'],
    ['https://e.example/?a=1&a=2&b=&c', 'https://e.example/?a=1&a=2&b=&c'],
    ['https://e.example/?ns=4&id=utm_source&sid=1', 'https://e.example/?ns=4&id=utm_source&sid=1'],
    ['https://app.example/#/route/1', 'https://app.example/#/route/1'],
    ['https://[2001:DB8::1]/a', 'https://[2001:db8::1]/a'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ])('%s', (address, canonical) => {
    expect(canonicalUrl(address)).toBe(canonical);
    expect(canonicalUrl(canonical)).toBe(canonical);
  });

  test.each([
    'javascript:alert(1)',
    'ftp://e.example/',
    'data:text/html,x',
    'file:///etc/passwd',
    '/relative',
    'https://user:pw@e.example/',
    'not a url',
    `https://e.example/${'x'.repeat(5000)}`,
    '',
  ])('%j is no page', (address) => {
    expect(canonicalUrl(address)).toBeUndefined();
  });
});

const hit = (url: string, title = 'T', snippet = '') => ({ url, title, snippet });

describe('fuse', () => {
  test('one entry a page, however its address is written', () => {
    const pages = fuse(
      [
        {
          engine: 'a',
          hits: [
            hit('http://e.example/p/?utm_source=a'),
            hit('https://en.m.wikipedia.org/wiki/Magpie_%28bird%29'),
          ],
        },
        {
          engine: 'b',
          hits: [hit('https://en.wikipedia.org/wiki/Magpie_(bird)'), hit('https://e.example/p#x')],
        },
      ],
      10,
    );
    expect(pages.map(({ url, engines }) => [url, engines])).toEqual(
      [
        ['http://e.example/p/', ['a', 'b']],
        ['https://en.m.wikipedia.org/wiki/Magpie_%28bird%29', ['b', 'a']],
      ].map(([url, engines]) => [url === 'http://e.example/p/' ? 'https://e.example/p' : url, engines]),
    );
  });

  test.each([
    ['https://e.example/a', 'https://e.example/b'],
    ['https://e.example/?p=1', 'https://e.example/?p=2'],
    ['https://e.example/?u=x/', 'https://e.example/?u=x'],
    ['https://www.e.example/', 'https://e.example/'],
    ['https://m.e.example/', 'https://e.example/'],
    ['https://e.example:8443/', 'https://e.example/'],
    ['https://e.example/a%2Fb', 'https://e.example/a/b'],
    ['https://e.example/A', 'https://e.example/a'],
    ['https://e.example/#/a', 'https://e.example/#/b'],
  ])('%s and %s stay two', (a, b) => {
    expect(fuse([{ engine: 'a', hits: [hit(a), hit(b)] }], 10)).toHaveLength(2);
  });

  test('the sum of 1/(60+rank) orders; agreement beats one first place', () => {
    const pages = fuse(
      [
        { engine: 'a', hits: [hit('https://1.example/'), hit('https://both.example/')] },
        { engine: 'b', hits: [hit('https://2.example/'), hit('https://both.example/')] },
      ],
      10,
    );
    expect(pages.map(({ url }) => url)).toEqual([
      'https://both.example/',
      'https://1.example/',
      'https://2.example/',
    ]);
  });

  test('the better title, snippet and address are kept', () => {
    const [page] = fuse(
      [
        { engine: 'a', hits: [hit('http://e.example/', '', 'short')] },
        { engine: 'b', hits: [hit('https://e.example/', 'A title', 'a longer snippet')] },
      ],
      10,
    );
    expect(page).toEqual({
      url: 'https://e.example/',
      title: 'A title',
      snippet: 'a longer snippet',
      engines: ['a', 'b'],
    });
  });

  test('what is no web address is dropped and takes no rank', () => {
    const pages = fuse(
      [
        {
          engine: 'a',
          hits: [hit('javascript:alert(1)'), hit('https://e.example/'), hit('ftp://e.example/')],
        },
      ],
      10,
    );
    expect(pages.map(({ url }) => url)).toEqual(['https://e.example/']);
  });

  test('titles and snippets are short lines without invisible characters', () => {
    const [page] = fuse(
      [
        {
          engine: 'a',
          hits: [
            hit('https://e.example/', `a\u202eb\u200b\n\u{e0041}c\0 ${'t'.repeat(9999)}`, '🐦'.repeat(9999)),
          ],
        },
      ],
      10,
    );
    expect(page?.title).toMatch(/^ab ct?/);
    expect(page?.title.length).toBeLessThanOrEqual(300);
    expect(page?.snippet.length).toBeLessThanOrEqual(1000);
    expect(page?.snippet.isWellFormed()).toBe(true);
  });

  test('properties, on many random lists', () => {
    let seed = 7;
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % n;
    };
    for (let round = 0; round < 300; round++) {
      const lists = Array.from({ length: random(5) }, (_, engine) => ({
        engine: `e${engine}`,
        hits: Array.from({ length: random(20) }, () =>
          hit(`https://e.example/${random(30)}`, `t${random(9)}`),
        ),
      }));
      const limit = random(15);
      const pages = fuse(lists, limit);
      const all = new Set(lists.flatMap(({ hits }) => hits.map(({ url }) => url)));
      expect(pages).toHaveLength(Math.min(limit, 10, all.size));
      expect(new Set(pages.map(({ url }) => url)).size).toBe(pages.length);
      for (const { url, engines } of pages) {
        const named = lists
          .filter(({ hits }) => hits.some((one) => one.url === url))
          .map(({ engine }) => engine);
        expect([...engines].sort()).toEqual(named);
      }
      const score = (url: string) =>
        lists.reduce((sum, { hits }) => {
          const rank = [...new Set(hits.map((one) => one.url))].indexOf(url) + 1;
          return rank > 0 ? sum + 1 / (60 + rank) : sum;
        }, 0);
      const scores = pages.map(({ url }) => score(url));
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(fuse(lists, limit)).toEqual(pages);
    }
  });
});
