import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SiteCalls, startSiteCalls } from '../helpers/site-calls.ts';

/** Data by a schema from what a page's answer begins with, from files of data, feeds and tables; and its types. */

let calls: SiteCalls;
beforeAll(async () => {
  calls = await startSiteCalls();
});
afterAll(() => calls.close());

const text = { type: 'string' };
const number = { type: 'number' };
const day = { type: 'string', format: 'date' };
const object = (properties: Record<string, unknown>, required?: string[]) => ({
  type: 'object',
  properties,
  ...(required && { required }),
});
const list = (items: unknown) => ({ type: 'array', items });

const WORDS = 'Every pendulum clock loses time in summer, since the rod of brass expands. '.repeat(5);

async function extract(path: string, schema: unknown) {
  const { status, body } = await calls.browse(path, { extract: JSON.stringify(schema) });
  return { status, data: body.results?.[0]?.data, rules: body.rules };
}

function file(path: string, body: string, type: string): void {
  calls.site.pages.set(path, { body, headers: { 'content-type': type } });
}

function page(path: string, body: string, language = 'en', head = '<title>Clocks</title>'): void {
  const html = `<!doctype html><html lang="${language}"><head>${head}</head><body><main>${body}<p>${WORDS}</p></main></body></html>`;
  file(path, html, 'text/html; charset=utf-8');
}

