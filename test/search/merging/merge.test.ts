import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SearchHit } from '../../../src/search/engine.ts';
import { canonicalUrl } from '../../../src/search/merging/canonical-url.ts';
import { fuseHitLists } from '../../../src/search/merging/merge.ts';
import { pageKey } from '../../../src/search/merging/page-key.ts';

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
    ['https://e.example./a?', 'https://e.example/a'],
    ['https://e.example/a;jsessionid=0A1B?x=1', 'https://e.example/a?x=1'],
    [
      'https://e.example/?PHPSESSID=1&page=2&mtm_campaign=x&at_medium=y&srsltid=z',
      'https://e.example/?page=2',
    ],
    ['https://e.example/?ref=top&si=2&feature=x&s=1', 'https://e.example/?ref=top&si=2&feature=x&s=1'],
    ['https://youtu.be/abc?si=xyz&t=12', 'https://youtu.be/abc?t=12'],
    ['https://e.example/a#:~:text=magpie', 'https://e.example/a'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ])('%s', (address, canonical) => {
    expect(canonicalUrl(address)).toBe(canonical);
    expect(canonicalUrl(canonical)).toBe(canonical);
  });

  test.each([
    ['https://www.google.com/url?q=https://e.example/a%3Futm_source%3Dx&sa=U&ved=1', 'https://e.example/a'],
    ['https://www.google.co.uk/url?sa=t&url=https%3A%2F%2Fe.example%2Fa', 'https://e.example/a'],
    ['https://www.google.com/amp/s/e.example/a?x=1', 'https://e.example/a?x=1'],
    ['https://e-example.cdn.ampproject.org/c/s/e.example/a', 'https://e.example/a'],
    ['https://e-example.cdn.ampproject.org/v/e.example/a', 'http://e.example/a'],
    [
      'https://webcache.googleusercontent.com/search?q=cache:aBcDeFgHiJkL:https://e.example/a+magpie&hl=en',
      'https://e.example/a',
    ],
    [
      `https://www.bing.com/ck/a?!&&p=1&u=a1${Buffer.from('https://e.example/a').toString('base64url')}&ntb=1`,
      'https://e.example/a',
    ],
    ['https://l.facebook.com/l.php?u=https%3A%2F%2Fe.example%2Fa%3Ffbclid%3D1&h=AT', 'https://e.example/a'],
    ['https://out.reddit.com/t3_1?url=https%3A%2F%2Fe.example%2Fa&token=x', 'https://e.example/a'],
    ['https://duckduckgo.com/l/?uddg=https%3A%2F%2Fe.example%2Fa&rut=1', 'https://e.example/a'],
    [
      'https://r.search.yahoo.com/_ylt=A;_ylu=B/RV=2/RE=1/RO=10/RU=https%3a%2f%2fe.example%2fa/RK=2/RS=x-',
      'https://e.example/a',
    ],
    [
      'https://www.google.com/url?q=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttps%253A%252F%252Fe.example%252Fa',
      'https://e.example/a',
    ],
    ['https://www.google.com/url?q=javascript:alert(1)', 'https://www.google.com/url?q=javascript:alert(1)'],
    [
      'https://www.google.com/search?q=https://e.example/',
      'https://www.google.com/search?q=https://e.example/',
    ],
    ['https://e.example/url?q=https://f.example/', 'https://e.example/url?q=https://f.example/'],
  ])('resolves the address %s to %s', (address, canonical) => {
    expect(canonicalUrl(address)).toBe(canonical);
    expect(canonicalUrl(canonical)).toBe(canonical);
  });

  test.each([
    'https://www.google.com/aclk?sa=l&adurl=https://shop.example/',
    'https://www.googleadservices.com/pagead/aclk?adurl=https://shop.example/',
    'https://ad.doubleclick.net/ddm/clk/1;2',
    'https://www.bing.com/aclick?ld=e8',
    'https://duckduckgo.com/y.js?ad_domain=shop.example&u3=x',
    'https://www.google.com/url?q=https://www.googleadservices.com/pagead/aclk?x',
  ])('recognizes %s as an advertisement', (address) => {
    expect(canonicalUrl(address)).toBeUndefined();
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
  ])('rejects %j as a page address', (address) => {
    expect(canonicalUrl(address)).toBeUndefined();
  });
});

