import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SiteCalls, startSiteCalls } from '../helpers/site-calls.ts';

/** Data of a page by a JSON schema, from what the page says for programs, over every surface. */

let calls: SiteCalls;
beforeAll(async () => {
  calls = await startSiteCalls();
});
afterAll(() => calls.close());

const TEXT = 'Sunflower seeds are eaten by finches first, who open each of them with their beaks. '.repeat(6);

function put(path: string, body: string, head = ''): void {
  calls.site.pages.set(path, {
    body: `<!doctype html><html lang="en"><head><title>Seeds</title>${head}</head><body><main><h1>Seeds</h1><p>${TEXT}</p>${body}</main></body></html>`,
  });
}

const linked = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const text = { type: 'string' };
const number = { type: 'number' };

async function extract(path: string, schema: unknown) {
  const { status, body } = await calls.browse(path, { extract: JSON.stringify(schema) });
  return {
    status,
    data: body.results?.[0]?.data,
    rules: body.rules,
    error: body.error,
    item: body.results?.[0],
  };
}

const PRODUCT = object({
  name: text,
  price: number,
  currency: text,
  in_stock: { type: 'boolean' },
  rating: number,
  reviewCount: { type: 'integer' },
  brand: text,
  weight: text,
});

describe('extract', () => {
  test('takes a product from JSON-LD, in the types of the schema, and names missing values', async () => {
    const offers = {
      '@type': 'Offer',
      price: '1,299.50',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    };
    const product = {
      '@type': 'Product',
      name: 'Feeder',
      offers,
      brand: { '@type': 'Brand', name: 'Finch & Co' },
      aggregateRating: { ratingValue: '4.5', reviewCount: 12 },
    };
    const other = { '@type': 'Product', name: 'Other', offers: { price: 5 } };
    put(
      '/product',
      '',
      linked({
        '@context': 'https://schema.org',
        '@graph': [{ '@type': 'WebPage', name: 'Page' }, product, other],
      }),
    );
    const { data, rules, item } = await extract('/product', PRODUCT);
    expect(data).toEqual({
      name: 'Feeder',
      price: 1299.5,
      currency: 'EUR',
      in_stock: true,
      rating: 4.5,
      reviewCount: 12,
      brand: 'Finch & Co',
    });
    expect(rules).toMatch(/^Taken from JSON-LD\. Not found: "weight"; the text of the page may say it\. /);
    expect(item?.full_content).toBeUndefined();
  });

  test('takes a product from microdata, RDFa, meta elements, and lists of names', async () => {
    put(
      '/micro',
      `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Feeder</b>
       <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR">
       <span itemprop="price" content="12.00">12,00 €</span><link itemprop="availability" href="https://schema.org/OutOfStock"></div></div>
       <dl><dt>Weight:</dt><dd>1.2 kg</dd></dl>`,
    );
    expect((await extract('/micro', PRODUCT)).data).toEqual({
      name: 'Feeder',
      price: 12,
      currency: 'EUR',
      in_stock: false,
      weight: '1.2 kg',
    });
    put(
      '/rdfa',
      '<div vocab="https://schema.org/" typeof="Product"><b property="name">Box</b><i property="brand">Finch</i></div>',
    );
    expect((await extract('/rdfa', PRODUCT)).data).toMatchObject({ name: 'Box', brand: 'Finch' });
    put(
      '/meta',
      '<table><tr><th>Weight</th><td>3 kg</td></tr><tr><th>Colour</th><td>red</td></tr></table>',
      '<meta property="og:title" content="A box"><meta property="product:price:amount" content="7.5">',
    );
    const { data, rules } = await extract('/meta', object({ title: text, price: number, weight: text }));
    expect(data).toEqual({ title: 'A box', price: 7.5, weight: '3 kg' });
    expect(rules).toContain('meta');
  });

  test('makes lists of objects from repeated items and from the rows of a table', async () => {
    const list = { type: 'array', items: object({ name: text, price: number }) };
    const items = ['Nut', 'Oat', 'Corn'].map((name, at) => ({
      '@type': 'Product',
      name,
      offers: { price: at + 1 },
    }));
    put('/items', '', linked(items));
    expect((await extract('/items', object({ products: list }))).data).toEqual({
      products: [
        { name: 'Nut', price: 1 },
        { name: 'Oat', price: 2 },
        { name: 'Corn', price: 3 },
      ],
    });
    const rows = ['Nut', 'Oat'].map(
      (name, at) => `<tr><td>${name}</td><td>${at + 1},50 €</td><td>x</td></tr>`,
    );
    put(
      '/table',
      `<table><thead><tr><th>Name</th><th>Price</th><th>Note</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
    );
    expect((await extract('/table', list)).data).toEqual([
      { name: 'Nut', price: 1.5 },
      { name: 'Oat', price: 2.5 },
    ]);
    const recipe = {
      '@type': 'Recipe',
      name: 'Mix',
      recipeIngredient: ['nuts', 'oats'],
      author: [{ name: 'Ada' }, { name: 'Bo' }],
      keywords: 'a, b',
      datePublished: '2026-03-01T10:00:00Z',
    };
    put('/recipe', '', linked(recipe));
    const strings = { type: 'array', items: text };
    const wanted = object({
      title: text,
      ingredients: strings,
      author: text,
      authors: strings,
      tags: strings,
      published: { type: 'string', format: 'date' },
    });
    expect((await extract('/recipe', wanted)).data).toEqual({
      title: 'Mix',
      ingredients: ['nuts', 'oats'],
      author: 'Ada, Bo',
      authors: ['Ada', 'Bo'],
      tags: ['a', 'b'],
      published: '2026-03-01',
    });
  });

  test('says that the page has none of the requested values', async () => {
    put('/plain', '');
    const { data, rules } = await extract('/plain', object({ latitude: number }));
    expect(data).toBeUndefined();
    expect(rules).toMatch(/^The page has nothing of what extract asks for/);
  });

  test('returns an object over MCP, and prints it in the terminal', async () => {
    put('/mcp', '', linked({ '@type': 'Product', name: 'Feeder', offers: { price: 3 } }));
    const schema = object({ name: text, price: number });
    const q = `${calls.site.url}/mcp`;
    const { body, text: shown } = await calls.callTool({ q, extract: schema });
    expect(body.results[0]?.data).toEqual({ name: 'Feeder', price: 3 });
    expect(shown).toContain('"price": 3');
    const { stdout } = await calls.run('browse', q, '--extract', JSON.stringify(schema));
    expect(stdout).toContain('"name": "Feeder"');
  });

  test.each([
    ['no schema', {}, 'has no properties'],
    [
      'a reference to elsewhere',
      object({ a: { $ref: 'https://evil.example/x.json' } }),
      'only its own $defs',
    ],
    ['a reference in a ring', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, 'nested deeper'],
    [
      'a recursive one',
      { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: object({ a: { $ref: '#/$defs/a' } }) } },
      'nested deeper',
    ],
    [
      'many properties',
      object(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, {}]))),
      'over 200 properties',
    ],
    [
      'a type that there is not',
      object({ offer: object({ price: { type: 'nummer' } }) }),
      'extract has the type "nummer" at properties.offer.properties.price.type (did you mean number?): types are string, number, integer, boolean, array, object, null',
    ],
    [
      'one of several types that there is not',
      { type: 'array', items: object({ at: { type: ['string', 'date'] } }) },
      'has the type "date" at items.properties.at.type: types are',
    ],
    ['a type that is a number', { type: 5, properties: { a: text } }, 'has the type 5 at type: types are'],
    [
      'the name of a type in place of a schema',
      object({ price: 'number' }),
      'extract has "number" at properties.price, which takes a schema such as {"type":"number"}',
    ],
    ['a long one', object({ a: { description: 'x'.repeat(30_000) } }), 'over 20000 characters'],
  ])('refuses %s', async (_name, schema, why) => {
    const { isError, text: shown } = await calls.callTool({ q: `${calls.site.url}/plain`, extract: schema });
    expect(isError).toBe(true);
    expect(shown).toContain(why);
  });

  test('takes every type of JSON schema, alone or with null, and schemas without one', async () => {
    put('/types', '', linked({ '@type': 'Product', name: 'Feeder', offers: { price: 3 } }));
    const anything = { size: true, colour: {}, weight: { type: 'boolean' }, nothing: { type: 'null' } };
    const schema = object({ name: { type: ['string', 'null'] }, price: { type: 'integer' }, ...anything });
    expect((await extract('/types', schema)).data).toMatchObject({ name: 'Feeder', price: 3 });
  });

  test('never runs a pattern of the schema, and reads a hostile page within limits', async () => {
    const nested = '<div itemscope itemprop="a b c">'.repeat(1500);
    const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    put(
      '/hostile',
      `${nested}x${'<dd>y</dd>'.repeat(2500)}`,
      `<script type="application/ld+json">${deep}</script>${linked({ __proto__: 1, constructor: 'x', name: 'aaaa'.repeat(10_000) })}`,
    );
    const { status, data } = await extract(
      '/hostile',
      object({ name: { type: 'string', pattern: '^(a+)+$' }, constructor: text, hasOwnProperty: text }),
    );
    expect(status).toBe(200);
    expect((data as { name: string }).name.length).toBeLessThanOrEqual(5000);
  });

  test('refuses a combination with since, and a value that is not an object', async () => {
    const { status, body } = await calls.browse('/plain', {
      extract: JSON.stringify(PRODUCT),
      since: 'last',
    });
    expect(status).toBe(400);
    expect(body.error).toContain('cannot be combined');
    const wrong = await calls.browse('/plain', { extract: '5' });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'extract is "5": it takes a JSON object']);
  });
});