describe('extract', () => {
  test.each<[string, string, string]>([
    [
      'a reference to another item of JSON-LD',
      `<script type="application/ld+json">${JSON.stringify({
        '@graph': [
          { '@type': 'Article', headline: 'How clocks drift', author: { '@id': '/#/person/1' } },
          { '@type': 'Person', '@id': '/#/person/2', name: 'Otto Founder' },
          { '@type': 'Person', '@id': '/#/person/1', name: 'Ada Quill' },
        ],
      })}</script>`,
      '',
    ],
    [
      'a name in the text and an address in the head',
      '<meta property="article:author" content="https://social.example/hedge.press">',
      '<p>By Ada Quill, 14 March 2026</p>',
    ],
    [
      'a name in the text and a reference to nothing',
      '<script type="application/ld+json">{"@type":"Article","headline":"How clocks drift","author":{"@id":"#none"}}</script>',
      '<p>By Ada Quill, 14 March 2026</p>',
    ],
    [
      'a name in the text and the site as the author in JSON-LD',
      '<script type="application/ld+json">{"@type":"Article","headline":"How clocks drift","author":{"@type":"Organization","name":"Hedge Press"}}</script>',
      '<p>By Ada Quill, 14 March 2026</p>',
    ],
  ])('takes the author that the answer names: %s', async (name, head, byline) => {
    const path = `/author-${name.length}`;
    page(
      path,
      `<article><h1>How clocks drift</h1>${byline}</article>`,
      'en',
      `<title>How clocks drift</title>${head}`,
    );
    const author = 'Ada Quill';
    expect((await calls.browse(path)).body.results?.[0]).toMatchObject({ author });
    const wanted = object({ title: text, author: text, authors: list(text) });
    expect((await extract(path, wanted)).data).toEqual({
      title: 'How clocks drift',
      author,
      authors: [author],
    });
  });

  test('follows references of JSON-LD, and gives no address as an author', async () => {
    const graph = [
      { '@type': 'Book', name: 'Pendulums', author: { '@id': '#a' }, publisher: [{ '@id': '#p' }] },
      { '@type': 'Person', '@id': '#a', name: 'Ada Quill', url: 'https://quill.example/' },
      { '@type': 'Organization', '@id': '#p', name: 'Hedge Press' },
    ];
    const head = `<script type="application/ld+json">${JSON.stringify({ '@graph': graph })}</script>`;
    page('/book', '<h1>Pendulums</h1>', 'en', head);
    const wanted = object({
      name: text,
      author: object({ name: text, url: text }),
      writer: text,
      publisher: text,
    });
    expect((await extract('/book', wanted)).data).toEqual({
      name: 'Pendulums',
      author: { name: 'Ada Quill', url: 'https://quill.example/' },
      writer: 'Ada Quill',
      publisher: 'Hedge Press',
    });
    const kettle = {
      '@type': 'Product',
      name: { '@value': 'Kettle', '@language': 'en' },
      brand: { '@type': 'Brand' },
    };
    page(
      '/kettle',
      '<h1>Shop</h1>',
      'en',
      `<script type="application/ld+json">${JSON.stringify(kettle)}</script>`,
    );
    expect((await extract('/kettle', object({ name: text, brand: text }))).data).toEqual({ name: 'Kettle' });
    page('/unsigned', '<h1>Clocks</h1>', 'en', '<title>Clocks</title><meta name="author" content="@hedge">');
    expect((await extract('/unsigned', object({ title: text, author: text }))).data).toEqual({
      title: 'Clocks',
    });
  });

  test('takes title, author and date as the answer shows them, and says so', async () => {
    page(
      '/article',
      '<article><h1>How clocks drift</h1><p>By <a rel=author href="/ada">Ada Quill</a> · <time datetime="2026-03-14">14 March</time></p></article>',
      'en',
      '<title>How clocks drift - Hedge Press</title><script type="application/ld+json">{"@type":"Organization","name":"Hedge Press","url":"https://hedge.example/"}</script>',
    );
    const wanted = object({ title: text, author: text, published: day, language: text, isbn: text }, [
      'isbn',
    ]);
    const { data, rules } = await extract('/article', wanted);
    expect(data).toEqual({
      title: 'How clocks drift',
      author: 'Ada Quill',
      published: '2026-03-14',
      language: 'en',
    });
    expect(rules).toMatch(
      /^Taken from the head of the answer\. Not found: "isbn"; .*The schema requires "isbn", which the page does not say so\. /,
    );
  });

  test('takes data of an organization only on request', async () => {
    const organization = {
      '@type': 'Organization',
      name: 'Hedge Press',
      logo: 'https://hedge.example/l.png',
    };
    const head = `<title>Home</title><script type="application/ld+json">${JSON.stringify(organization)}</script>`;
    page('/house', '<h1>Home</h1>', 'en', head);
    const { data } = await extract('/house', object({ name: text, logo: text }));
    expect(data).toEqual({ name: 'Hedge Press', logo: 'https://hedge.example/l.png' });
  });

  test.each([
    [
      'JSON',
      'p.json',
      'application/json',
      '{"items":[{"name":"Feeder","price":29.95},{"name":"Box","price":"19,99 €"}],"total":2}',
    ],
    [
      'JSON lines',
      'p.ndjson',
      'application/x-ndjson',
      '{"name":"Feeder","price":29.95}\n{"name":"Box","price":19.99}\n',
    ],
    [
      'YAML',
      'p.yaml',
      'application/yaml',
      'items:\n  - name: Feeder\n    price: 29.95\n  - {name: Box, price: 19.99}\n',
    ],
    [
      'XML',
      'p.xml',
      'application/xml',
      '<?xml version="1.0"?><shop><item><name>Feeder</name><price currency="EUR">29.95</price></item><item name="Box"><price>19.99</price></item></shop>',
    ],
  ])('takes lists from %s', async (_name, path, type, body) => {
    file(`/${path}`, body, type);
    const { data, rules } = await extract(
      `/${path}`,
      object({ items: list(object({ name: text, price: number })) }),
    );
    expect(data).toEqual({
      items: [
        { name: 'Feeder', price: 29.95 },
        { name: 'Box', price: 19.99 },
      ],
    });
    expect(rules).toMatch(/^Taken from the file\. /);
  });

  test('takes single values from JSON, and nested lists', async () => {
    const places = [
      { properties: { name: 'Linz', people: 210_000 }, geometry: { type: 'Point' } },
      { properties: { name: 'Wels', people: 64_000 }, geometry: { type: 'Point' } },
    ];
    file(
      '/places.json',
      JSON.stringify({ title: 'Towns', updated: 1_773_446_400, features: places }),
      'application/json',
    );
    const wanted = object({
      title: text,
      updated: day,
      places: list(object({ name: text, people: { type: 'integer' } })),
    });
    expect((await extract('/places.json', wanted)).data).toEqual({
      title: 'Towns',
      updated: '2026-03-14',
      places: [
        { name: 'Linz', people: 210_000 },
        { name: 'Wels', people: 64_000 },
      ],
    });
  });

  test('takes entries from RSS and Atom', async () => {
    file(
      '/rss',
      `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Hedge</title><link>https://hedge.example/</link>
       <item><title>One</title><link>https://hedge.example/1</link><dc:creator>Ada</dc:creator><pubDate>Sat, 14 Mar 2026 10:00:00 GMT</pubDate><category>a</category><category>b</category><description>&lt;p&gt;First &amp;amp; best&lt;/p&gt;</description></item>
       <item><title>Two</title><link>https://hedge.example/2</link><pubDate>Sun, 15 Mar 2026 10:00:00 +0000</pubDate><description>Second</description></item></channel></rss>`,
      'application/rss+xml',
    );
    const entry = object({
      title: text,
      url: text,
      author: text,
      published: day,
      description: text,
      categories: list(text),
    });
    expect((await extract('/rss', object({ title: text, entries: list(entry) }))).data).toEqual({
      title: 'Hedge',
      entries: [
        {
          title: 'One',
          url: 'https://hedge.example/1',
          author: 'Ada',
          published: '2026-03-14',
          description: 'First & best',
          categories: ['a', 'b'],
        },
        { title: 'Two', url: 'https://hedge.example/2', published: '2026-03-15', description: 'Second' },
      ],
    });
    file(
      '/atom',
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>Hedge</title><entry><title type="html">One</title><link rel="self" href="https://hedge.example/self"/><link href="https://hedge.example/1"/>
       <author><name>Ada</name></author><published>2026-03-14T10:00:00Z</published><summary>First</summary></entry></feed>`,
      'application/atom+xml',
    );
    const { data } = await extract(
      '/atom',
      list(object({ title: text, url: text, author: text, published: day })),
    );
    expect(data).toEqual([
      { title: 'One', url: 'https://hedge.example/1', author: 'Ada', published: '2026-03-14' },
    ]);
  });

  test('takes no value from broken and hostile files, and does not fail', async () => {
    const wanted = object({ a: text, items: list(object({ name: text, price: number })) });
    const bombs = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
      .split('')
      .map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(9)}]`)
      .join('\n')}`;
    file('/bomb.yaml', bombs, 'application/yaml');
    file('/deep.json', `${'[{"items":'.repeat(20_000)}1${'}]'.repeat(20_000)}`, 'application/json');
    file('/cut.json', '{"items":[{"name":"Feeder","pri', 'application/json');
    file('/own.json', '{"__proto__":{"a":"x"},"items":{"constructor":1}}', 'application/json');
    for (const path of ['/bomb.yaml', '/deep.json', '/cut.json', '/own.json']) {
      const { status, data } = await extract(path, wanted);
      expect([path, status, data]).toEqual([path, 200, undefined]);
    }
  });

  test('uses the last header row as column names, too, where it is the only row with the name', async () => {
    const head =
      '<thead><tr><th rowspan=2>Country</th><th colspan=2>Population</th><th colspan=2>Area (km²)</th></tr><tr><th>Total</th><th>Growth</th><th>Land</th><th>Growth</th></tr></thead>';
    page(
      '/table',
      `<h1>Towns</h1><table>${head}<tbody><tr><td>Chad</td><td>130,410</td><td>0.2%</td><td>5</td><td>0</td></tr><tr><td>Mali</td><td>1,000</td><td>0.9%</td><td>6</td><td>0</td></tr></tbody></table>`,
    );
    const wanted = list(object({ country: text, total: { type: 'integer' }, land: number, growth: text }));
    expect((await extract('/table', wanted)).data).toEqual([
      { country: 'Chad', total: 130_410, land: 5 },
      { country: 'Mali', total: 1000, land: 6 },
    ]);
  });

  test('reads numbers, days and booleans in the language of the page', async () => {
    const rows = (pairs: Record<string, string>) =>
      `<dl>${Object.entries(pairs)
        .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
        .join('')}</dl>`;
    const wanted = object({
      preis: number,
      gewicht: number,
      einwohner: { type: 'integer' },
      geliefert: day,
      lieferbar: { type: 'boolean' },
      zustand: { type: 'string', enum: ['neu', 'gebraucht'] },
      morgen: day,
    });
    page(
      '/german',
      `<h1>Uhr</h1>${rows({ Preis: '€ 1.234,50', Gewicht: '1,250 kg', Einwohner: '12.500', Geliefert: 'am 14. März 2026', Lieferbar: 'Auf Lager, in 2 Tagen', Zustand: 'Gebraucht', Morgen: 'bald' })}`,
      'de',
    );
    expect((await extract('/german', wanted)).data).toEqual({
      preis: 1234.5,
      gewicht: 1.25,
      einwohner: 12_500,
      geliefert: '2026-03-14',
      lieferbar: true,
      zustand: 'gebraucht',
    });
    page(
      '/english',
      `<h1>Clock</h1>${rows({ Price: 'now $1,234.50', Built: '3/4/2026', Sold: 'March 5th, 2026', Available: 'Not before May' })}`,
    );
    const english = object({ price: number, built: day, sold: day, available: { type: 'boolean' } });
    expect((await extract('/english', english)).data).toEqual({
      price: 1234.5,
      sold: '2026-03-05',
      available: false,
    });
  });
});