const hit = (url: string, title = 'T', snippet = '') => ({ url, title, snippet });

describe('fuse', () => {
  test.each([
    ['https://www.e.example/a', 'https://e.example/a'],
    ['https://e.example/a/', 'http://e.example/a/index.html'],
    ['https://e.example/?b=2&a=1', 'https://e.example/?a=1&b=2'],
    ['https://e.example/news/story/amp', 'https://e.example/news/story'],
    ['https://e.example/story?amp=1', 'https://e.example/story'],
    ['https://de.m.wikipedia.org/wiki/Elster', 'https://de.wikipedia.org/wiki/Elster'],
    ['https://youtu.be/dQw4w9WgXcQ?t=3', 'https://m.youtube.com/watch?v=dQw4w9WgXcQ&list=x'],
    ['https://arxiv.org/pdf/1706.03762v5.pdf', 'http://arxiv.org/abs/1706.03762'],
    ['https://arxiv.org/abs/hep-th/9901001', 'https://arxiv.org/pdf/hep-th/9901001v2'],
    ['https://dx.doi.org/10.1038/NATURE14539', 'https://doi.org/10.1038/nature14539'],
    ['https://stackoverflow.com/q/11227809', 'https://stackoverflow.com/questions/11227809/why-is-it'],
    [
      'https://old.reddit.com/r/birds/comments/abc1/magpies/',
      'https://www.reddit.com/r/birds/comments/abc1/',
    ],
    [
      'https://www.amazon.de/Birds-Book/dp/0123456789/ref=sr_1_1',
      'https://www.amazon.de/dp/0123456789?qid=1',
    ],
  ])('treats %s and %s as one page', (a, b) => {
    expect(fuseHitLists([{ engine: 'a', hits: [hit(a), hit(b)] }], 10)).toHaveLength(1);
  });

  test('gives one entry for each page, however its address is written', () => {
    const pages = fuseHitLists(
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
    ['https://www2.e.example/', 'https://ww.e.example/'],
    ['https://www.example/', 'https://example/'],
    ['https://m.e.example/', 'https://e.example/'],
    ['https://e.example/index.htmlx', 'https://e.example/'],
    ['https://e.example/amplifier', 'https://e.example/'],
    ['https://arxiv.org/abs/1706.03762', 'https://arxiv.org/abs/1706.03763'],
    ['https://www.youtube.com/watch?v=aaaaaaaaaaa', 'https://www.youtube.com/watch?v=bbbbbbbbbbb'],
    ['https://stackoverflow.com/questions/1/a', 'https://stackoverflow.com/questions/11/a'],
    ['https://stackoverflow.com/questions/1/a', 'https://superuser.com/questions/1/a'],
    ['https://www.youtube.com/@some', 'https://www.youtube.com/@other'],
    ['https://e.example:8443/', 'https://e.example/'],
    ['https://e.example/a%2Fb', 'https://e.example/a/b'],
    ['https://e.example/A', 'https://e.example/a'],
    ['https://e.example/#/a', 'https://e.example/#/b'],
  ])('keeps %s and %s as two pages', (a, b) => {
    expect(fuseHitLists([{ engine: 'a', hits: [hit(a), hit(b)] }], 10)).toHaveLength(2);
  });

  test('orders by the sum of 1/(60+rank), so that agreement outweighs one first place', () => {
    const pages = fuseHitLists(
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

  test('keeps the better title, snippet and address', () => {
    const [page] = fuseHitLists(
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

  test('takes author, site, host and text from the first hit that has them, as short lines, and omits them where no hit has them', () => {
    const facts = {
      author: ' Ada\u200b  Lovelace ',
      site: 'Engines\nWeekly',
      host: 'e.example',
      text: 'All of it.',
    };
    const [bare, rich] = [hit('https://e.example/', 'A'), { ...hit('https://e.example/', 'A'), ...facts }];
    const shown = { author: 'Ada Lovelace', site: 'Engines Weekly', host: 'e.example', text: 'All of it.' };
    const other = { author: 'Bob', site: 'Elsewhere', host: 'f.example', text: 'Other words.' };
    const namesOf = (...hits: SearchHit[]) => {
      const [page] = fuseHitLists(
        hits.map((one, at) => ({ engine: `e${at}`, hits: [one] })),
        10,
      );
      const { author, site, host, text } = page ?? {};
      return { keys: Object.keys(page ?? {}).sort(), known: { author, site, host, text } };
    };
    const all = ['author', 'engines', 'host', 'published', 'site', 'snippet', 'text', 'title', 'url'];
    expect(namesOf(rich)).toEqual({ keys: all, known: shown });
    expect(namesOf(rich, bare)).toEqual({ keys: all, known: shown });
    expect(namesOf({ ...bare }, rich)).toEqual({ keys: all, known: shown });
    expect(namesOf({ ...bare, ...facts }, { ...bare, ...other })).toEqual({ keys: all, known: shown });
    const none = ['engines', 'published', 'snippet', 'title', 'url'];
    expect(namesOf(bare).keys).toEqual(none);
    expect(namesOf(bare, hit('https://e.example/', 'B')).keys).toEqual(none);
  });

  test('takes the picture of the first hit with a displayable picture address', () => {
    const image = 'https://pictures.example/a.png';
    const imageOf = (...images: (string | undefined)[]) => {
      const hits = images.map((one) => ({ ...hit('https://e.example/'), ...(one && { image: one }) }));
      return fuseHitLists(
        hits.map((one, at) => ({ engine: `e${at}`, hits: [one] })),
        10,
      )[0]?.image;
    };
    expect(imageOf(undefined, image, 'https://pictures.example/b.png')).toBe(image);
    expect(imageOf(`https://pictures.example/${'a'.repeat(5000)}`)).toBeUndefined();
  });

  test('normalizes a hit once, however often its list is merged', () => {
    let reads = 0;
    const one = {
      ...hit('https://e.example/'),
      get title() {
        reads += 1;
        return 'A title';
      },
    };
    const lists = [{ engine: 'a', hits: [one] }];
    expect([fuseHitLists(lists, 10), fuseHitLists(lists, 10)].map(([page]) => page?.title)).toEqual([
      'A title',
      'A title',
    ]);
    expect(reads).toBe(1);
  });

  test('counts fully, of engines of one index, the engine that ranks a page best, in whatever order they answer', () => {
    const page = hit('https://same.example/');
    const fillers = (count: number, host: string) =>
      Array.from({ length: count }, (_, at) => hit(`https://${host}.example/${at}`));
    const lists = [
      { engine: 'yahoo', hits: [...fillers(9, 'y'), page] },
      { engine: 'bing', hits: [page] },
      { engine: 'mojeek', hits: [hit('https://other.example/')] },
      { engine: 'brave', hits: [...fillers(20, 'b'), hit('https://other.example/')] },
    ];
    // 1/61 + 1/140 of one index, 1/61 + 1/141 of two; with the worse rank whole it would be 1/70 + 1/122.
    const weights = { brave: 81 / 141 };
    for (const given of [lists, [...lists].reverse()]) {
      const [first, second] = fuseHitLists(given, 10, { sources: { bing: 'bing', yahoo: 'bing' }, weights });
      expect([first?.url, second?.url]).toEqual(['https://same.example/', 'https://other.example/']);
    }
  });

  test('drops hits without a web address, and such hits take no rank', () => {
    const pages = fuseHitLists(
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

  test('makes titles and snippets short lines without invisible characters', () => {
    const [page] = fuseHitLists(
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

  test('counts the first of two hits of one engine for a page, and ignores the second', () => {
    const pages = fuseHitLists(
      [
        {
          engine: 'a',
          hits: [
            hit('https://e.example/p', 'First', 'one'),
            hit('https://e.example/p#x', 'Second', 'longer'),
          ],
        },
      ],
      10,
    );
    expect(pages).toEqual([{ url: 'https://e.example/p', title: 'First', snippet: 'one', engines: ['a'] }]);
  });

  test('counts an engine in two lists by its better rank', () => {
    const filler = (name: string) => hit(`https://${name}.example/`);
    const lists = (first: number, second: number) => [
      {
        engine: 'a',
        hits: [...Array.from({ length: first }, (_, i) => filler(`a${i}`)), hit('https://e.example/')],
      },
      {
        engine: 'a',
        hits: [...Array.from({ length: second }, (_, i) => filler(`b${i}`)), hit('https://e.example/')],
      },
      { engine: 'c', hits: [filler('c0'), filler('c1'), hit('https://c.example/')] },
    ];
    for (const [first, second] of [
      [1, 5],
      [5, 1],
    ] as const) {
      const order = fuseHitLists(lists(first, second), 50).map(({ url }) => url);
      expect(order.indexOf('https://e.example/')).toBeLessThan(order.indexOf('https://c.example/'));
    }
  });

  test('drops hits that the filter rejects, and such hits take no rank', () => {
    const lists = [
      { engine: 'a', hits: [hit('https://no.example/?utm_source=x'), hit('https://one.example/')] },
      { engine: 'b', hits: [hit('https://two.example/')] },
    ];
    const accepts = ({ url }: { url: string }) => url !== 'https://no.example/';
    expect(fuseHitLists(lists, 10, { accepts }).map(({ url }) => url)).toEqual([
      'https://one.example/',
      'https://two.example/',
    ]);
  });

  test('accepts local files from the local index alone, and normalizes its other fields', () => {
    const hits = [
      hit('file:///home/ada/notes.md'),
      hit('javascript:alert(1)'),
      hit('https://e.example/?utm_source=x'),
    ];
    expect(fuseHitLists([{ engine: 'local', hits }], 10).map(({ url }) => url)).toEqual([
      'file:///home/ada/notes.md',
      'https://e.example/',
    ]);
    expect(fuseHitLists([{ engine: 'web', hits }], 10).map(({ url }) => url)).toEqual(['https://e.example/']);
  });

  test('counts an engine by its weight', () => {
    const lists = [
      { engine: 'local', hits: [hit('https://own.example/')] },
      { engine: 'web', hits: Array.from({ length: 5 }, (_, i) => hit(`https://${i}.example/`)) },
    ];
    expect(fuseHitLists(lists, 10)[0]?.url).toBe('https://own.example/');
    expect(fuseHitLists(lists, 10, { weights: { local: 0.5 } })[5]?.url).toBe('https://own.example/');
  });

  test('counts engines of one index less beside each other than engines with separate indexes', () => {
    const [same, apart] = ['https://same.example/', 'https://apart.example/'];
    const lists = [
      { engine: 'bing', hits: [hit(same)] },
      { engine: 'yahoo', hits: [hit(same)] },
      { engine: 'mojeek', hits: [hit('https://m.example/'), hit(apart)] },
      { engine: 'brave', hits: [hit('https://b.example/'), hit(apart)] },
    ];
    const sources = { bing: 'bing', yahoo: 'bing' };
    expect(
      fuseHitLists(lists, 10)
        .map(({ url }) => url)
        .slice(0, 2),
    ).toEqual([same, apart]);
    const [first, second, third] = fuseHitLists(lists, 10, { sources });
    expect([first?.url, second?.url]).toEqual([apart, same]);
    expect(second?.engines).toEqual(['bing', 'yahoo']);
    // Two of one index are still more than one.
    expect(third?.engines).toHaveLength(1);
  });

  test('orders equal sums by the better best rank', () => {
    // 1/63 + 1/105 = 1/70 + 1/90, in floating point too.
    const list = (engine: string, places: Readonly<Record<number, string>>) => ({
      engine,
      hits: Array.from({ length: 60 }, (_, i) => hit(places[i + 1] ?? `https://${engine}${i}.example/`)),
    });
    const narrow = 'https://narrow.example/';
    const wide = 'https://wide.example/';
    const [a, b] = [list('a', { 10: narrow, 3: wide }), list('b', { 30: narrow, 45: wide })];
    const order = (lists: Parameters<typeof fuseHitLists>[0]) =>
      fuseHitLists(lists, 200).flatMap(({ url }) => (url === narrow || url === wide ? [url] : []));
    expect(order([a, b])).toEqual([wide, narrow]);
    expect(order([{ engine: 'c', hits: [] }, b, a])).toEqual([wide, narrow]);
  });

  describe('for two forms of one page', () => {
    const merged = (first: SearchHit, second: SearchHit) =>
      fuseHitLists(
        [
          { engine: 'a', hits: [first] },
          { engine: 'b', hits: [second] },
        ],
        10,
      )[0];

    test.each([
      ['https://www.e.example/p', 'https://e.example/p', 'https://www.e.example/p'],
      ['http://www.e.example/p', 'http://e.example/p', 'http://www.e.example/p'],
      ['http://www.e.example/p', 'https://e.example/p', 'https://e.example/p'],
      ['https://www.e.example/p', 'http://e.example/p', 'https://www.e.example/p'],
    ])('chooses for %s and %s the address %s', (first, second, url) => {
      expect(merged(hit(first), hit(second))?.url).toBe(url);
    });

    test.each([
      ['First', 'Second', 'First'],
      ['', 'Second', 'Second'],
      ['First', '', 'First'],
    ])('chooses from the titles %j and %j the title %j', (first, second, title) => {
      expect(merged(hit('https://e.example/', first), hit('https://e.example/', second))?.title).toBe(title);
    });

    test.each([
      ['longer text', 'short', 'longer text'],
      ['short', 'longer text', 'longer text'],
      ['one', 'two', 'one'],
    ])('chooses from the snippets %j and %j the snippet %j', (first, second, snippet) => {
      expect(
        merged(hit('https://e.example/', 'T', first), hit('https://e.example/', 'T', second))?.snippet,
      ).toBe(snippet);
    });

    test.each([
      [1, undefined, 1],
      [undefined, 2, 2],
      [1, 2, 1],
    ])('chooses from the dates %j and %j the date %j', (first, second, published) => {
      const dated = (date: number | undefined) => ({
        ...hit('https://e.example/'),
        ...(date && { published: date }),
      });
      expect(merged(dated(first), dated(second))?.published).toBe(published);
    });
  });

  test('reduces white space in titles and snippets to one space, without spaces at the ends', () => {
    const [page] = fuseHitLists(
      [{ engine: 'a', hits: [hit('https://e.example/', '  a \n\t b ', ' c\u00a0\0 d  ')] }],
      10,
    );
    expect(page).toMatchObject({ title: 'a b', snippet: 'c d' });
  });

  describe('copies of one text', () => {
    const TITLE = 'Magpies and the mirror';
    const TEXT =
      'The magpie is one of the few animals that know themselves in a mirror, as a study of birds has shown';
    const OTHER =
      'Nests of magpies have a roof of twigs, and an entrance at the side, and stand in tall trees near farms';
    const copy = (host: string, text = TEXT) => hit(`https://${host}.example/x`, TITLE, text);
    const filler = (i: number) => hit(`https://f${i}.example/`, `Filler ${i}`);

    test('join the first copy, which keeps its address and title and takes the longer snippet and the better ranks', () => {
      const pages = fuseHitLists(
        [
          { engine: 'a', hits: [copy('copy', `${TEXT} today.`), filler(1), copy('original')] },
          { engine: 'b', hits: [copy('original'), filler(2)] },
          { engine: 'c', hits: [filler(3), copy('third')] },
        ],
        10,
      );
      expect(pages[0]).toEqual({
        url: 'https://original.example/x',
        title: TITLE,
        snippet: `${TEXT} today.`,
        engines: ['a', 'b', 'c'],
      });
      expect(pages).toHaveLength(4);
    });

    test.each([
      [`${TEXT} now`, `${TEXT} too`, `${TEXT} now`],
      [`${TEXT} longer`, TEXT, `${TEXT} longer`],
    ])('of %j and %j give %j', (first, second, snippet) => {
      const [page, ...more] = fuseHitLists(
        [{ engine: 'a', hits: [copy('a', first), copy('b', second)] }],
        10,
      );
      expect(more).toEqual([]);
      expect(page).toMatchObject({ url: 'https://a.example/x', snippet });
    });

    test('are found behind other texts of the same title', () => {
      const hits = [copy('a'), copy('b', OTHER), copy('c'), copy('d', OTHER)];
      expect(fuseHitLists([{ engine: 'a', hits }], 10).map(({ url }) => url)).toEqual([
        'https://a.example/x',
        'https://b.example/x',
      ]);
    });

    test('rise by the engines of all copies', () => {
      const pages = fuseHitLists(
        [
          { engine: 'a', hits: [filler(1), copy('a')] },
          { engine: 'b', hits: [filler(2), copy('b')] },
        ],
        10,
      );
      expect(pages[0]).toMatchObject({ url: 'https://a.example/x', engines: ['a', 'b'] });
    });

    test.each([
      [49, 50],
      [50, 52],
    ])('are searched for among the leading 50: one at place %i of the list leaves %i', (place, left) => {
      const hits = [copy('a'), ...Array.from({ length: place - 1 }, (_, i) => filler(i)), copy('b')];
      expect(fuseHitLists([{ engine: 'a', hits: [...hits, filler(99)] }], 100)).toHaveLength(left);
    });
  });

  test('keeps its properties on many random lists', () => {
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
      const pages = fuseHitLists(lists, limit);
      const all = new Set(lists.flatMap(({ hits }) => hits.map(({ url }) => url)));
      expect(pages).toHaveLength(Math.min(limit, all.size));
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
      expect(fuseHitLists(lists, limit)).toEqual(pages);
    }
  });
});

describe('every address', () => {
  const part = fc.stringMatching(/^[a-z0-9.%;=&+~-]{0,12}$/);
  const parameter = fc.tuple(
    fc.oneof(fc.constantFrom('utm_source', 'q', 'id', 'u', 'url', 'gclid', 'amp', 'ref'), part),
    fc.oneof(part, fc.webUrl().map(encodeURIComponent)),
  );
  const address = fc
    .tuple(
      fc.constantFrom('https:', 'http:'),
      fc.constantFrom(
        'e.example',
        'www.e.example',
        'www.google.com',
        'l.facebook.com',
        'youtu.be',
        'arxiv.org',
      ),
      fc.array(fc.oneof(part, fc.constantFrom('url', 'amp', 'index.html', 'l.php', 'abs')), { maxLength: 4 }),
      fc.array(parameter, { maxLength: 5 }),
    )
    .map(
      ([scheme, host, path, query]) =>
        `${scheme}//${host}/${path.join('/')}${query.length > 0 ? '?' : ''}${query.map((pair) => pair.join('=')).join('&')}`,
    );

  test('has a stable canonical form, and a key that does not depend on tracking parameters and order', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.webUrl({ withQueryParameters: true })), (url) => {
        const once = canonicalUrl(url);
        if (once === undefined) return;
        expect(canonicalUrl(once)).toBe(once);
        expect(once).toMatch(/^https?:\/\//);
        const tracked = new URL(once);
        tracked.search = tracked.search ? `utm_id=1&${tracked.search.slice(1)}&fbclid=2` : 'utm_id=1';
        expect(pageKey(canonicalUrl(tracked.href) ?? '')).toBe(pageKey(once));
      }),
      { numRuns: 1000 },
    );
  });
});
